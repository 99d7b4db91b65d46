/** GET /advertising/adGroups: ad groups with their figures. */
import { adGroupMetrics } from '../../report/advertising.ts';
import type { Handler, RecordRules } from '../handler.ts';
import type { listAdGroups as contract } from './contract.ts';
import { answerPage, listOf } from './list.ts';
import { listRules } from './rules.ts';
import { channelsRead, scopeOf } from './scope.ts';

const list = listOf({
  table: 'ad_group_day',
  id: 'ad_group_id',
  hasAdType: true,
  named: { known: 'ad_group', columns: ['campaign_id'] },
  listed: 'adGroups.sql',
  texts: [
    'campaign_id',
    'ad_group_id',
    'ad_type',
    'campaign_name',
    'ad_group_name',
    'ad_group_status',
    'cost_type',
  ],
  setting: 'default_bid',
  settingTable: 'ad_group',
  metrics: adGroupMetrics,
});

/** The record rules of the operation. */
export const adGroupRules: RecordRules<typeof contract> = listRules(list);

/** Answers GET /advertising/adGroups. */
export const listAdGroups: Handler<typeof contract> = async (input, context) => {
  const scope = await scopeOf(input, context);
  const filters = { statuses: input.status ?? [], campaigns: input.campaignId ?? [] };
  return await context.warehouse.readCached(channelsRead(scope), context.limits, (ask) =>
    answerPage(ask, scope, list, input, filters, (_, settingOf) => (row) => ({
      default_bid: settingOf(row),
    })),
  );
};
