/** Imports and freshness speak of dates in the channel's time zone. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onOnePair } from '../../../../test/harness.ts';
import { importRows, lines, postImport } from '../../../../test/imports.ts';
import { assertShown } from '../../../../test/world.ts';

/** In each zone: instants around midnight, and the dates of the first and the last of them. */
const zones = {
  'America/Los_Angeles': {
    // 22:30 on the 1st, and the last second of the 3rd.
    instants: ['2025-03-02T06:30:00Z', '2025-03-04T07:59:59Z'],
    dates: ['2025-03-01', '2025-03-03'],
  },
  'Asia/Tokyo': {
    // 0:30 on the 2nd, and 23:59 on it.
    instants: ['2025-03-01T15:30:00Z', '2025-03-02T14:59:00Z'],
    dates: ['2025-03-02', '2025-03-02'],
  },
} satisfies Record<string, Record<'instants' | 'dates', readonly string[]>>;

onOnePair('Dates of imports', (world) => {
  test("imports and freshness have dates in the channel's zone", async () => {
    for (const [timezone, { instants, dates }] of Object.entries(zones)) {
      const { channelId } = await world().tenant({ channel: { timezone, currency: 'USD' } });
      const rowsOf = {
        orderLines: (at: string) => ({ orderId: at, lineId: '1', purchasedAt: at }),
        orders: (at: string) => ({ OrderId: `o${at}`, PurchaseDate: at, Items: [] }),
        financeEvents: (at: string) => ({ eventId: at, postedAt: at, amount: 1 }),
      };
      for (const [dataset, rowOf] of Object.entries(rowsOf)) {
        const rows = instants.map((at): object => rowOf(at));
        const { body } = await importRows(world(), dataset, channelId, rows);
        assert.deepEqual([body.from, body.to], dates, `${timezone} ${dataset}`);
        const record = await world().operate('GET', `/operator/imports/${body.importId}`);
        assert.deepEqual([record.from, record.to], dates);
      }
      await importRows(world(), 'traffic', channelId, [{ date: '2025-03-02', pageViews: 1 }]);
      const fresh = await world().operate('GET', `/operator/freshness?channelId=${channelId}`);
      const [first, last] = dates;
      assertShown(fresh.datasets)`
        dataset,       from,       to
        orders,        ${first},   ${last}
        orderLines,    ${first},   ${last}
        traffic,       2025-03-02, 2025-03-02
        financeEvents, ${first},   ${last}`;

      // The dates that a request says an import covers are the same dates.
      const text = lines(instants.map(rowsOf.orderLines));
      const path = `/operator/imports/orderLines?channelId=${channelId}&from=${first}&to=${first}`;
      const { body } = await postImport(world(), path, text, 'application/x-ndjson');
      const expected = [last === first ? 2 : 1, first, first];
      assert.deepEqual([body.rowsAccepted, body.from, body.to], expected);
    }
  });
});
