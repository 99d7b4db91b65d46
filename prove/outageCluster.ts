/**
 * One of three servers of ClickHouse that is killed, frozen, slow, half open or flapping: the
 * others answer for their stores, and requests that need the lost one are refused. Each way must
 * look like a kill.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { median } from '../bench/measure.ts';
import { type Cluster, startCluster } from '../test/cluster.ts';
import { type Customer, connect, makeCustomer, type Service } from '../test/service.ts';
import { type DelayProxy, startDelayProxy } from './delayProxy.ts';
import { importRows } from './importRows.ts';
import { load } from './machine.ts';
import {
  answerMillisecondsMax,
  givenUpMilliseconds,
  returnMillisecondsMax,
  slowMilliseconds,
  statusOf,
  timed,
} from './outages.ts';
import { amountOf, type Extent, type Finding, found } from './promise.ts';
import { signalTree } from './servers.ts';

/** How the server is lost. */
type Way = 'killed' | 'frozen' | 'slow' | 'half open' | 'flapping';

/** The statuses of requests while the server is away, by their names, and how long they take. */
type Seen = { readonly statuses: Map<string, Set<number>>; readonly times: number[] };

const size = { shards: 3, nodes: 2 };
const stores = 9;
/** The server that is lost. The first has the exchange rates, which all stores need. */
const lost = 1;
const ways: readonly Way[] = ['killed', 'frozen', 'slow', 'half open', 'flapping'];
/** Longer than a request waits, as on a connection whose other end is gone. */
const foreverMilliseconds = 600_000;
const flapMilliseconds = 700;
const roundsInFull = 3;

class Outage {
  readonly #cluster: Cluster;
  readonly #proxy: DelayProxy;
  readonly #tenants: readonly Customer[];
  readonly #key: string;
  #flapping: NodeJS.Timeout | undefined;

  constructor(cluster: Cluster, proxy: DelayProxy, tenants: readonly Customer[], key: string) {
    this.#cluster = cluster;
    this.#proxy = proxy;
    this.#tenants = tenants;
    this.#key = key;
  }

  #signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    signalTree(this.#cluster.clickhouse.servers[lost]!.pid, signal);
  }

  async lose(way: Way): Promise<void> {
    if (way === 'killed') await this.#cluster.clickhouse.servers[lost]!.kill();
    else if (way === 'slow') this.#proxy.delayMilliseconds = slowMilliseconds;
    else if (way === 'half open') this.#proxy.delayMilliseconds = foreverMilliseconds;
    else this.#signal('SIGSTOP');
    if (way !== 'flapping') return;
    let isStopped = true;
    this.#flapping = setInterval(() => {
      isStopped = !isStopped;
      this.#signal(isStopped ? 'SIGSTOP' : 'SIGCONT');
    }, flapMilliseconds);
  }

  async regain(way: Way): Promise<void> {
    clearInterval(this.#flapping);
    this.#proxy.delayMilliseconds = 0;
    if (way === 'killed') await this.#cluster.clickhouse.restart(lost);
    else this.#signal('SIGCONT');
  }

  /** Requests about each store, about all of them, and for readiness, to both nodes. */
  async ask(seen: Seen): Promise<void> {
    const from = 1_740_787_200 + Math.floor(Math.random() * 10_000_000);
    const reportOptions = { fromDate: from, toDate: from + 86_400, timezone: 'UTC' };
    const prior = { priorFromDate: from - 86_400, priorToDate: from - 1 };
    const all = { ...reportOptions, ...prior, interval: 'd', currentCurrency: 'USD' };
    const nodes = this.#cluster.services.slice(0, size.nodes);
    const requests = nodes.flatMap((node, place) => {
      const view = (name: string, path: string, body: object) =>
        note(seen, `${name} of node ${place}`, () =>
          statusOf(node, 'POST', `/reports/view/${path}`, body, { 'x-api-key': this.#key }),
        );
      return [
        ...this.#tenants.map(({ channelId, merchantId }) =>
          view(channelId, 'salesByPeriod', { channelId, merchantId, reportOptions }),
        ),
        view('all stores', 'salesByChannel', all),
        note(seen, `readiness of node ${place}`, () => statusOf(node, 'GET', '/readyz')),
      ];
    });
    await Promise.all(requests);
  }

  /** The milliseconds until every request succeeds again. */
  async untilWell(): Promise<number> {
    const begun = performance.now();
    for (;;) {
      const seen: Seen = { statuses: new Map(), times: [] };
      await this.ask(seen);
      const isWell = [...seen.statuses.values()].every((found) => [...found].join() === '200');
      const took = performance.now() - begun;
      if (isWell || took > givenUpMilliseconds) return took;
      await wait(100);
    }
  }
}

/** Notes the status of a request, and how long it took. */
async function note({ statuses, times }: Seen, name: string, work: () => Promise<number>) {
  const [status, took] = await timed(work);
  times.push(took);
  statuses.set(name, (statuses.get(name) ?? new Set()).add(status));
}

/** One organisation with stores on all servers, and traffic in each. */
async function makeStores(service: Service): Promise<readonly Customer[]> {
  const first = await makeCustomer(service, 'store-0');
  const { organisationId } = await service.operate('GET', '/operator/channels/store-0');
  const tenants = [first];
  for (let place = 1; place < stores; place++) {
    const channelId = `store-${place}`;
    await connect(service, organisationId, channelId);
    tenants.push({ ...first, channelId });
  }
  const rates = [{ date: '2025-02-28', currency: 'USD', perEuro: 1.1 }];
  await importRows(service, 'exchangeRates', undefined, rates);
  for (const { channelId } of tenants)
    await importRows(service, 'traffic', channelId, [{ date: '2025-03-01', pageViews: 1 }]);
  return tenants;
}

const seconds = (milliseconds: number) => `${(milliseconds / 1_000).toFixed(2)} s`;

/** Loses one of three servers of ClickHouse in every way. */
export async function measureOutageCluster(extent: Extent): Promise<Finding> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-outage-'));
  const settings = { VITRINE_SILENCE_MILLISECONDS: '1200' };
  let proxy: DelayProxy | undefined;
  const cluster = await startCluster(folder, size, [], settings, async (urls) => {
    proxy = await startDelayProxy(urls[lost]!);
    return urls.with(lost, proxy.url);
  });
  try {
    const tenants = await makeStores(cluster.services[0]!);
    const outage = new Outage(cluster, proxy!, tenants, tenants[0]!.key);
    await outage.untilWell();
    let killed: Seen['statuses'] | undefined;
    let isKept = true;
    const shown: string[] = [];
    for (const way of ways) {
      const seen: Seen = { statuses: new Map(), times: [] };
      const returned: number[] = [];
      const rounds = amountOf(extent, roundsInFull, 1);
      for (let round = 0; round < rounds; round++) {
        await outage.lose(way);
        for (let count = 0; count < 4; count++) await outage.ask(seen);
        await outage.regain(way);
        returned.push(await outage.untilWell());
      }
      killed ??= seen.statuses;
      const others = [...seen.statuses].filter(
        ([name, found]) => !isLike(killed!.get(name)!, found, way),
      );
      const text = `${way} answered in ${seconds(median(seen.times))} and ${seconds(Math.max(...seen.times))}, back after ${seconds(Math.max(...returned))}`;
      const wrong = others.map(([name, found]) => `${name}: ${[...found].join()}`);
      shown.push(wrong.length === 0 ? text : `${text}, unlike a kill: ${wrong.join('; ')}`);
      extent.say(shown.at(-1)!);
      isKept &&=
        wrong.length === 0 &&
        Math.max(...seen.times) <= answerMillisecondsMax &&
        Math.max(...returned) <= returnMillisecondsMax;
    }
    const refused = [...killed!].filter(([, found]) => found.has(503)).length;
    const without = `${refused} of ${killed!.size} requests need the lost server`;
    return found(isKept, `${without}; ${shown.join('; ')} (median and maximum; load ${load()})`);
  } finally {
    await cluster.stop();
    proxy?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Whether answers are the same as after a kill; a flapping server may also answer between its
 * stops.
 */
function isLike(killed: ReadonlySet<number>, found: ReadonlySet<number>, way: Way): boolean {
  const allowed = way === 'flapping' ? new Set([...killed, 200]) : killed;
  return [...found].every((status) => allowed.has(status));
}
