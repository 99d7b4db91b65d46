/** Campaigns with their figures. */
import { Refusal } from '../../contract/refusal.ts';
import { questionFile } from '../../engine/question.ts';
import type { CampaignGroupRecord } from '../../engine/registry.ts';
import type { Ask } from '../../engine/warehouse.ts';
import { sortedQuestionFile } from '../../report/page.ts';
import type { Context, Handler } from '../handler.ts';
import type { listCampaigns as contract } from './contract.ts';
import {
  answerOf,
  channelIdOf,
  channelOrder,
  channelsRead,
  columnSorts,
  currenciesQuestion,
  type List,
  type Reach,
  reachOf,
  readPage,
  restriction,
  settingSort,
  shownSetting,
  textsOf,
} from './list.ts';
import { campaignMetrics, metricSorts, metricsOf, type Sums } from './metrics.ts';

const texts = [
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
] as const;

type CampaignRow = Sums & { readonly [Text in (typeof texts)[number]]: string } & {
  readonly channel: number;
  readonly budget: bigint;
};

const list: List<CampaignRow> = {
  sorted: sortedQuestionFile(
    import.meta.url,
    'campaigns.sql',
    { ...columnSorts(texts), budget: settingSort('budget'), ...metricSorts(campaignMetrics) },
    ['campaign_id', channelOrder],
  ),
  currencies: currenciesQuestion('campaign_day'),
  settings: true,
};
const knownCampaigns = questionFile<{ campaign_id: string }>(import.meta.url, 'knownCampaigns.sql');

/** One text for groups that are unknown and groups of others, so that nobody learns which exist. */
const groupsText = 'customCampaignGroupId must name campaign groups of your organisation';
const unrelatedText = 'customCampaignGroupId must name groups that have a campaign of the channels';

/** Answers GET /advertising/campaigns. */
export const listCampaigns: Handler<typeof contract> = async (asked, context) => {
  const groups = await campaignsByGroup(asked.customCampaignGroupId, context);
  const reach = await reachOf(asked, context, groups === undefined ? [groupsText] : []);
  return await context.warehouse.read(channelsRead(reach), context.limits, async (ask) => {
    const restrictions = {
      ...restriction('everyStatus', 'statuses', asked.status),
      ...restriction('everyCampaign', 'campaigns', await relatedCampaigns(ask, reach, groups!)),
    };
    const page = await readPage(ask, reach, list, asked, restrictions);
    return answerOf(page, asked, (row) => ({
      channel_id: channelIdOf(reach, row.channel),
      ...textsOf(texts, row),
      budget: shownSetting(page.exchange, row.channel, row.budget),
      ...metricsOf(campaignMetrics, row, page.exchange.places),
    }));
  });
};

/** The campaigns of each group; undefined where a group is not there or not of the caller's organisation. */
async function campaignsByGroup(
  asked: readonly CampaignGroupRecord['campaignGroupId'][] = [],
  { registry, caller }: Context,
): Promise<ReadonlySet<string>[] | undefined> {
  const groupIds = [...new Set(asked)];
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

/** The campaigns of the channels that are in one of the groups; undefined where no group is asked for. */
async function relatedCampaigns(
  ask: Ask,
  { channels }: Reach,
  groups: readonly ReadonlySet<string>[],
): Promise<string[] | undefined> {
  if (groups.length === 0) return undefined;
  const rows = await ask(knownCampaigns, {
    channels: channels.map((channel) => channel.channelNumber),
  });
  const known = rows.map((row) => row.campaign_id);
  if (!groups.every((group) => known.some((campaign) => group.has(campaign))))
    throw new Refusal(400, unrelatedText);
  return known.filter((campaign) => groups.some((group) => group.has(campaign)));
}
