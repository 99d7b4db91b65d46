/** GET /advertising/campaigns: campaigns with their figures. */
import type { InputOf } from '../../contract/endpoint.ts';
import { questionFile } from '../../engine/question.ts';
import { campaignMetrics } from '../../report/advertising.ts';
import { type Context, type Handler, oncePerRequest, type RecordRules } from '../handler.ts';
import type { listCampaigns as contract } from './contract.ts';
import { answerPage, listOf } from './list.ts';
import { listRules } from './rules.ts';
import { channelsOf, channelsRead, recordsOfList, scopeOf } from './scope.ts';

const list = listOf({
  table: 'campaign_day',
  id: 'campaign_id',
  hasAdType: true,
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
  settingTable: 'campaign',
  metrics: campaignMetrics,
});
const knownCampaigns = questionFile<{ campaign_id: string }>(import.meta.url, 'knownCampaigns.sql');

/**
 * One text for unknown groups and other organisations' groups: nobody learns which groups exist.
 */
const groupsText = 'customCampaignGroupId must name campaign groups of your organisation';
const unrelatedText = 'customCampaignGroupId must name groups that have a campaign of the channels';

/** The record rules of the operation. */
export const campaignRules: RecordRules<typeof contract> = [
  ...listRules(list),
  {
    at: 'customCampaignGroupId',
    reads: ['customCampaignGroupId[]'],
    async check(input, context) {
      return (await groupsOf(input, context)) === undefined ? groupsText : undefined;
    },
  },
  {
    at: 'customCampaignGroupId',
    reads: ['customCampaignGroupId[]', 'channelId[]'],
    async check(input, context) {
      const groups = (await groupsOf(input, context)) ?? [];
      const channels = await channelsOf(input, context);
      // A channel that does not exist has no known campaigns.
      if (groups.length === 0 || channels.length < new Set(input.channelId).size) return undefined;
      const known = await knownCampaignsOf(input, context);
      return groups.every((group) => known.some((campaign) => group.has(campaign)))
        ? undefined
        : unrelatedText;
    },
  },
];

/** The records that an answer depends on: those of every list, and the campaigns of groups. */
export async function recordsOfCampaigns(input: Input, context: Context): Promise<unknown> {
  const groups = await groupsOf(input, context);
  return [await recordsOfList(input, context), groups?.map((campaigns) => [...campaigns])];
}

/** Answers GET /advertising/campaigns. */
export const listCampaigns: Handler<typeof contract> = async (input, context) => {
  const scope = await scopeOf(input, context);
  const groups = (await groupsOf(input, context))!;
  const known = groups.length === 0 ? [] : await knownCampaignsOf(input, context);
  const campaigns = known.filter((campaign) => groups.some((group) => group.has(campaign)));
  return await context.warehouse.readCached(channelsRead(scope), context.limits, async (ask) => {
    const filters = { statuses: input.status ?? [], campaigns };
    return await answerPage(ask, scope, list, input, filters, (_, settingOf) => (row) => ({
      budget: settingOf(row),
    }));
  });
};

type Input = InputOf<typeof contract>;

/**
 * The campaigns of each group; undefined if one of the groups does not belong to the caller's
 * organisation.
 */
const groupsOf = oncePerRequest(async (input: Input, { registry, caller }: Context) => {
  const groupIds = [...new Set(input.customCampaignGroupId)];
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
});

/** The campaigns of the channels. */
const knownCampaignsOf = oncePerRequest(async (input: Input, context: Context) => {
  const channels = (await channelsOf(input, context)).map((channel) => channel.channelNumber);
  const rows = await context.warehouse.readCached(channels, context.limits, (ask) =>
    ask(knownCampaigns, { channels }),
  );
  return rows.map((row) => row.campaign_id);
});
