import {
  change,
  defined,
  listPage,
  portionsOf,
  readOne,
  removeOne,
  seconds,
} from '../../../access/records.ts';
import { Refusal } from '../../../contract/refusal.ts';
import type { CampaignGroupRecord, Registry } from '../../../engine/registry.ts';
import type { Handler } from '../../handler.ts';
import type * as contracts from './contract.ts';

/** Creates or replaces a group of campaigns. */
export const saveCampaignGroup: Handler<typeof contracts.saveCampaignGroup> = (
  { groupId, organisationId, name, campaignIds },
  context,
) =>
  change(context, async (transaction, audit) => {
    const now = context.now();
    // One statement, so that a simultaneous request for the same group waits.
    const group = await transaction
      .insertInto('campaignGroup')
      .values({ campaignGroupId: groupId, organisationId, name, createdAt: now, updatedAt: now })
      .onConflict((conflict) =>
        conflict
          .column('campaignGroupId')
          .doUpdateSet({ name, updatedAt: now })
          .where('campaignGroup.organisationId', '=', organisationId),
      )
      .returningAll()
      .executeTakeFirst();
    if (group === undefined) throw new Refusal(409, 'the group belongs to another organisation');
    const campaigns = [...new Set(campaignIds)].sort();
    await transaction
      .deleteFrom('campaignGroupCampaign')
      .where('campaignGroupId', '=', groupId)
      .execute();
    for (const portion of portionsOf(
      campaigns.map((campaignId) => ({ campaignGroupId: groupId, campaignId })),
    )) {
      await transaction.insertInto('campaignGroupCampaign').values(portion).execute();
    }
    await audit({
      action: 'saveCampaignGroup',
      subject: groupId,
      detail: { organisationId, name, campaigns: campaigns.length },
    });
    return answerOf(group, campaigns);
  });

/** Lists the groups of campaigns of all organisations or of one. */
export const listCampaignGroups: Handler<typeof contracts.listCampaignGroups> = async (
  { organisationId, ...page },
  { registry },
) => {
  const groups = registry.records
    .selectFrom('campaignGroup')
    .where(({ and }) => and(defined({ organisationId })))
    .selectAll()
    .orderBy('campaignGroupId');
  const { rows, total } = await listPage(groups, page);
  const campaigns = await campaignsOf(
    registry.records,
    rows.map((group) => group.campaignGroupId),
  );
  return {
    campaignGroups: rows.map((group) =>
      answerOf(group, campaigns.get(group.campaignGroupId) ?? []),
    ),
    total,
  };
};

/** Reads one group of campaigns. */
export const readCampaignGroup: Handler<typeof contracts.readCampaignGroup> = async (
  { groupId },
  { registry },
) => {
  const group = await readOne(registry.records, 'campaignGroup', { campaignGroupId: groupId });
  const campaigns = await campaignsOf(registry.records, [groupId]);
  return answerOf(group, campaigns.get(groupId) ?? []);
};

/** Deletes a group of campaigns. */
export const deleteCampaignGroup: Handler<typeof contracts.deleteCampaignGroup> = (
  { groupId },
  context,
) =>
  change(context, async (transaction, audit) => {
    const group = { campaignGroupId: groupId };
    const { organisationId } = await removeOne(transaction, 'campaignGroup', group);
    await audit({ action: 'deleteCampaignGroup', subject: groupId, detail: { organisationId } });
  });

async function campaignsOf(
  records: Registry['records'],
  groupIds: readonly string[],
): Promise<Map<string, string[]>> {
  const campaigns = new Map<string, string[]>(groupIds.map((groupId) => [groupId, []]));
  for (const portion of portionsOf(groupIds)) {
    const rows = await records
      .selectFrom('campaignGroupCampaign')
      .selectAll()
      .where('campaignGroupId', 'in', portion)
      .orderBy('campaignId')
      .execute();
    for (const { campaignGroupId, campaignId } of rows)
      campaigns.get(campaignGroupId)!.push(campaignId);
  }
  return campaigns;
}

function answerOf(group: CampaignGroupRecord, campaignIds: string[]) {
  return {
    groupId: group.campaignGroupId,
    organisationId: group.organisationId,
    name: group.name,
    campaignIds,
    createdAt: seconds(group.createdAt),
    updatedAt: seconds(group.updatedAt),
  };
}
