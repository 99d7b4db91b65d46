/**
 * Kills the service repeatedly while it imports, and checks its stores: every acknowledged import
 * must be complete, and none may be partial. `node test/kill.ts [kills=30]`
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Service, startService } from './service.ts';

/** The results of a run of kills. */
export type Tally = {
  kills: number;
  acknowledged: number;
  /** Imports that were not acknowledged but have become facts all the same, as they may. */
  landedUnheard: number;
  /** Acknowledged imports that are not there any more. */
  lost: number;
  /** Answers that no whole number of imports explains, or that differ from one way of adding up to another. */
  torn: number;
  /** Import records that are still marked as running, and files without use. */
  left: number;
};

const channelId = 'killed';
const merchantId = 'A1MERCHANT';
const days = ['2025-03-01', '2025-03-02', '2025-03-03'];
const linesPerDay = 400;
const from = Date.parse(`${days[0]}T00:00Z`) / 1000;
const to = from + days.length * 86_400 - 1;
/** Longer than an import takes on a busy machine, so that kills hit every part of it. */
const killAfterMilliseconds = 1200;

type Figures = { readonly sales: number; readonly pageViews: number; readonly adSpend: number };
type Generation = 'orderLines' | 'traffic' | 'campaignDays';
/** For each dataset the last generation that was acknowledged, and the one that may have landed after it. */
type Known = Record<Generation, { sure: number; maybe: number }>;

/** The rows of a generation: every figure of it is made of the generation's number. */
function documentOf(dataset: Generation, generation: number): string {
  const rows = days.flatMap((date): object[] => {
    if (dataset === 'traffic')
      return [
        { date, pageViews: generation },
        { date, sku: 'A', pageViews: generation },
      ];
    if (dataset === 'campaignDays') return [{ date, campaignId: '1', cost: generation }];
    return Array.from({ length: linesPerDay }, (_, line) => ({
      orderId: `${date}-${line}`,
      lineId: '1',
      purchasedAt: Date.parse(`${date}T00:00Z`) / 1000 + line * 200,
      sku: 'A',
      quantity: 1,
      itemPrice: generation,
    }));
  });
  return rows.map((row) => JSON.stringify(row)).join('\n');
}

/** Kills the service the given number of times and returns the results; `say` reports each kill. */
export async function killRepeatedly(
  kills: number,
  say: (line: string) => void = () => undefined,
): Promise<Tally> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-kill-'));
  const tally: Tally = { kills: 0, acknowledged: 0, landedUnheard: 0, lost: 0, torn: 0, left: 0 };
  const known: Known = {
    orderLines: { sure: 0, maybe: 0 },
    traffic: { sure: 0, maybe: 0 },
    campaignDays: { sure: 0, maybe: 0 },
  };
  let generation = 0;
  try {
    let service = await startService(folder);
    const key = await prepare(service);
    while (tally.kills < kills) {
      const isKilled = new AbortController();
      const importing = (Object.keys(known) as Generation[]).map((dataset) =>
        importOn(service, dataset, known, () => ++generation, tally, isKilled.signal),
      );
      await wait(Math.random() * killAfterMilliseconds);
      isKilled.abort();
      await service.kill();
      await Promise.all(importing);
      tally.kills++;
      service = await startService(folder);
      await look(service, key, known, tally, folder);
      say(
        `kill ${tally.kills}: generation ${generation}, ${tally.acknowledged} imports acknowledged, ${tally.lost} lost, ${tally.torn} torn`,
      );
    }
    await service.stop();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return tally;
}

/** An organisation with a channel and a key. */
async function prepare(service: Service): Promise<string> {
  const { organisationId } = await service.operate('POST', '/operator/organisations', {
    name: 'Acme',
  });
  const { userId } = await service.operate('POST', '/operator/users', {
    organisationId,
    email: 'owner@example.com',
    role: 'owner',
  });
  const { key } = await service.operate('POST', '/operator/keys', {
    userId,
    limits: { perSecond: 1000, burst: 1000, perDay: 1_000_000 },
  });
  await service.operate('PUT', `/operator/channels/${channelId}`, {
    organisationId,
    merchantId,
    marketplace: 'primarymkt',
    kind: 'seller',
    countryCode: 'US',
    displayName: 'Killed',
    currency: 'USD',
    timezone: 'UTC',
    hasAdvertisingConnected: true,
  });
  return key;
}

/** Imports one generation after the other until the service is gone. */
async function importOn(
  service: Service,
  dataset: Generation,
  known: Known,
  next: () => number,
  tally: Tally,
  isKilled: AbortSignal,
): Promise<void> {
  for (;;) {
    const generation = next();
    known[dataset].maybe = generation;
    try {
      const response = await service.ask(
        'POST',
        `/operator/imports/${dataset}?channelId=${channelId}`,
        documentOf(dataset, generation),
        {
          authorization: service.authorization,
          'content-type': 'application/x-ndjson',
        },
      );
      const body = await response.text();
      if (response.status !== 200) throw new Error(`${response.status} ${body}`);
      known[dataset].sure = generation;
      tally.acknowledged++;
    } catch (error) {
      if (isKilled.aborted) return;
      throw error;
    }
  }
}

/** Compares the stored facts with the expected ones. */
async function look(
  service: Service,
  key: string,
  known: Known,
  tally: Tally,
  folder: string,
): Promise<void> {
  const store = await view(service, key, 'UTC', []);
  const elsewhere = await view(service, key, 'Asia/Tokyo', []);
  const lines = await view(service, key, 'UTC', ['A']);
  const total = (rows: readonly Figures[], name: keyof Figures) =>
    rows.reduce((sum, row) => sum + row[name], 0);
  const isTorn = [
    // The rollup of days, that of quarters of an hour and the lines themselves.
    total(store, 'sales') !== total(elsewhere, 'sales'),
    JSON.stringify(store.map((row) => row.sales)) !== JSON.stringify(lines.map((row) => row.sales)),
    // The whole store's traffic and that of its one product came in one document.
    JSON.stringify(store.map((row) => row.pageViews)) !==
      JSON.stringify(lines.map((row) => row.pageViews)),
    store.length !== days.length,
    ...(['sales', 'pageViews', 'adSpend'] as const).map(
      (name) => new Set(store.map((row) => row[name])).size > 1,
    ),
  ];
  tally.torn += isTorn.filter(Boolean).length;
  const found: Record<Generation, number> = {
    orderLines: store[0]!.sales / linesPerDay,
    traffic: store[0]!.pageViews,
    campaignDays: store[0]!.adSpend,
  };
  for (const [dataset, generation] of Object.entries(found) as [Generation, number][]) {
    const { sure, maybe } = known[dataset];
    if (generation === sure) continue;
    if (generation === maybe) {
      known[dataset].sure = generation;
      tally.landedUnheard++;
    } else if (Number.isInteger(generation)) tally.lost++;
    else tally.torn++;
  }
  tally.left += readdirSync(join(folder, 'staging')).length;
  const { datasets } = await service.operate('GET', `/operator/freshness?channelId=${channelId}`);
  const newest = Math.max(
    0,
    ...datasets.map(
      (dataset: { lastImport: { importId: number } | null }) => dataset.lastImport?.importId ?? 0,
    ),
  );
  // The imports of this round are the newest there are; a few numbers further there is none.
  for (let importId = Math.max(1, newest - 20); importId <= newest + 10; importId++) {
    const response = await service.ask('GET', `/operator/imports/${importId}`, undefined, {
      authorization: service.authorization,
    });
    if (
      response.status === 200 &&
      ((await response.json()) as { state: string }).state === 'running'
    )
      tally.left++;
  }
}

async function view(
  service: Service,
  key: string,
  timezone: string,
  sellerSkus: string[],
): Promise<Figures[]> {
  const reportOptions = { fromDate: from, toDate: to, timezone };
  const response = await service.ask(
    'POST',
    '/reports/view/salesByPeriod',
    { channelId, merchantId, reportOptions, sellerSkus },
    { 'x-api-key': key },
  );
  const body = (await response.json()) as { formattedChartData: Record<string, string | number>[] };
  if (response.status !== 200) throw new Error(JSON.stringify(body));
  return body.formattedChartData.map((row) => ({
    sales: Number(row.sales),
    pageViews: Number(row.pageViews),
    adSpend: Number(row.adSpend),
  }));
}

if (import.meta.main) {
  const tally = await killRepeatedly(Number(process.argv[2] ?? 30), console.error);
  console.log(
    `${tally.kills} kills: ${tally.lost} lost, ${tally.torn} torn, ${tally.left} left behind, ${tally.acknowledged} imports acknowledged, ` +
      `${tally.landedUnheard} landed without their answer being heard`,
  );
  if (tally.lost + tally.torn + tally.left > 0) process.exitCode = 1;
}
