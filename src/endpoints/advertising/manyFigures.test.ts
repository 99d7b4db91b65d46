/** Lists with more figures than memory caches: a question adds them up, filters and sorts. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { onOnePair, type Tenant } from '../../../test/harness.ts';
import { importRows } from '../../../test/imports.ts';
import { assertShown, importFacts } from '../../../test/world.ts';

// More figures a day than memory caches, so a question adds them up.
const keywords = 1_200;
const days = Array.from({ length: 14 }, (_, day) => `2025-03-${String(day + 1).padStart(2, '0')}`);
const idOf = (place: number) => String(1_000 + place);

onOnePair('Keywords with more figures than memory caches', (world) => {
  let tenant: Tenant;
  const page = async (query: string, lastOfMarch = 11) => {
    const from = Date.UTC(2025, 2, 2) / 1000;
    const range = `fromDate=${from}&toDate=${Date.UTC(2025, 2, lastOfMarch + 1) / 1000 - 1}`;
    const path = `/advertising/keywords?channelId=${tenant.channelId}&${range}&${query}`;
    const { status, body } = await world().ask(tenant.key, 'GET', path);
    assert.equal(status, 200, JSON.stringify(body));
    return body as { data: Record<string, unknown>[]; pagination: { count: number } };
  };

  before(async () => {
    tenant = await world().tenant({ channel: { timezone: 'UTC', currency: 'USD' } });
    const all = Array.from({ length: keywords }, (_, place) => place);
    const ofDay = (date: string) =>
      all.map((place) => ({
        date,
        keywordId: idOf(place),
        clicks: 2,
        impressions: place,
        cost: (place === 0 ? 50 : place / 100).toFixed(2),
        ...(place === 0 && { currency: 'EUR' }),
      }));
    await importFacts(world(), tenant.channelId, {
      campaigns: [{ campaignId: '1', name: 'Spring' }],
      keywords: all.map((place) => ({
        keywordId: idOf(place),
        campaignId: '1',
        adGroupId: '2',
        bid: '0.5',
        keywordText: `word ${place}`,
        status: place % 2 === 0 ? 'active' : 'paused',
      })),
      // A keyword costs its place in cents a day; of the first it is euros.
      keywordDays: days.flatMap(ofDay),
    });
    await importRows(world(), 'exchangeRates', undefined, [
      { date: '2025-03-01', currency: 'USD', perEuro: 1.2 },
      { date: '2025-03-07', currency: 'USD', perEuro: 1.1 },
    ]);
  });

  test('200: the ten days of a range are added up, and sorted by what they cost', async () => {
    const { data, pagination } = await page('sortKey=cost&pageSize=3');
    assert.equal(pagination.count, keywords);
    // Of the first five days at 1.2 and five at 1.1.
    assertShown(data)`
      keyword_id,       cost,  clicks, keyword_text, bid
      "${idOf(0)}",     575,   20,     word 0,       0.5
      "${idOf(1199)}",  119.9, 20,     word 1199,    0.5
      "${idOf(1198)}",  119.8, 20,     word 1198,    0.5
    `;
    assert.equal(data[0]!.campaign_name, 'Spring');
  });

  test('200: filters and further pages', async () => {
    const paused = 'status=paused&sortKey=impressions&sortOrder=asc';
    const { data, pagination } = await page(`${paused}&pageSize=2&pageIndex=1`);
    assert.equal(pagination.count, keywords / 2);
    assertShown(data)`
      keyword_id,   impressions, keyword_status
      "${idOf(5)}", 50,          paused
      "${idOf(7)}", 70,          paused
    `;
  });

  test('200: a keyword that only figures name is listed with what they name', async () => {
    const ids = { keywordId: '9', campaignId: '1', adGroupId: '7' };
    const stranger = { date: '2025-03-20', ...ids, cost: '500' };
    await importRows(world(), 'keywordDays', tenant.channelId, [stranger]);
    const { data, pagination } = await page('sortKey=cost&pageSize=2', 20);
    assert.equal(pagination.count, keywords + 1);
    // Of the first five days at 1.2 and eight at 1.1.
    assertShown(data)`
      keyword_id,   cost, ad_group_id, campaign_name
      "${idOf(0)}", 740,  "2",         Spring
      "9",          500,  "7",         Spring
    `;
  });
});
