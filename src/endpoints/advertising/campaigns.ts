/** GET /advertising/campaigns: campaigns with their figures. */
import { Refusal } from '../../contract/refusal.ts';
import { questionFile } from '../../engine/question.ts';
import type { CampaignGroupRecord } from '../../engine/registry.ts';
import type { Ask } from '../../engine/warehouse.ts';
import type { Context, Handler } from '../handler.ts';
import type { listCampaigns as contract } from './contract.ts';
import { answerPage, channelsRead, listOf, type Scope, scopeOf } from './list.ts';
import { campaignMetrics } from './metrics.ts';

const list = listOf({
  figures: 'campaign_day',
  id: { name: 'campaign_id', sql: 'campaign_id' },
  attributes: ['ad_type'],
  listed: 'campaigns.sql',
  texts: [
    'campaign_id',
    'ad_type',
    'campaign_name',
    'campaign_status',
    'budget_type',
    'start_date',
    'end_date',
    'targeting_type',
    'bidding_strategy',
    'cost_type',
  ],
  setting: 'budget',
  metrics: campaignMetrics,
});
const knownCampaigns = questionFile<{ campaign_id: string }>(import.meta.url, 'knownCampaigns.sql');

/** One text for unknown groups and those of others, so that nobody learns which groups exist. */
const groupsText = 'customCampaignGroupId must name campaign groups of your organisation';
const unrelatedText = 'customCampaignGroupId must name groups that have a campaign of the channels';

/** Answers GET /advertising/campaigns. */
export const listCampaigns: Handler<typeof contract> = async (input, context) => {
  const groups = await campaignsByGroup(input.customCampaignGroupId, context);
  const scope = await scopeOf(input, context, groups === undefined ? [groupsText] : []);
  return await context.warehouse.read(channelsRead(scope), context.limits, async (ask) => {
    const campaigns = await campaignsOf(ask, scope, groups!);
    const filters = { statuses: input.status ?? [], campaigns };
    return await answerPage(ask, scope, list, input, filters, (_, settingOf) => (row) => ({
      budget: settingOf(row),
    }));
  });
};

/**
 * The campaigns of each group; undefined where the caller's organisation lacks one of the groups.
 */
async function campaignsByGroup(
  wanted: readonly CampaignGroupRecord['campaignGroupId'][] = [],
  { registry, caller }: Context,
): Promise<ReadonlySet<string>[] | undefined> {
  const groupIds = [...new Set(wanted)];
  if (groupIds.length === 0) return [];
  const rows = await registry.records
    .selectFrom('campaignGroup')
    .innerJoin(
      'campaignGroupCampaign',
      'campaignGroupCampaign.campaignGroupId',
      'campaignGroup.campaignGroupId',
    )
    .select(['campaignGroup.campaignGroupId', 'campaignGroupCampaign.campaignId'])
    .where('campaignGroup.organisationId', '=', caller.organisationId)
    .where('campaignGroup.campaignGroupId', 'in', groupIds)
    .execute();
  const groups = new Map<string, Set<string>>();
  for (const { campaignGroupId, campaignId } of rows) {
    groups.set(campaignGroupId, (groups.get(campaignGroupId) ?? new Set()).add(campaignId));
  }
  return groups.size < groupIds.length ? undefined : [...groups.values()];
}

/** The campaigns of the channels that are in one of the groups; none where no group is given. */
async function campaignsOf(
  ask: Ask,
  { channels }: Scope,
  groups: readonly ReadonlySet<string>[],
): Promise<string[]> {
  if (groups.length === 0) return [];
  const rows = await ask(knownCampaigns, {
    channels: channels.map((channel) => channel.channelNumber),
  });
  const known = rows.map((row) => row.campaign_id);
  if (!groups.every((group) => known.some((campaign) => group.has(campaign))))
    throw new Refusal(400, unrelatedText);
  return known.filter((campaign) => groups.some((group) => group.has(campaign)));
}
