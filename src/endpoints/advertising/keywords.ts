/** GET /advertising/keywords: keywords and targets with their figures. */
import { campaignMetrics } from '../../report/advertising.ts';
import type { Handler, RecordRules } from '../handler.ts';
import type { listKeywords as contract } from './contract.ts';
import { answerPage, listOf } from './list.ts';
import { listRules } from './rules.ts';
import { channelsRead, scopeOf } from './scope.ts';

const list = listOf({
  table: 'keyword_day',
  id: 'keyword_id',
  hasAdType: true,
  named: { known: 'keyword', columns: ['campaign_id', 'ad_group_id'] },
  listed: 'keywords.sql',
  texts: [
    'campaign_id',
    'ad_group_id',
    'keyword_id',
    'ad_type',
    'campaign_name',
    'ad_group_name',
    'keyword_text',
    'match_type',
    'keyword_status',
    'cost_type',
  ],
  setting: 'bid',
  settingTable: 'keyword',
  metrics: campaignMetrics,
});

/** The record rules of the operation. */
export const keywordRules: RecordRules<typeof contract> = listRules(list);

/** Answers GET /advertising/keywords. */
export const listKeywords: Handler<typeof contract> = async (input, context) => {
  const scope = await scopeOf(input, context);
  const { status: statuses = [], campaignId: campaigns = [], adGroupId: adGroups = [] } = input;
  const filters = { statuses, campaigns, adGroups };
  return await context.warehouse.readCached(channelsRead(scope), context.limits, (ask) =>
    answerPage(ask, scope, list, input, filters, (_, settingOf) => (row) => ({
      bid: settingOf(row),
    })),
  );
};
