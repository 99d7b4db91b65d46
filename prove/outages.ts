import { setTimeout as wait } from 'node:timers/promises';
import { median } from '../bench/measure.ts';
import { type Customer, freshService, makeCustomer, type Service } from '../test/service.ts';
import { type DelayProxy, startDelayProxy } from './delayProxy.ts';
import { load } from './machine.ts';
import { amountOf, type Extent, type Finding, found } from './promise.ts';
import { type ServerKind, Servers } from './servers.ts';

/** How a server is lost. */
type Way = 'stopped' | 'frozen' | 'slow';

/** Milliseconds of single answers and of returns, over all rounds. */
type Times = {
  /** Answers while the server is away. */
  readonly answers: number[];
  /** From the server's loss until readiness says so. */
  readonly noticed: number[];
  /** From the server's return until readiness, a read and an import succeed. */
  readonly returned: number[];
  /** Answers with a status that the promise does not allow. */
  readonly wrong: string[];
};

const ways: readonly Way[] = ['stopped', 'frozen', 'slow'];
const kinds: readonly ServerKind[] = ['clickhouse', 'postgres', 'redis'];
const roundsInFull = 5;
/** The delay of each piece by a slow server. */
export const slowMilliseconds = 10_000;
/** The longest time of an answer. */
export const answerMillisecondsMax = 2_000;
/** The longest time from the return of a server until all is well. */
export const returnMillisecondsMax = 5_000;
/** The longest wait for a return. */
export const givenUpMilliseconds = 60_000;
const pollMilliseconds = 50;
const questionsPerOutage = 4;

/** The status of a request, 0 without an answer, and how long it took in milliseconds. */
export async function timed(work: () => Promise<number>): Promise<[status: number, took: number]> {
  const begun = performance.now();
  const status = await work().catch(() => 0);
  return [status, performance.now() - begun];
}

/** The status of a request, once its answer has been read. */
export async function statusOf(
  service: Service,
  ...request: Parameters<Service['ask']>
): Promise<number> {
  const response = await service.ask(...request);
  await response.text();
  return response.status;
}

class Outages {
  readonly #service: Service;
  readonly #tenant: Customer;
  readonly #kind: ServerKind;
  readonly #servers: Servers;
  readonly #proxy: DelayProxy;

  constructor(
    service: Service,
    tenant: Customer,
    kind: ServerKind,
    servers: Servers,
    proxy: DelayProxy,
  ) {
    this.#service = service;
    this.#tenant = tenant;
    this.#kind = kind;
    this.#servers = servers;
    this.#proxy = proxy;
  }

  /** A report of a range that was never requested, so that no cached answer serves it. */
  readonly read = (): Promise<number> => {
    const { channelId, merchantId, key } = this.#tenant;
    const fromDate = 1_740_787_200 + Math.floor(Math.random() * 10_000_000);
    const reportOptions = { fromDate, toDate: fromDate + 86_400, timezone: 'UTC' };
    const body = { channelId, merchantId, reportOptions };
    return statusOf(this.#service, 'POST', '/reports/view/salesByPeriod', body, {
      'x-api-key': key,
    });
  };

  readonly importRow = (): Promise<number> =>
    statusOf(
      this.#service,
      'POST',
      `/operator/imports/traffic?channelId=${this.#tenant.channelId}`,
      '{"date":"2025-03-01","pageViews":1}',
      { authorization: this.#service.authorization, 'content-type': 'application/x-ndjson' },
    );

  readonly ready = (): Promise<number> => statusOf(this.#service, 'GET', '/readyz');

  async #lose(way: Way): Promise<void> {
    if (way === 'stopped') await this.#servers.kill(this.#kind);
    else if (way === 'frozen') this.#servers.signal(this.#kind, 'SIGSTOP');
    else this.#proxy.delayMilliseconds = slowMilliseconds;
  }

  async #regain(way: Way): Promise<void> {
    if (way === 'stopped') await this.#servers.restart(this.#kind);
    else if (way === 'frozen') this.#servers.signal(this.#kind, 'SIGCONT');
    else this.#proxy.delayMilliseconds = 0;
  }

  async #until(work: () => Promise<number>, status: number): Promise<number> {
    const begun = performance.now();
    while ((await work().catch(() => 0)) !== status) {
      if (performance.now() - begun > givenUpMilliseconds) break;
      await wait(pollMilliseconds);
    }
    return performance.now() - begun;
  }

  /** One outage. Without Redis the service must answer as before; imports need all others. */
  async round(way: Way, times: Times): Promise<void> {
    const isRedis = this.#kind === 'redis';
    // Without PostgreSQL, a question of a known key still gets the right answer.
    const expected = { redis: [200], clickhouse: [503], postgres: [200, 503] };
    const isRight = (name: string, status: number) =>
      name === 'read' ? expected[this.#kind].includes(status) : status === 503;
    await this.#lose(way);
    try {
      const noticing = isRedis ? Promise.resolve(0) : this.#until(this.ready, 503);
      for (let count = 0; count < questionsPerOutage; count++) {
        const both = { read: this.read, import: this.importRow };
        for (const [name, ask] of isRedis ? [['read', this.read] as const] : Object.entries(both)) {
          const [status, took] = await timed(ask);
          times.answers.push(took);
          if (!isRight(name, status)) times.wrong.push(`${way}: ${name} answered ${status}`);
        }
      }
      times.noticed.push(await noticing);
      if (isRedis && (await this.ready()) !== 200) times.wrong.push(`${way}: not ready`);
    } finally {
      await this.#regain(way);
    }
    const begun = performance.now();
    await Promise.all(
      [this.ready, this.read, this.importRow].map((work) => this.#until(work, 200)),
    );
    times.returned.push(performance.now() - begun);
  }
}

/** Loses a server of a store in every way. */
export async function measureOutage(kind: ServerKind, extent: Extent): Promise<Finding> {
  const servers = await Servers.start(kind === 'redis' ? kinds : ['clickhouse', 'postgres']);
  const proxy = await startDelayProxy(servers.urlOf(kind));
  const variables = { clickhouse: 'CLICKHOUSE_URL', postgres: 'DATABASE_URL', redis: 'REDIS_URL' };
  await using service = await freshService({
    ...servers.settings,
    [variables[kind]]: proxy.url,
    VITRINE_SILENCE_MILLISECONDS: '1200',
  });
  try {
    const tenant = await makeCustomer(service, 'outage');
    const outages = new Outages(service, tenant, kind, servers, proxy);
    await outages.importRow();
    await outages.read();
    const shown: string[] = [];
    let isKept = true;
    for (const way of ways) {
      const times: Times = { answers: [], noticed: [], returned: [], wrong: [] };
      for (let round = 0; round < amountOf(extent, roundsInFull, 1); round++) {
        await outages.round(way, times);
        extent.say(`${kind} ${way} ${round + 1} times: ${textOf(times)}`);
      }
      shown.push(`${way} ${textOf(times)}`);
      isKept &&=
        times.wrong.length === 0 &&
        Math.max(...times.answers) <= answerMillisecondsMax &&
        Math.max(...times.returned) <= returnMillisecondsMax;
    }
    return found(isKept, `${shown.join('; ')} (median and maximum; load ${load()})`);
  } finally {
    proxy.close();
    await servers.stop();
  }
}

function textOf({ answers, noticed, returned, wrong }: Times): string {
  const of = (list: readonly number[]) =>
    `${(median(list) / 1_000).toFixed(2)} and ${(Math.max(...list) / 1_000).toFixed(2)} s`;
  const others = wrong.length === 0 ? '' : `, ${wrong.length} wrong (${wrong[0]})`;
  return `answered in ${of(answers)}, not ready after ${of(noticed)}, back after ${of(returned)}${others}`;
}
