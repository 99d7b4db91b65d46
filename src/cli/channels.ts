/** `vitrine channels`. */
import type { Command } from 'commander';
import { operatorContracts as contracts } from '../endpoints/operator/contracts.ts';
import { addList, addOperation } from './operation.ts';

/** Adds the commands of channels. */
export function addChannels(command: Command): void {
  addList(command, {
    contract: contracts.listAllChannels,
    verb: 'list',
    rows: 'channels',
    columns: [
      'channelId',
      { field: 'displayName', heading: 'name', mayBeCut: true },
      'kind',
      { field: 'countryCode', heading: 'country' },
      'currency',
      { field: 'timezone', mayBeLeftOut: true },
      { field: 'marketplace', mayBeLeftOut: true },
      { field: 'hasAdvertisingConnected', heading: 'advertising', mayBeLeftOut: true },
      { field: 'merchantId', mayBeLeftOut: true },
      { field: 'organisationId', mayBeLeftOut: true },
    ],
    examples: ['channels list', 'channels list --organisation "$ORGANISATION" --json'],
  });
  addOperation(command, {
    contract: contracts.readChannel,
    verb: 'show',
    examples: ['channels show northwind-us', 'channels show northwind-us --json'],
  });
  addOperation(command, {
    contract: contracts.saveChannel,
    verb: 'save',
    keeping: contracts.readChannel,
    examples: [
      'channels save acme-us --organisation "$ORGANISATION" --merchant "A1ACME @ ATVPDKIKX0DER" --marketplace primarymkt --kind seller --country-code US --display-name "Acme US" --currency USD --timezone America/Los_Angeles --has-advertising-connected',
      'channels save acme-us --display-name "Acme America" --lead-time-days 45',
    ],
  });
  addOperation(command, {
    contract: contracts.deleteChannel,
    verb: 'delete',
    tell: () => console.error('The channel is deleted, with all its facts.'),
    examples: ['channels delete acme-us', 'channels delete acme-us --yes'],
  });
}
