/** What benchmarks share: servers in processes of their own, what they use, and ways to do the same measured in turn. */
import { type ChildProcess, fork } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const ticksPerSecond = 100;
const kibibytesPerMebibyte = 1024;
const nameWidth = 58;
const pollMilliseconds = 20;
const newline = 0x0a;

/** CPU seconds that a process has used so far, its threads included. */
export function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** The most memory that a process has ever had resident, in MiB. */
export function peakOf(pid: number): number {
  const kibibytes = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]);
  return Math.round(kibibytes / kibibytesPerMebibyte);
}

/** The number in the middle; of an even count the higher of the two. */
export function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1]!;
}

/** A server in a process of its own. */
export type Server = { readonly pid: number; readonly address: string };

/** Starts a file of this folder on a copy of a folder of data, which it is told behind `words`; resolves when it takes requests. */
export type Start = (
  file: string,
  folder: string,
  words?: readonly string[],
  execArgv?: readonly string[],
) => Promise<Server>;

/** Lends a way to start servers, and ends them and removes their data once `use` has ended. */
export async function withServers(use: (start: Start) => Promise<void>): Promise<void> {
  const children: ChildProcess[] = [];
  const copies = mkdtempSync(join(tmpdir(), 'vitrine-bench-'));
  try {
    await use(async (file, folder, words = [], execArgv = []) => {
      const copy = join(copies, String(children.length));
      cpSync(folder, copy, { recursive: true });
      const options = {
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'] as const,
        execArgv: [...execArgv],
      };
      const child = fork(new URL(file, import.meta.url), [...words, copy], {
        ...options,
        stdio: [...options.stdio],
      });
      children.push(child);
      const address = await new Promise<string>((resolve, reject) => {
        child.once('message', (told) => resolve(String(told)));
        child.once('exit', (code) => reject(new Error(`${file} ended with ${code}`)));
      });
      return { pid: child.pid!, address };
    });
  } finally {
    for (const child of children) child.kill('SIGKILL');
    rmSync(copies, { recursive: true, force: true });
  }
}

/** A request, and what its answer must look like beside its status 200. */
export type Asked = {
  readonly path: string;
  readonly init?: RequestInit;
  readonly holds?: (text: string) => boolean;
};

/** What a request took: milliseconds of CPU, which is the mean, and of time, which is the median. */
export type Measured = { readonly cpu: number; readonly milliseconds: number };

/** Asks so many times, one after the other, each request told by its place. Answers are not compressed. */
export async function measure(
  { pid, address }: Server,
  count: number,
  askedAt: (place: number) => Asked,
): Promise<Measured> {
  const cpu = cpuOf(pid);
  const took: number[] = [];
  for (let place = 0; place < count; place++) {
    const { path, init = {}, holds = () => true } = askedAt(place);
    const start = performance.now();
    // Compressing is nothing that is done by hand.
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

/** A report from its creation to the end of its download, and the rows of its file. */
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

/** Ways to do the same, each measuring so many times. The others are set beside the first. */
export type Variants = Readonly<Record<string, (times: number) => Promise<Measured>>>;

/** How often variants are measured. */
export type Turns = { readonly rounds: number; readonly times: number; readonly warmUps: number };

/** Prints what stands above the columns of `compare`. */
export function printHeadings(): void {
  console.log(`${''.padEnd(nameWidth)}    CPU ms   milliseconds   CPU ratio   time ratio`);
}

/** Measures variants in turn and prints the medians of each, and of its rounds' ratios to the first variant. */
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
