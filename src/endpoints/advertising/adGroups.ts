/** Ad groups with their figures. */
import { sortedQuestionFile } from '../../report/page.ts';
import type { Handler } from '../handler.ts';
import type { listAdGroups as contract } from './contract.ts';
import {
  answerOf,
  channelIdOf,
  channelOrder,
  channelsRead,
  columnSorts,
  currenciesQuestion,
  type List,
  reachOf,
  readPage,
  restriction,
  settingSort,
  shownSetting,
  textsOf,
} from './list.ts';
import { adGroupMetrics, metricSorts, metricsOf, type Sums } from './metrics.ts';

const texts = [
  'campaign_id',
  'ad_group_id',
  'ad_type',
  'campaign_name',
  'ad_group_name',
  'ad_group_status',
  'cost_type',
] as const;

type AdGroupRow = Sums & { readonly [Text in (typeof texts)[number]]: string } & {
  readonly channel: number;
  readonly default_bid: bigint;
};

const list: List<AdGroupRow> = {
  sorted: sortedQuestionFile(
    import.meta.url,
    'adGroups.sql',
    {
      ...columnSorts(texts),
      default_bid: settingSort('default_bid'),
      ...metricSorts(adGroupMetrics),
    },
    ['ad_group_id', channelOrder],
  ),
  currencies: currenciesQuestion('ad_group_day'),
  settings: true,
};

/** Answers GET /advertising/adGroups. */
export const listAdGroups: Handler<typeof contract> = async (asked, context) => {
  const reach = await reachOf(asked, context);
  const restrictions = {
    ...restriction('everyStatus', 'statuses', asked.status),
    ...restriction('everyCampaign', 'campaigns', asked.campaignId),
  };
  return await context.warehouse.read(channelsRead(reach), context.limits, async (ask) => {
    const page = await readPage(ask, reach, list, asked, restrictions);
    return answerOf(page, asked, (row) => ({
      channel_id: channelIdOf(reach, row.channel),
      ...textsOf(texts, row),
      default_bid: shownSetting(page.exchange, row.channel, row.default_bid),
      ...metricsOf(adGroupMetrics, row, page.exchange.places),
    }));
  });
};
