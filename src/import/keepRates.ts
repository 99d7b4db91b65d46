/**
 * Keeps exchange rates up to date: imports the shipped snapshot at the first start, then the bank's
 * history daily.
 */
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { type Clock, systemClock, type Timer } from '../engine/clock.ts';
import type { Registry } from '../engine/registry.ts';
import type { Warehouse } from '../engine/warehouse.ts';
import { referenceRates } from './documents/rates/referenceRates.ts';
import { downloadHistory, snapshot } from './ecb/history.ts';
import type { Importer } from './importer.ts';
import { newestPublishedDay } from './storedRates.ts';

const dayMilliseconds = 24 * 3_600_000;
/** How recently another node, or the last run of this one, may have updated the rates. */
const recentMilliseconds = 20 * 3_600_000;
const retryMilliseconds = 3_600_000;
/** The bank publishes no rates on weekends and holidays. */
const daysWithoutRatesMax = 5;

/** The services that this work needs. */
export type RatesParts = {
  readonly registry: Registry;
  readonly warehouse: Warehouse;
  readonly importer: Pick<Importer, 'import'>;
  /** Whether the bank's history is downloaded; otherwise only the snapshot is imported. */
  readonly isDaily: boolean;
  /** Logs an error. */
  readonly onError: (error: unknown, text: string) => void;
  /** Downloads the history; from the bank by default. */
  readonly download?: (signal: AbortSignal) => Promise<Readable>;
  readonly clock?: Clock;
};

/**
 * Starts to keep the rates up to date, without waiting for them; `close` stops it, even during an
 * import.
 */
export function keepRates({
  isDaily,
  onError,
  download = downloadHistory,
  clock = systemClock,
  ...stores
}: RatesParts): { readonly close: () => Promise<void> } {
  const closing = new AbortController();
  let timer: Timer | undefined;
  let running: Promise<void>;

  async function update(): Promise<void> {
    const { registry, warehouse, importer } = stores;
    if ((await newestPublishedDay(warehouse)) === undefined)
      await importHistory(importer, createReadStream(snapshot), closing.signal);
    if (!isDaily || (await isRecent(registry, warehouse, clock.now()))) return;
    const history = await download(closing.signal);
    await importHistory(importer, history, closing.signal);
  }

  function run(): Promise<void> {
    let pause = dayMilliseconds;
    return stores.registry
      .withLock('exchangeRates', update)
      .catch((error: unknown) => {
        if (closing.signal.aborted) return;
        pause = retryMilliseconds;
        onError(error, 'the exchange rates could not be brought up to date');
      })
      .finally(() => {
        if (!isDaily || closing.signal.aborted) return;
        timer = clock.after(pause, () => {
          running = run();
        });
        timer.unref();
      });
  }

  running = run();
  return {
    async close() {
      closing.abort();
      timer?.cancel();
      await running;
    },
  };
}

/** Whether a new history was imported shortly before `now`, in epoch milliseconds. */
async function isRecent(
  { records }: Registry,
  warehouse: Warehouse,
  now: number,
): Promise<boolean> {
  const newest = (await newestPublishedDay(warehouse)) ?? 0;
  if (newest < Math.floor(now / dayMilliseconds) - daysWithoutRatesMax) return false;
  const { last } = await records
    .selectFrom('import')
    .select(({ fn }) => fn.max('finishedAt').as('last'))
    .where('dataset', '=', referenceRates.name)
    .where('state', '=', 'done')
    .executeTakeFirstOrThrow();
  return last !== null && now - Number(last) < recentMilliseconds;
}

/** Imports a history. The signal interrupts it; no rate has then changed. */
async function importHistory(
  importer: Pick<Importer, 'import'>,
  history: Readable,
  signal: AbortSignal,
): Promise<void> {
  const interrupt = () => history.destroy(new Error('interrupted'));
  signal.addEventListener('abort', interrupt, { once: true });
  try {
    signal.throwIfAborted();
    await importer.import(
      {
        content: { document: true, kind: referenceRates.name, attributionDays: 14 },
        acceptsMultiDay: false,
        abortOnRejection: true,
      },
      history,
    );
  } finally {
    signal.removeEventListener('abort', interrupt);
  }
}
