/** Imports and freshness speak of dates in the channel's time zone. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onOnePair } from '../../../../test/harness.ts';
import { importRows, postImport } from '../../../../test/imports.ts';

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
  test("the dates of imports and of freshness are those of the channel's zone", async () => {
    for (const [timezone, { instants, dates }] of Object.entries(zones)) {
      const { channelId } = await world().tenant({ channel: { timezone, currency: 'USD' } });
      const rowsOf = {
        orderLines: (at: string) => ({ orderId: at, lineId: '1', purchasedAt: at }),
        orders: (at: string) => ({ OrderId: `o${at}`, PurchaseDate: at, Items: [] }),
        financeEvents: (at: string) => ({ eventId: at, postedAt: at, amount: 1 }),
      };
      for (const [dataset, rowOf] of Object.entries(rowsOf)) {
        const { body } = await importRows(
          world(),
          dataset,
          channelId,
          instants.map((at): object => rowOf(at)),
        );
        assert.deepEqual([body.from, body.to], dates, `${timezone} ${dataset}`);
        const kept = await world().operate('GET', `/operator/imports/${body.importId}`);
        assert.deepEqual([kept.from, kept.to], dates);
      }
      await importRows(world(), 'traffic', channelId, [{ date: '2025-03-02', pageViews: 1 }]);
      const fresh = await world().operate('GET', `/operator/freshness?channelId=${channelId}`);
      assert.deepEqual(
        fresh.datasets.map((one: Record<string, unknown>) => [one.dataset, one.from, one.to]),
        [
          ['orders', ...dates],
          ['orderLines', ...dates],
          ['traffic', '2025-03-02', '2025-03-02'],
          ['financeEvents', ...dates],
        ],
      );

      // The dates that an import is asked to cover are the same dates.
      const [first] = dates;
      const lines = instants.map((at) => JSON.stringify(rowsOf.orderLines(at))).join('\n');
      const { body } = await postImport(
        world(),
        `/operator/imports/orderLines?channelId=${channelId}&from=${first}&to=${first}`,
        lines,
        'application/x-ndjson',
      );
      assert.deepEqual(
        [body.rowsAccepted, body.from, body.to],
        [dates[1] === first ? 2 : 1, first, first],
      );
    }
  });
});
