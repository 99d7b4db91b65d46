/**
 * Shared by the benchmarks: servers in their own processes, their use of CPU and memory, and
 * comparisons measured in turn.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const ticksPerSecond = 100;
const kibibytesPerMebibyte = 1024;
const nameWidth = 58;
const pollMilliseconds = 20;
const newline = 0x0a;

const { config } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
) as { config: { heap: string } };

/** The memory flags of `npm run serve`. */
export const heapFlags: readonly string[] = config.heap.split(' ');

/** The arguments with which Node runs the service as `npm run serve` does. */
export const asServed: readonly string[] = [
  ...heapFlags,
  fileURLToPath(new URL('../src/cli/vitrine.ts', import.meta.url)),
  'serve',
];

/** CPU seconds that a process has used so far, its threads included. */
export function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** Peak resident memory of a process, in MiB. */
export function peakOf(pid: number): number {
  const kibibytes = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]);
  return Math.round(kibibytes / kibibytesPerMebibyte);
}

/** The median; of an even count the higher of the two middle numbers. */
export function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1]!;
}

/** A server in its own process. */
export type Server = { readonly pid: number; readonly address: string };

/** Starts a file of this folder with `words` and the path of a copy of `folder` as arguments.
 * Resolves when it accepts requests. */
export type Start = (
  file: string,
  folder: string,
  words?: readonly string[],
  execArgv?: readonly string[],
) => Promise<Server>;

/** Starts a file of this folder. `ready` resolves when it accepts requests. */
export function launch(
  file: string,
  words: readonly string[],
  execArgv: readonly string[],
): { readonly child: ChildProcess; readonly ready: Promise<Server> } {
  const child = fork(new URL(file, import.meta.url), [...words], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv: [...execArgv],
  });
  const ready = new Promise<Server>((resolve, reject) => {
    child.once('message', (address) => resolve({ pid: child.pid!, address: String(address) }));
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code}`)));
  });
  return { child, ready };
}

/**
 * Passes `use` a server on the folder itself, with the memory flags of `npm run serve`, and stops
 * it gracefully afterwards.
 */
export async function withServer<T>(
  file: string,
  folder: string,
  use: (server: Server) => Promise<T>,
): Promise<T> {
  const { child, ready } = launch(file, [folder], heapFlags);
  const ended = once(child, 'exit');
  try {
    return await use(await ready);
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

/** Passes `use` a function that starts servers. Afterwards stops them and removes their data. */
export async function withServers(use: (start: Start) => Promise<void>): Promise<void> {
  const children: ChildProcess[] = [];
  const copies = mkdtempSync(join(tmpdir(), 'vitrine-bench-'));
  try {
    await use(async (file, folder, words = [], execArgv = []) => {
      const copy = join(copies, String(children.length));
      cpSync(folder, copy, { recursive: true });
      const { child, ready } = launch(file, [...words, copy], execArgv);
      children.push(child);
      return ready;
    });
  } finally {
    for (const child of children) child.kill('SIGKILL');
    rmSync(copies, { recursive: true, force: true });
  }
}

/** A server by hand, the service without a working set, and the service. */
export type Three = Readonly<Record<'bare' | 'cold' | 'warm', Server>> & {
  /** The headers of requests to the service. */
  readonly headers: Record<string, string>;
};

/** Passes `use` a server by hand, a file of this folder, and services over the same data. */
export function withThree(
  file: string,
  { folder, key }: { readonly folder: string; readonly key: string },
  use: (three: Three, start: Start) => Promise<void>,
  execArgv: readonly string[] = [],
): Promise<void> {
  return withServers(async (start) => {
    const bare = await start(file, folder, ['by-hand'], execArgv);
    const cold = await start('service.ts', folder, ['0'], execArgv);
    const warm = await start('service.ts', folder, [], execArgv);
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    await use({ bare, cold, warm, headers }, start);
  });
}

/** A request; its answer must have status 200 and satisfy `holds`. */
export type BenchRequest = {
  readonly path: string;
  readonly init?: RequestInit;
  readonly holds?: (text: string) => boolean;
};

/** The cost of a request in milliseconds: mean CPU and median time. */
export type Measured = { readonly cpu: number; readonly milliseconds: number };

/** Sends `count` requests one after another. Answers are not compressed. */
export async function measure(
  { pid, address }: Server,
  count: number,
  requestAt: (index: number) => BenchRequest,
): Promise<Measured> {
  const cpu = cpuOf(pid);
  const took: number[] = [];
  for (let index = 0; index < count; index++) {
    const { path, init = {}, holds = () => true } = requestAt(index);
    const start = performance.now();
    // The statements by hand do not compress either.
    const answer = await fetch(address + path, {
      ...init,
      headers: { ...init.headers, 'accept-encoding': 'identity' },
    });
    const text = await answer.text();
    took.push(performance.now() - start);
    if (answer.status !== 200 || !holds(text))
      throw new Error(`${path} answered ${answer.status}: ${text.slice(0, 500)}`);
  }
  return { cpu: ((cpuOf(pid) - cpu) / count) * 1000, milliseconds: median(took) };
}

/** Creates, awaits and downloads a report. Returns its cost and its number of rows. */
export async function computeReport(
  { pid, address }: Server,
  reportType: string,
  headers: Record<string, string>,
  body: object,
): Promise<Measured & { readonly rows: number }> {
  const cpu = cpuOf(pid);
  const start = performance.now();
  const ask = async (path: string, init: RequestInit) => {
    const answer = await fetch(address + path, init);
    if (answer.status !== 200)
      throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as { reportId: string; status: string; downloadUrl?: string };
  };
  let report = await ask(`/reports/create/${reportType}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  while (report.status === 'started' || report.status === 'inProgress') {
    await delay(pollMilliseconds);
    report = await ask(`/reports/status/${report.reportId}`, {
      headers: { 'x-api-key': headers['x-api-key']! },
    });
  }
  if (report.status !== 'done') throw new Error(JSON.stringify(report));
  const file = await fetch(address + new URL(report.downloadUrl!).pathname, {
    headers: { 'accept-encoding': 'identity' },
  });
  // The first line names the columns.
  let rows = -1;
  for await (const chunk of file.body!) for (const byte of chunk) if (byte === newline) rows++;
  return { cpu: (cpuOf(pid) - cpu) * 1000, milliseconds: performance.now() - start, rows };
}

/** Ways to do the same thing. The first is the reference of the ratios. */
export type Variants = Readonly<Record<string, (times: number) => Promise<Measured>>>;

/** Number of rounds, of requests per round, and of requests before the first round. */
export type Turns = { readonly rounds: number; readonly times: number; readonly warmUps: number };

/** Prints the headings of `compare`. */
export function printHeadings(): void {
  console.log(`${''.padEnd(nameWidth)}    CPU ms   milliseconds   CPU ratio   time ratio`);
}

/** Measures variants in turn. Prints the medians of each, and of the ratios to the first one. */
export async function compare(
  group: string,
  variants: Variants,
  { rounds, times, warmUps }: Turns,
): Promise<void> {
  const results = new Map<string, Measured[]>(Object.keys(variants).map((name) => [name, []]));
  if (warmUps > 0) for (const one of Object.values(variants)) await one(warmUps);
  for (let round = 0; round < rounds; round++) {
    for (const [name, one] of Object.entries(variants)) results.get(name)!.push(await one(times));
  }
  const [first] = results.values();
  for (const [name, found] of results) {
    const of = (figure: keyof Measured) => median(found.map((one) => one[figure])).toFixed(1);
    const ratio = (figure: keyof Measured) =>
      median(found.map((one, round) => one[figure] / first![round]![figure])).toFixed(2);
    const cells = [
      of('cpu').padStart(10),
      of('milliseconds').padStart(15),
      ratio('cpu').padStart(12),
      ratio('milliseconds').padStart(13),
    ];
    console.log(`${`${group}: ${name}`.padEnd(nameWidth)}${cells.join('')}`);
  }
}
