/**
 * The simulated advertising adds up from keywords to campaigns, keeps within dates, budgets and
 * bids, and its rates and the searches of shoppers look like those of real stores.
 */
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { between, businessAt, planOf, ratio, sum } from '../test/business.ts';
import { deepTest, slow } from '../test/level.ts';
import { campaignsOf, productsOf } from './campaigns.ts';
import { offersOf } from './catalogue.ts';
import { keywordRows, keywordsOf } from './keywords.ts';
import { type Plan, plans } from './plans.ts';
import type { AdMetrics } from './rows.ts';
import { searchQueryRows } from './searches.ts';
import { productRows } from './simulation.ts';

const { anchorDay, daysOf, factsOf } = businessAt(Date.UTC(2026, 0, 15, 12));
const us = planOf('northwind-us');
const advertised = plans.filter(({ adShare }) => adShare > 0);
type SearchQueryRow = ReturnType<typeof searchQueryRows>[number];
const dayOfText = (date: string) => Date.parse(date) / 86_400_000;
const monthOf = ({ date }: { readonly date: string }) => date.slice(0, 7);
/** A cost in the unit of budgets and bids. */
const minor = (cost: number, plan: Plan) => cost * 10 ** plan.decimals;

/** The figures that are sums; amounts in minor units, so that they add up exactly. */
function summed(rows: readonly AdMetrics[]): Record<string, number> {
  const all = Object.keys(rows[0]!) as (keyof AdMetrics)[];
  const names = all.filter((name) => typeof rows[0]![name] === 'number');
  assert.equal(names.length, 13);
  const summedOf = (name: keyof AdMetrics) =>
    sum(rows, (row) => Math.round(Number(row[name]) * 100));
  return Object.fromEntries(names.map((name) => [name, summedOf(name)]));
}

describe('the simulated advertising', slow, () => {
  deepTest('months are plausible: ACOS, TACOS, CPC, CTR, and fewer units than ordered', () => {
    for (const plan of advertised) {
      const totals = factsOf(plan, 'traffic').filter((row) => row.sku === undefined);
      const ofMonths = Map.groupBy(totals, monthOf);
      const campaigns = factsOf(plan, 'campaignDays');
      for (const [month, rows] of Map.groupBy(campaigns, monthOf)) {
        const what = `of ${plan.channelId} in ${month}`;
        between(ratio(rows, 'cost', 'sales'), 0.15, 0.5, `ACOS ${what}`);
        between(ratio(rows, 'clicks', 'impressions'), 0.0025, 0.01, `CTR ${what}`);
        const sold = ofMonths.get(month);
        if (sold === undefined) continue;
        between(ratio(rows, 'cost', sum(sold, 'orderedRevenue')), 0.05, 0.15, `TACOS ${what}`);
      }
      const cpc = ratio(campaigns, 'cost', 'clicks') / plan.perDollar;
      between(cpc, 0.5, 1.6, `${plan.channelId} CPC in dollars`);
      if (!plan.hasTraffic) continue;
      for (const day of daysOf(plan).slice(-plan.orderDays))
        assert.ok(sum(day.campaignDays, 'units') <= day.traffic.at(-1)!.orderedUnits);
    }
  });

  deepTest('ad groups add up to their campaign on every day, in every metric', () => {
    for (const plan of plans) {
      for (const day of daysOf(plan)) {
        const ofCampaign = Map.groupBy(day.adGroupDays, (row) => row.campaignId);
        assert.equal(ofCampaign.size, day.campaignDays.length, plan.channelId);
        for (const { date, campaignId, adType, ...figures } of day.campaignDays) {
          const own = ofCampaign.get(campaignId)!;
          assert.ok(own.every((row) => row.adType === adType && row.date === date));
          assert.deepEqual(summed(own), summed([figures]), `${campaignId} ${date}`);
        }
      }
    }
  });

  deepTest('keywords add up to their ad group on every day of late; display has none', () => {
    for (const plan of plans) {
      const campaigns = campaignsOf(plan, anchorDay);
      const ofAdGroups = keywordsOf(plan, offersOf(plan), campaigns, anchorDay);
      const rows = keywordRows(plan, campaigns, ofAdGroups);
      const known = new Map(rows.map((row) => [row.keywordId, row]));
      assert.equal(known.size, rows.length, plan.channelId);
      const days = daysOf(plan).filter((day) => day.keywordDays.length > 0);
      assert.equal(days.length > 180, plan.adShare > 0, plan.channelId);
      for (const day of days) {
        const ofAdGroup = Map.groupBy(day.keywordDays, (row) => row.adGroupId);
        for (const { date, adGroupId, campaignId, adType, ...figures } of day.adGroupDays) {
          const own = ofAdGroup.get(adGroupId) ?? [];
          assert.equal(own.length > 0, adType !== 'SD' && figures.impressions > 0);
          if (own.length === 0) continue;
          assert.deepEqual(summed(own), summed([figures]), `${adGroupId} ${date}`);
          for (const row of own) {
            const { adGroupId: parent, status } = known.get(row.keywordId)!;
            assert.deepEqual([row.campaignId, row.adType, row.date], [campaignId, adType, date]);
            assert.equal(parent, adGroupId);
            assert.ok(row.clicks >= row.conversions && row.impressions >= row.clicks);
            if (status === 'paused') assert.ok(dayOfText(date) < anchorDay - 40);
          }
        }
      }
      const ofKeywords = Map.groupBy(factsOf(plan, 'keywordDays', days), (row) => row.keywordId);
      for (const [keywordId, own] of ofKeywords) {
        const overBid = ratio(own, 'cost', 'clicks') / known.get(keywordId)!.bid;
        if (sum(own, 'clicks') > 50) between(overBid, 0.5, 1.1, `${keywordId}: click over bid`);
      }
    }
  });

  deepTest('advertised products add up to the campaigns of their ad type on every day', () => {
    for (const day of plans.flatMap(daysOf)) {
      const ofCampaigns = Map.groupBy(day.campaignDays, (row) => row.adType);
      const ofProducts = Map.groupBy(day.adProductDays, (row) => row.adType);
      assert.equal(ofProducts.size, ofCampaigns.size);
      for (const [adType, rows] of ofProducts)
        assert.deepEqual(summed(rows), summed(ofCampaigns.get(adType)!), adType);
    }
  });

  deepTest('new customers come from Sponsored Brands and Display, never Sponsored Products', () => {
    for (const plan of advertised) {
      const all = factsOf(plan, 'campaignDays');
      const rows = Map.groupBy(all, (row) => row.adType);
      assert.deepEqual([...rows.keys()].sort(), ['SB', 'SD', 'SP']);
      const fresh = sum(rows.get('SP')!, (row) => row.ordersNtb + row.unitsNtb + row.salesNtb);
      assert.equal(fresh, 0);
      const share = (of: 'SB' | 'SD') => ratio(rows.get(of)!, 'ordersNtb', 'conversions');
      between(share('SB'), 0.5, 0.75, `${plan.channelId} SB`);
      between(share('SD'), 0.22, 0.48, `${plan.channelId} SD`);
      for (const row of all) {
        assert.ok(row.unitsNtb <= row.units && row.salesNtb <= row.sales);
        assert.ok(row.unitsSameSku <= row.units && row.conversions <= row.clicks);
      }
    }
  });

  deepTest('campaigns run within their dates; those of past holidays are archived', () => {
    for (const plan of plans) {
      const campaigns = campaignsOf(plan, anchorDay);
      if (plan.adShare === 0) {
        assert.deepEqual(campaigns, []);
        continue;
      }
      const byId = new Map(campaigns.map((campaign) => [campaign.campaignId, campaign]));
      const groups = campaigns.flatMap(({ adGroups }) => adGroups);
      const groupIds = groups.map(({ adGroupId }) => adGroupId);
      assert.equal(byId.size, campaigns.length);
      assert.equal(new Set(groupIds).size, groupIds.length);
      assert.ok([...byId.keys(), ...groupIds].every((id) => /^[1-9]\d{14}$/.test(id)));
      const statuses = new Set(campaigns.map(({ status }) => status));
      assert.deepEqual([...statuses].sort(), ['active', 'archived', 'paused'], plan.channelId);
      for (const { campaignId, date } of factsOf(plan, 'campaignDays')) {
        const { startDay, lastDay } = byId.get(campaignId)!;
        between(dayOfText(date), startDay, lastDay, `${campaignId} on ${date}`);
      }
      for (const { adType, name, endDay, ...campaign } of campaigns) {
        const { targetingType, biddingStrategy, costType, status, adGroups } = campaign;
        assert.ok(name.startsWith(`${adType} | `) && adGroups.length > 0);
        assert.equal(targetingType !== undefined && biddingStrategy !== undefined, adType === 'SP');
        assert.ok(costType === 'cpc' || adType === 'SD');
        assert.equal(endDay !== undefined, name.includes('Holiday'));
        assert.equal(status === 'archived', endDay !== undefined && endDay < anchorDay);
      }
    }
  });

  deepTest('budgets cover an average day, and bids cover a click', () => {
    for (const plan of plans) {
      const ofCampaign = Map.groupBy(factsOf(plan, 'campaignDays'), (row) => row.campaignId);
      const ofAdGroup = Map.groupBy(factsOf(plan, 'adGroupDays'), (row) => row.adGroupId);
      for (const { name, campaignId, adType, adGroups, ...terms } of campaignsOf(plan, anchorDay)) {
        const rows = ofCampaign.get(campaignId)!;
        const days = terms.budgetType === 'daily' ? rows.length : 1;
        const spent = minor(ratio(rows, 'cost', terms.budget * days), plan);
        between(spent, 0.05, 1, `${name} of ${plan.channelId}: spend over budget`);
        for (const { adGroupId, defaultBid } of adGroups) {
          const click = minor(ratio(ofAdGroup.get(adGroupId)!, 'cost', 'clicks'), plan);
          between(click / defaultBid, 0.5, 1.05, `${name}: click over bid`);
        }
        const offered = adGroups.flatMap(({ offerIndexes }) => offerIndexes);
        const own = adType === 'SP' ? new Set(offered).size : productsOf(adType, plan.advertised);
        assert.equal(offered.length, own);
      }
    }
  });
});

describe('the searches of shoppers', slow, () => {
  const searched = plans.filter(({ marketplace }) => marketplace === 'primarymkt');
  const [metrics, totals] = [
    ['impressions', 'clicks', 'cartAdds', 'purchases'],
    ['totalImpressions', 'totalClicks', 'totalCartAdds', 'totalPurchases'],
  ] as const;

  deepTest('channels of the primary marketplace have them for all whole months', () => {
    for (const plan of plans.filter((one) => !searched.includes(one)))
      assert.deepEqual(searchQueryRows(plan, anchorDay), []);
    const brands = new Set(plans.flatMap((plan) => productRows(plan).map(({ brand }) => brand)));
    for (const plan of searched) {
      const rows = searchQueryRows(plan, anchorDay);
      assert.deepEqual(searchQueryRows(plan, anchorDay), rows);
      const ofMonths = Map.groupBy(rows, ({ month }) => month);
      const months = [...ofMonths.keys()];
      const expected = plan === us ? [25, '2023-12', '2025-12'] : [14, '2024-11', '2025-12'];
      assert.deepEqual([months.length, months[0], months.at(-1)], expected);
      const prices = new Map(productRows(plan).map(({ productId, price }) => [productId, price]));
      for (const ofMonth of ofMonths.values()) {
        const byProduct = Map.groupBy(ofMonth, ({ asin }) => asin);
        assert.equal(byProduct.size, Math.min(12, plan.products));
        for (const [asin, own] of byProduct) {
          between(own.length, 6, 10, `queries of ${asin}`);
          assert.equal(new Set(own.map(({ searchQuery }) => searchQuery)).size, own.length);
          assert.ok(prices.has(asin));
        }
      }
      for (const row of rows) assertFunnel(plan, row, prices.get(row.asin)!);
      const searches = Map.groupBy(rows, ({ month, searchQuery }) => `${month} ${searchQuery}`);
      for (const [search, own] of searches)
        for (const [place, name] of totals.entries()) {
          const all = new Set(own.map((row) => row[name]));
          assert.equal(all.size, 1, `${search}: products disagree about ${name}`);
          const part = sum(own, metrics[place]!);
          assert.ok(part <= own[0]![name], `${search}: ${name} of all products`);
        }
      for (const [searchQuery, own] of Map.groupBy(rows, (row) => row.searchQuery)) {
        const perMonth = new Map(own.map(({ month, totalClicks }) => [month, totalClicks]));
        const part = ratio(own, 'clicks', sum([...perMonth.values()], Number));
        const [first] = searchQuery.split(' ');
        const isOwn = brands.has(first!.replace(/^./, (letter) => letter.toUpperCase()));
        const [least, most] = isOwn ? [0.4, 0.75] : [0.004, 0.15];
        between(part, least!, most!, `${searchQuery}: share of clicks`);
      }
    }
  });

  /** Expects fewer at every step of a search, and prices near that of the product. */
  function assertFunnel(plan: Plan, row: SearchQueryRow, price: number): void {
    const what = `${plan.channelId} ${row.month} ${row.searchQuery}`;
    const { impressions, clicks, cartAdds, purchases, searchQueryVolume } = row;
    assert.ok(purchases <= cartAdds && cartAdds <= clicks && clicks < impressions, what);
    assert.ok(row.totalPurchases <= row.totalCartAdds && row.totalCartAdds < row.totalClicks, what);
    assert.ok(row.totalClicks < searchQueryVolume, what);
    assert.ok(searchQueryVolume < row.totalImpressions, what);
    assert.ok(impressions <= searchQueryVolume, `${what}: no search shows a product twice`);
    assert.equal(row.medianClickPrice, price);
    assert.equal(row.medianPurchasePrice !== undefined, purchases > 0);
    between(row.medianPurchasePrice ?? price, 0.94 * price, price, `${what}: price`);
    between(row.totalMedianPurchasePrice / price, 0.4, 1.1, `${what}: price of the market`);
  }

  deepTest('they lead to about half of the sales and follow the seasons', () => {
    for (const [channelId, pack, socks] of [
      ['northwind-us', 'day pack', 'hiking socks'],
      ['northwind-de', 'tagesrucksack herren', 'wandersocken'],
    ] as const) {
      const plan = planOf(channelId);
      const rows = searchQueryRows(plan, anchorDay).filter(({ month }) => month >= '2025-01');
      const asins = new Set(rows.map(({ asin }) => asin));
      const traffic = factsOf(plan, 'traffic').filter(({ date }) => date.startsWith('2025'));
      const sold = traffic.filter(({ productId }) => asins.has(productId ?? ''));
      const bought = ratio(rows, 'purchases', sum(sold, 'orderedUnits'));
      between(bought, 0.3, 0.6, `${channelId}: purchases over units sold`);
      const volume = (query: string, month: string) =>
        rows.find((row) => row.searchQuery === query && row.month === month)!.searchQueryVolume;
      assert.ok(volume(pack, '2025-07') > 1.5 * volume(pack, '2025-02'));
      assert.ok(volume(socks, '2025-12') > 1.5 * volume(socks, '2025-06'));
    }
  });
});
