import { Refusal } from '../../../contract/refusal.ts';
import type { CampaignGroupRecord, Registry } from '../../../engine/registry.ts';
import type { operatorContracts as contracts } from '../contracts.ts';
import { change, type OperatorHandler, portionsOf, seconds } from '../handler.ts';

type Contracts = typeof contracts;

/** Makes a group of campaigns, or replaces it. */
export const saveCampaignGroup: OperatorHandler<Contracts['saveCampaignGroup']> = (
  { groupId, organisationId, name, campaignIds },
  context,
) =>
  change(context, async (transaction, note) => {
    const organisation = await transaction
      .selectFrom('organisation')
      .select('organisationId')
      .where('organisationId', '=', organisationId)
      .executeTakeFirst();
    if (organisation === undefined)
      throw new Refusal(400, 'organisationId must be that of an organisation');
    const now = context.now();
    // One statement, which makes whoever saves the same group at this moment wait for the whole change.
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
    await note({
      action: 'saveCampaignGroup',
      subject: groupId,
      detail: { organisationId, name, campaigns: campaigns.length },
    });
    return answerOf(group, campaigns);
  });

/** Lists the groups of campaigns of all organisations or of one. */
export const listCampaignGroups: OperatorHandler<Contracts['listCampaignGroups']> = async (
  { organisationId, pageIndex, pageSize },
  { registry },
) => {
  const groups = registry.records
    .selectFrom('campaignGroup')
    .$if(organisationId !== undefined, (query) =>
      query.where('organisationId', '=', organisationId!),
    );
  const found = await groups
    .selectAll()
    .orderBy('campaignGroupId')
    .limit(pageSize)
    .offset(pageIndex * pageSize)
    .execute();
  const { total } = await groups
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const campaigns = await campaignsOf(
    registry.records,
    found.map((group) => group.campaignGroupId),
  );
  return {
    campaignGroups: found.map((group) =>
      answerOf(group, campaigns.get(group.campaignGroupId) ?? []),
    ),
    total,
  };
};

/** Reads one group of campaigns. */
export const readCampaignGroup: OperatorHandler<Contracts['readCampaignGroup']> = async (
  { groupId },
  { registry },
) => {
  const group = await registry.records
    .selectFrom('campaignGroup')
    .selectAll()
    .where('campaignGroupId', '=', groupId)
    .executeTakeFirstOrThrow(unknownGroup);
  const campaigns = await campaignsOf(registry.records, [groupId]);
  return answerOf(group, campaigns.get(groupId) ?? []);
};

/** Deletes a group of campaigns. */
export const deleteCampaignGroup: OperatorHandler<Contracts['deleteCampaignGroup']> = (
  { groupId },
  context,
) =>
  change(context, async (transaction, note) => {
    const { organisationId } = await transaction
      .deleteFrom('campaignGroup')
      .where('campaignGroupId', '=', groupId)
      .returning('organisationId')
      .executeTakeFirstOrThrow(unknownGroup);
    await note({ action: 'deleteCampaignGroup', subject: groupId, detail: { organisationId } });
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

function unknownGroup(): Refusal {
  return new Refusal(404, 'there is no such group of campaigns');
}
