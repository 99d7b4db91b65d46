/** `vitrine campaign-groups`. */
import type { Command } from 'commander';
import * as contracts from '../endpoints/operator/campaignGroups/contract.ts';
import { addList, addOperation, addRemoval, addShow } from './operation.ts';

/** Adds the commands for campaign groups. */
export function addCampaignGroups(command: Command): void {
  addList(command, {
    contract: contracts.listCampaignGroups,
    verb: 'list',
    rows: 'campaignGroups',
    columns: [
      'groupId',
      { field: 'name', canCut: true },
      { heading: 'campaigns', show: ({ campaignIds }) => campaignIds.length },
      { field: 'updatedAt', canDrop: true },
      { field: 'organisationId', canDrop: true },
    ],
    examples: ['campaign-groups list', 'campaign-groups list --organisation "$ORGANISATION"'],
  });
  addShow(command, contracts.readCampaignGroup, 'campaign-groups show brand-defence');
  addOperation(command, {
    contract: contracts.saveCampaignGroup,
    verb: 'save',
    reads: contracts.readCampaignGroup,
    examples: [
      'campaign-groups save brand-defence --organisation "$ORGANISATION" --name "Brand defence" --campaigns 101 102 103',
      'campaign-groups save brand-defence --name "Brand"',
    ],
  });
  addRemoval(
    command,
    contracts.deleteCampaignGroup,
    'delete',
    'Campaign group deleted. Its campaigns are unchanged.',
    'campaign-groups delete brand-defence',
  );
}
