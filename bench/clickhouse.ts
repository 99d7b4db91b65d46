/**
 * The cost of interactive questions and small imports in ClickHouse: CPU of its server per request,
 * for a service with the demonstration's facts. Ranges differ from request to request; by default
 * no answers are cached. `node bench/clickhouse.ts [rounds=5] [workingSetMegabytes=0]`
 */
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { plans } from '../demonstration/plans.ts';
import { startClickHouse } from '../test/servers/clickhouse.ts';
import { type Service, startService } from '../test/service.ts';
import { type Ask, requestsOf } from './interactive.ts';
import { cpuOf, median } from './measure.ts';

const [rounds = 5, workingSet = 0] = process.argv.slice(2).map(Number);
const requestsPerRound = 10;
const secondsPerDay = 86_400;
const { channelId, merchantId } = plans[0]!;
const advertised = plans.slice(0, 3).map((plan) => plan.channelId);
const program = fileURLToPath(new URL('../src/cli/vitrine.ts', import.meta.url));
const folder = fileURLToPath(new URL('data/clickhouse/', import.meta.url));
const registry = join(folder, 'registry.sqlite');
/** The day on which the demonstration was made. */
const made = existsSync(registry) ? statSync(registry).birthtimeMs : Date.now();
const today = Math.floor(made / 1000 / secondsPerDay);

/** Thirty days and the thirty before them, different for each request. */
const rangeOf = (place: number) => {
  const toDate = (today - 2 - place) * secondsPerDay - 1;
  const fromDate = toDate + 1 - 30 * secondsPerDay;
  const prior = { priorFromDate: fromDate - 30 * secondsPerDay, priorToDate: fromDate - 1 };
  return { fromDate, toDate, ...prior, timezone: 'UTC' };
};
const all = {
  ...requestsOf({ rangeOf, channelOf: () => ({ channelId, merchantId }), advertised }),
  // Without a comparison.
  'salesByPeriod, days': (place: number) => {
    const { priorFromDate: _, priorToDate: __, ...reportOptions } = rangeOf(place);
    return ['/reports/view/salesByPeriod', { channelId, merchantId, reportOptions }] as const;
  },
};
const names = [
  ...(['salesByPeriod, days', 'advertisingByChannels', 'campaigns', 'adGroups'] as const),
  ...(['products', 'storeProfitAndLoss', 'productProfitAndLoss', 'orders by createdAt'] as const),
  ...(['targets', 'search query performance'] as const),
];

/** Milliseconds of CPU of the server for each unit of `work`, and of time: medians of the rounds. */
async function measured(pid: number, work: (place: number) => Promise<void>) {
  const cpu: number[] = [];
  const took: number[] = [];
  for (let round = -1; round < rounds; round++) {
    const [before, start] = [cpuOf(pid), performance.now()];
    for (let one = 0; one < requestsPerRound; one++)
      await work((round + 1) * requestsPerRound + one);
    // The first round warms caches.
    if (round < 0) continue;
    cpu.push(((cpuOf(pid) - before) / requestsPerRound) * 1000);
    took.push((performance.now() - start) / requestsPerRound);
  }
  return { cpu: median(cpu), took: median(took) };
}

/** Waits for the demonstration, and returns its API key. */
async function keyOf(service: Service): Promise<string> {
  const secrets = join(folder, 'demonstration.env');
  while (!existsSync(secrets)) {
    if (service.log().includes('"level":60')) throw new Error(service.log());
    await delay(200);
  }
  return /KEY=(\S+)/.exec(readFileSync(secrets, 'utf8'))![1]!;
}

mkdirSync(folder, { recursive: true });
const server = await startClickHouse({ directory: join(folder, 'server') });
const stores = { CLICKHOUSE_URL: server.url, VITRINE_WORKING_SET_MEGABYTES: String(workingSet) };
const service = await startService(folder, stores, [program, 'serve', '--demonstration']);
try {
  const key = await keyOf(service);
  // Merges of new parts are not a cost of the questions.
  await delay(20_000);
  const idle = cpuOf(server.pid);
  await delay(5_000);
  console.log(`idle: ${((cpuOf(server.pid) - idle) * 200).toFixed(1)} ms of CPU a second`);
  const print = (name: string, { cpu, took }: { cpu: number; took: number }) =>
    console.log(
      `${name.padEnd(28)} ${cpu.toFixed(0).padStart(5)} ms CPU ${took.toFixed(0).padStart(6)} ms`,
    );
  for (const name of names) {
    const pathOf: Ask = all[name];
    const result = await measured(server.pid, async (place) => {
      const [path, body] = pathOf(place);
      const answer = await service.ask(body ? 'POST' : 'GET', path, body, { 'x-api-key': key });
      const text = await answer.text();
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${text.slice(0, 300)}`);
    });
    print(name, result);
  }
  const imported = await measured(server.pid, async (place) => {
    const lines = Array.from({ length: 20 }, (_, line) =>
      JSON.stringify({
        orderId: `701-${place}-${line}`,
        lineId: '1',
        purchasedAt: new Date((today - 3) * secondsPerDay * 1000 + line * 60_000).toISOString(),
        sku: `SKU-${line}`,
        quantity: 1,
        itemPrice: 10,
        currency: plans[0]!.currency,
        status: 'Shipped',
      }),
    );
    await service.operate(
      'POST',
      `/operator/imports/orderLines?channelId=${channelId}`,
      lines.join('\n'),
      { 'content-type': 'application/x-ndjson' },
    );
  });
  print('an import of 20 order lines', imported);
} finally {
  await service.stop();
  await server.stop();
}
