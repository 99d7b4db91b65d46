/** `vitrine campaign-groups`. */
import type { Command } from 'commander';
import { operatorContracts as contracts } from '../endpoints/operator/contracts.ts';
import { addList, addOperation } from './operation.ts';

/** Adds the commands of groups of campaigns. */
export function addCampaignGroups(command: Command): void {
  addList(command, {
    contract: contracts.listCampaignGroups,
    verb: 'list',
    rows: 'campaignGroups',
    columns: [
      'groupId',
      { field: 'name', mayBeCut: true },
      { heading: 'campaigns', show: ({ campaignIds }) => campaignIds.length },
      { field: 'updatedAt', mayBeLeftOut: true },
      { field: 'organisationId', mayBeLeftOut: true },
    ],
    examples: ['campaign-groups list', 'campaign-groups list --organisation "$ORGANISATION"'],
  });
  addOperation(command, {
    contract: contracts.readCampaignGroup,
    verb: 'show',
    examples: ['campaign-groups show brand-defence', 'campaign-groups show brand-defence --json'],
  });
  addOperation(command, {
    contract: contracts.saveCampaignGroup,
    verb: 'save',
    keeping: contracts.readCampaignGroup,
    examples: [
      'campaign-groups save brand-defence --organisation "$ORGANISATION" --name "Brand defence" --campaigns 101 102 103',
      'campaign-groups save brand-defence --name "Brand"',
    ],
  });
  addOperation(command, {
    contract: contracts.deleteCampaignGroup,
    verb: 'delete',
    tell: () => console.error('The group is deleted; its campaigns stay as they are.'),
    examples: [
      'campaign-groups delete brand-defence',
      'campaign-groups delete brand-defence --yes',
    ],
  });
}
