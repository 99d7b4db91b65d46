/**
 * Vitrine beside peers over the same facts, in turn within one run: drizzle-cube on DuckDB,
 * hypequery on ClickHouse and PostGraphile on PostgreSQL, each set up as its documentation
 * describes. First checks that their answers agree. Cube is missing: its packages download their
 * native part and its store from elsewhere than npm, and without them it does not start. `npm run
 * bench:peers [channels=20] [skus=400] [days=730]`
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { fileURLToPath } from 'node:url';
import { startClickHouse } from '../test/servers/clickhouse.ts';
import { startPostgres } from '../test/servers/postgres.ts';
import { freePorts } from '../test/servers/process.ts';
import { type BenchData, benchData } from './data.ts';
import { type Flight, fly, send, treeOf } from './flight.ts';
import { heapFlags, launch, median, type Server, withServers } from './measure.ts';
import { fillClickHouse, fillPostgres, makeDuckdb } from './peers/data.ts';
import {
  drizzleCube,
  hypequery,
  type Peer,
  postgraphile,
  type QuestionName,
  vitrine,
} from './peers/questions.ts';

const rounds = 5;
/** Requests of a round, and how many different ones are repeated when they are warm. */
const requests = { 1: 40, 16: 160, repeated: 20 };
const checked = 20;
const cacheSeconds = 60;
const kibibytesPerMebibyte = 1024;

/** A way to ask one question. `isStale`: its cache may return outdated answers. */
type Variant = Peer & {
  readonly name: string;
  readonly asks: readonly QuestionName[];
  readonly pids: readonly number[];
  readonly isStale?: true;
};
type Kind = 'cold' | 'warm';

/** Installs the peers beside their adapters, with the versions of their lockfile. */
function install(): void {
  const cwd = fileURLToPath(new URL('peers/', import.meta.url));
  const has = (name: string) => existsSync(`${cwd}node_modules/${name}/package.json`);
  if (['drizzle-cube', '@hypequery/serve', 'postgraphile'].every(has)) return;
  console.log('Installing the peers (once) ...');
  const words = ['ci', '--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund'];
  const { status } = spawnSync('npm', words, { cwd, stdio: 'inherit' });
  if (status !== 0) throw new Error('npm could not install the peers');
}

const sums = ['salesSums', 'campaigns'] as const;
const all = ['salesFacts', ...sums] as const;
const stale = { asks: sums, isStale: true } as const;

/** Starts every peer on the data, and passes them to `use`. */
async function withPeers(
  data: BenchData,
  use: (variants: readonly Variant[]) => Promise<void>,
): Promise<void> {
  const database = await makeDuckdb(data);
  const clickhouse = await startClickHouse();
  const postgres = await startPostgres({ settings: ['shared_buffers=512MB', 'work_mem=32MB'] });
  const stops: (() => unknown)[] = [clickhouse.stop, postgres.stop];
  const adapter = async (file: string, words: readonly string[]): Promise<Server> => {
    const { child, ready } = launch(`peers/${file}.mjs`, words, []);
    stops.unshift(() => child.kill('SIGKILL'));
    return ready;
  };
  try {
    await fillClickHouse(clickhouse.url, data);
    await fillPostgres(postgres.url, data);
    const ports = await freePorts(2);
    const hypequeryOf = (place: number, ...words: string[]) =>
      adapter('hypequery', [clickhouse.url, String(ports[place]), ...words]);
    const cached = String(cacheSeconds);
    const [cube, cubeCached, hyper, hyperCached, graph] = [
      await adapter('drizzleCube', [database]),
      await adapter('drizzleCube', [database, cached]),
      await hypequeryOf(0),
      await hypequeryOf(1, cached),
      await adapter('postgraphile', [postgres.url]),
    ];
    const [inClickhouse, inPostgres] = [[clickhouse.pid], [postgres.pid]];
    await withServers(async (start) => {
      const service = await start('service.ts', data.folder, [], heapFlags);
      await use([
        {
          name: 'Vitrine',
          asks: sums,
          pids: [service.pid],
          ...vitrine(service.address, data.key, data),
        },
        { name: 'drizzle-cube', asks: all, pids: [cube.pid], ...drizzleCube(cube.address, data) },
        {
          name: 'drizzle-cube, cache',
          pids: [cubeCached.pid],
          ...stale,
          ...drizzleCube(cubeCached.address, data),
        },
        {
          name: 'hypequery',
          asks: all,
          pids: [hyper.pid, ...inClickhouse],
          ...hypequery(hyper.address, data),
        },
        {
          name: 'hypequery, cache',
          pids: [hyperCached.pid, ...inClickhouse],
          ...stale,
          ...hypequery(hyperCached.address, data),
        },
        {
          name: 'PostGraphile',
          asks: all,
          pids: [graph.pid, ...inPostgres],
          ...postgraphile(graph.address, data),
        },
      ]);
    });
  } finally {
    for (const stop of stops) await stop();
  }
}

/** Throws unless every peer gives the figures of Vitrine, to the cent. */
async function checkAnswers([own, ...others]: readonly Variant[]): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  const answer = async (variant: Variant, question: QuestionName, place: number) =>
    variant.figures(question, await send(agent, variant.shot(question, place)));
  for (let place = 0; place < checked; place++)
    for (const other of others)
      for (const question of other.asks) {
        const sorted = async (variant: Variant) =>
          JSON.stringify([...(await answer(variant, question, place))].sort());
        const [expected, found] = [await sorted(own!), await sorted(other)];
        if (expected !== found || expected === '[]')
          throw new Error(
            `${other.name} answers ${question} ${place} otherwise:\n${expected.slice(0, 500)}\n${found.slice(0, 500)}`,
          );
      }
  agent.destroy();
  console.log(`${checked} answers of each question agree to the cent.`);
}

/** Proportional memory of processes and their descendants, in MiB. */
function memoryOf(pids: readonly number[]): number {
  const kibibytes = treeOf(pids).map((pid) =>
    Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))![1]),
  );
  return Math.round(kibibytes.reduce((sum, one) => sum + one, 0) / kibibytesPerMebibyte);
}

type Results = Map<string, Flight[]>;
const nameOf = (variant: Variant, question: QuestionName, kind: Kind, inFlight: number) =>
  [variant.name, question, kind, inFlight].join('/');

/** Asks everything in turn. Cold requests are never repeated, for any peer. */
async function measureAll(variants: readonly Variant[]): Promise<Results> {
  const results: Results = new Map();
  let cold = checked;
  for (let round = -1; round < rounds; round++)
    for (const inFlight of [1, 16] as const)
      for (const kind of ['cold', 'warm'] as const) {
        const count = requests[inFlight];
        const first = cold;
        if (kind === 'cold') cold += count;
        for (const variant of variants)
          for (const question of variant.asks) {
            const shots = Array.from({ length: count }, (_, place) =>
              variant.shot(question, kind === 'cold' ? first + place : place % requests.repeated),
            );
            const flight = await fly(variant.pids, shots, inFlight);
            // The round before the first only warms up.
            if (round < 0) continue;
            const name = nameOf(variant, question, kind, inFlight);
            results.set(name, [...(results.get(name) ?? []), flight]);
          }
      }
  return results;
}

/** Prints a table of one question, and Vitrine's requests a second against the best peer's. */
function print(variants: readonly Variant[], results: Results, title: string, group: string): void {
  console.log(`\n${title}`);
  const names = ['in flight', 'requests', 'peer', '', 'requests/s', 'p50 ms', 'p99 ms', 'CPU ms'];
  console.log(`| ${names.join(' | ')} |\n|${' --- |'.repeat(names.length)}`);
  const [own] = variants;
  for (const inFlight of [1, 16])
    for (const kind of ['cold', 'warm'] as const) {
      const of = (variant: Variant, question: QuestionName, field: keyof Flight) =>
        median(results.get(nameOf(variant, question, kind, inFlight))!.map((one) => one[field]));
      const paces: { readonly pace: number; readonly isStale: boolean }[] = [];
      for (const variant of variants)
        for (const question of variant.asks.filter((name) => name.startsWith(group))) {
          const pace = of(variant, question, 'perSecond');
          if (variant !== own) paces.push({ pace, isStale: variant.isStale === true });
          const source =
            variant === own || group === 'campaigns'
              ? ''
              : { salesFacts: 'order lines', salesSums: 'daily sums', campaigns: '' }[question];
          const cells = [inFlight, kind, variant.name, source, pace.toFixed(0)];
          for (const field of ['p50', 'p99', 'cpu'] as const)
            cells.push(of(variant, question, field).toFixed(2));
          console.log(`| ${cells.join(' | ')} |`);
        }
      const ownPace = of(own!, group === 'sales' ? 'salesSums' : 'campaigns', 'perSecond');
      const best = (isStale: boolean) =>
        (
          ownPace /
          Math.max(...paces.filter((one) => one.isStale === isStale).map((one) => one.pace))
        ).toFixed(1);
      console.log(
        `${inFlight} in flight, ${kind}: ${best(false)} times the best peer of equal freshness, ` +
          `${best(true)} times the best with a cache of ${cacheSeconds} s\n`,
      );
    }
}

process.env.NODE_ENV = 'production';
process.env.GRAPHILE_ENV = 'production';
const [channels = 20, skus = 400, days = 730] = process.argv.slice(2).map(Number);
install();
await withPeers(await benchData(channels, skus, days), async (variants) => {
  await checkAnswers(variants);
  const results = await measureAll(variants);
  console.log(`${channels} channels x ${skus} SKUs x ${days} days; medians of ${rounds} rounds`);
  print(variants, results, 'Daily sales of a channel, 90 days and the 90 before', 'sales');
  print(variants, results, 'The 50 campaigns of a channel that cost most in 90 days', 'campaigns');
  for (const { name, pids } of variants) console.log(`memory of ${name}: ${memoryOf(pids)} MiB`);
});
