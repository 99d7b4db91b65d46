/** The versions that own the days of facts in ClickHouse. */
import assert from 'node:assert/strict';
import { deepTest } from '../../../test/level.ts';
import { queryClickHouse } from '../../../test/servers/clickhouse.ts';
import { day0, land, limits, openWarehouse, row } from '../../../test/warehouse.ts';
import { isoDate } from '../../calendar/period.ts';
import { question } from '../question.ts';
import type { Warehouse } from '../warehouse.ts';
import { openClickhouse } from './warehouse.ts';

const clicks = question<{ channel: number; days: number; clicks: number }>(
  'clicks',
  `SELECT channel, CAST(count(*) AS BIGINT) AS days, CAST(sum(clicks) AS BIGINT) AS clicks
   FROM campaign_day WHERE one_of(channel, {channels:Array(Int32)})
   GROUP BY channel ORDER BY channel`,
);

/** Days on which a campaign has the given clicks. */
function days(places: readonly number[], count: number) {
  const cells = { campaign_id: 'A', clicks: count, currency: 'USD' };
  return {
    campaign_day: places.map((place) => row('campaign_day', { ...cells, day: day0 + place })),
  };
}

const upTo = (count: number) => Array.from({ length: count }, (_, place) => place);

async function seen(warehouse: Warehouse, channels: readonly number[]) {
  const found = await warehouse.read(channels, limits, (ask) => ask(clicks, { channels }));
  return found.map((each) => [each.channel, each.days, each.clicks]);
}

deepTest('every node sees the last version of each day, however many days', async () => {
  const { warehouse, clickhouseUrl, close } = await openWarehouse('served');
  const other = await openClickhouse(clickhouseUrl!, warehouse.stagingFolder);
  const expect = async (channels: readonly number[], rows: readonly (readonly number[])[]) => {
    for (const node of [warehouse, other]) assert.deepEqual(await seen(node, channels), rows);
  };
  const [few, many] = [1, 2].map((channel) => ({ channel, timezone: 'UTC' })) as [never, never];
  try {
    await expect([1, 2], []);
    await land(warehouse, few, days(upTo(40), 1));
    await expect([1, 2], [[1, 40, 40]]);
    for (const place of [3, 5, 39]) await land(other, few, days([place], 10));
    await expect([1], [[1, 40, 67]]);
    // Discarded versions own nothing, although they are later and their rows exist.
    await queryClickHouse(
      clickhouseUrl!,
      `INSERT INTO channel_version (channel, version, import_id, state)
       VALUES (1, 5, 900, 'begun'), (1, 5, 900, 'discarded')`,
    );
    await queryClickHouse(
      clickhouseUrl!,
      `INSERT INTO visible_day (channel, fact, day, version)
       VALUES (1, 'campaign_day', '${isoDate(day0 + 3)}', 5)`,
    );
    await expect([1], [[1, 40, 67]]);
    await land(other, few, days([4], 100));
    await expect([1], [[1, 40, 166]]);
    await land(warehouse, many, days(upTo(2_100), 1));
    for (const place of [0, 2_099]) await land(warehouse, many, days([place], 5));
    await expect([2], [[2, 2_100, 2_108]]);
    await expect(
      [1, 2],
      [
        [1, 40, 166],
        [2, 2_100, 2_108],
      ],
    );
    await warehouse.deleteFacts(1);
    await expect([1, 2], [[2, 2_100, 2_108]]);
  } finally {
    await other.close();
    await close();
  }
});
