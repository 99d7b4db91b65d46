/** `vitrine channels`. */
import type { Command } from 'commander';
import * as contracts from '../endpoints/operator/channels/contract.ts';
import { addList, addOperation, addRemoval, addShow } from './operation.ts';
import { addTaxes } from './taxes.ts';

/** Adds the commands for channels. */
export function addChannels(command: Command): void {
  addList(command, {
    contract: contracts.listAllChannels,
    verb: 'list',
    rows: 'channels',
    columns: [
      'channelId',
      { field: 'displayName', heading: 'name', canCut: true },
      'kind',
      { field: 'countryCode', heading: 'country' },
      'currency',
      { field: 'timezone', canDrop: true },
      { field: 'marketplace', canDrop: true },
      { field: 'hasAdvertisingConnected', heading: 'advertising', canDrop: true },
      { field: 'merchantId', canDrop: true },
      { field: 'organisationId', canDrop: true },
    ],
    examples: ['channels list', 'channels list --organisation "$ORGANISATION" --json'],
  });
  addShow(command, contracts.readChannel, 'channels show northwind-us');
  addOperation(command, {
    contract: contracts.saveChannel,
    verb: 'save',
    reads: contracts.readChannel,
    examples: [
      'channels save acme-us --organisation "$ORGANISATION" --merchant "A1ACME @ ATVPDKIKX0DER" --marketplace primarymkt --kind seller --country-code US --display-name "Acme US" --currency USD --timezone America/Los_Angeles --has-advertising-connected',
      'channels save acme-us --display-name "Acme America" --lead-time-days 45',
    ],
  });
  addTaxes(command);
  addRemoval(
    command,
    contracts.deleteChannel,
    'delete',
    'Channel deleted, with all its facts.',
    'channels delete acme-us',
  );
}
