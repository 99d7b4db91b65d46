/** The stock of stores, from their inventory replenishment reports. */

import pLimit from 'p-limit';
import { parse } from 'papaparse';
import { withoutMark } from '../../contract/spreadsheets.ts';
import { type Ask, askFile } from '../client.ts';
import { Refused } from '../refused.ts';
import type { Day } from '../view/days.ts';
import { numberOf } from '../view/format.ts';
import type { Store } from '../view/stores.tsx';

/** A SKU that the marketplace ships, with its stock. */
export type Stock = {
  readonly store: Store;
  readonly sku: string;
  readonly asin: string;
  readonly title: string;
  /** Units that can be sold now. */
  readonly available: number | undefined;
  /** Units on their way. */
  readonly inbound: number;
  /** Units sold in a day. */
  readonly perDay: number | undefined;
  readonly daysCover: number | undefined;
  readonly stockOut: Day | undefined;
  readonly reorder: Day | undefined;
  readonly units: number;
  readonly cases: number | undefined;
};

/** The stock of a store, or why it could not be read. */
export type StoreStock = {
  readonly store: Store;
  readonly stock: readonly Stock[];
  readonly problem: Refused | undefined;
};

/** Reports that are created at the same time. */
const reportsAtOnce = 3;
const firstWaitMilliseconds = 250;
const waitMillisecondsMax = 3_000;

/** Reads the stock of stores; one that cannot be read does not affect the others. */
export async function readStock(
  stores: readonly Store[],
  ask: Ask,
  signal: AbortSignal,
): Promise<readonly StoreStock[]> {
  const limit = pLimit(reportsAtOnce);
  return await Promise.all(
    stores.map((store) =>
      limit(async () => {
        try {
          return {
            store,
            stock: stockOf(store, await readReport(store, ask, signal)),
            problem: undefined,
          };
        } catch (error) {
          if (!(error instanceof Refused) || signal.aborted) throw error;
          return { store, stock: [], problem: error };
        }
      }),
    ),
  );
}

async function readReport(
  { channelId, merchantId }: Store,
  ask: Ask,
  signal: AbortSignal,
): Promise<string> {
  const channel = { channelId, merchantId };
  const { reportId } = await ask('createInventoryReplenishmentReport', channel);
  for (let wait = firstWaitMilliseconds; ; wait = Math.min(wait * 1.5, waitMillisecondsMax)) {
    const answer = await ask('readReportStatus', { reportId });
    if (answer.downloadUrl !== undefined) return await askFile(answer.downloadUrl, signal);
    if (answer.status === 'errored')
      throw new Refused(0, answer.error ?? 'The report could not be made. Try again.');
    await new Promise((resolve) => setTimeout(resolve, wait));
    signal.throwIfAborted();
  }
}

function stockOf(store: Store, csv: string): Stock[] {
  const { data } = parse<Readonly<Record<string, string>>>(csv, {
    header: true,
    skipEmptyLines: true,
  });
  return data.map((row) => {
    const number = (name: string) => numberOf(row[name]);
    const text = (name: string) => withoutMark(row[name] ?? '');
    const rates = ['dailySales30', 'dailySales60', 'dailySales90'].map(number);
    return {
      store,
      sku: text('sku'),
      asin: text('asin'),
      title: text('productName'),
      available: number('available'),
      inbound: (number('inboundQuantity') ?? 0) + (number('awdInboundQuantity') ?? 0),
      perDay: rates.find((rate) => rate) ?? rates.find((rate) => rate === 0),
      daysCover: number('daysCover'),
      stockOut: row.projectedOOSDate || undefined,
      reorder: row.estimatedReorderDate || undefined,
      units: number('replenUnits') ?? 0,
      cases: number('replenCases'),
    };
  });
}
