/** Requests in flight: how many a second, how long each takes, and the CPU of all processes. */
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { cpuOf, median } from './measure.ts';

/** A request to send. */
export type Shot = {
  readonly method?: 'GET' | 'POST';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
};

/** Requests a second, CPU milliseconds a request, and percentiles of the milliseconds. */
export type Flight = {
  readonly perSecond: number;
  readonly cpu: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
};

type Answer = {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly text: string;
};

/** Processes and their descendants. */
export function treeOf(pids: readonly number[]): number[] {
  return pids.flatMap((pid) => {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return [pid, ...treeOf(children.split(' ').filter(Boolean).map(Number))];
  });
}

const cpuOfTree = (pids: readonly number[]) =>
  treeOf(pids).reduce((sum, pid) => sum + cpuOf(pid), 0);

/** Sends a request once and returns the status, the header Retry-After and the body. */
function sendOnce(agent: Agent, { url, body, headers = {}, method }: Shot): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      {
        agent,
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        headers: {
          ...headers,
          ...(body && { 'content-type': 'application/json', 'content-length': body.length }),
        },
      },
      (answer) => {
        const pieces: Buffer[] = [];
        answer.on('data', (piece: Buffer) => pieces.push(piece));
        answer.on('error', reject);
        answer.on('end', () =>
          resolve({
            status: answer.statusCode!,
            retryAfter: answer.headers['retry-after'],
            text: Buffer.concat(pieces).toString(),
          }),
        );
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** Sends a request, again when the service says so, and returns the body of its answer. */
export async function send(agent: Agent, shot: Shot): Promise<string> {
  for (;;) {
    const { status, retryAfter, text } = await sendOnce(agent, shot);
    if (status === 200) return text;
    if (status !== 503 || retryAfter === undefined)
      throw new Error(`${shot.url} answered ${status}: ${text.slice(0, 500)}`);
    console.error(`${shot.url} answered 503; trying again in ${retryAfter} s`);
    await delay(Number(retryAfter) * 1000);
  }
}

/** Sends each request once, `inFlight` at a time. */
export async function fly(
  pids: readonly number[],
  shots: readonly Shot[],
  inFlight: number,
): Promise<Flight> {
  const agent = new Agent({ keepAlive: true, maxSockets: inFlight });
  const times: number[] = [];
  let next = 0;
  const lane = async () => {
    while (next < shots.length) {
      const shot = shots[next++]!;
      const start = performance.now();
      await send(agent, shot);
      times.push(performance.now() - start);
    }
  };
  const cpu = cpuOfTree(pids);
  const start = performance.now();
  await Promise.all(Array.from({ length: inFlight }, lane));
  const seconds = (performance.now() - start) / 1000;
  const used = cpuOfTree(pids) - cpu;
  agent.destroy();
  times.sort((a, b) => a - b);
  const percentile = (part: number) => times[Math.ceil(times.length * part) - 1]!;
  return {
    perSecond: shots.length / seconds,
    cpu: (used / shots.length) * 1000,
    p50: percentile(0.5),
    p95: percentile(0.95),
    p99: percentile(0.99),
  };
}

/** Ways to do the same thing; each call flies once. */
export type Ways = Readonly<Record<string, () => Promise<Flight>>>;

const columns = ['requests/s', 'CPU ms', 'median ms', '99th ms', 'CPU ratio', 'pace ratio'];
const nameWidth = 36;
const cellWidth = 12;

/** Prints the headings of `compareFlights`. */
export function printFlightHeadings(): void {
  console.log(`${''.padEnd(nameWidth)}${columns.map((one) => one.padStart(cellWidth)).join('')}`);
}

/** Flies in turn, and prints the medians of each way and of its ratios to the named way. */
export async function compareFlights(
  group: string,
  ways: Ways,
  turns: { readonly rounds: number; readonly warmUps: number; readonly against: string },
): Promise<void> {
  const found = new Map<string, Flight[]>(Object.keys(ways).map((name) => [name, []]));
  for (const way of Object.values(ways))
    for (let warmUp = 0; warmUp < turns.warmUps; warmUp++) await way();
  for (let round = 0; round < turns.rounds; round++)
    for (const [name, way] of Object.entries(ways)) found.get(name)!.push(await way());
  const reference = found.get(turns.against)!;
  for (const [name, flights] of found) {
    const of = (field: keyof Flight) => median(flights.map((flight) => flight[field]));
    const ratio = (field: keyof Flight) =>
      median(flights.map((flight, round) => flight[field] / reference[round]![field]));
    const cells = [
      ...[of('perSecond').toFixed(0), of('cpu').toFixed(2), of('p50').toFixed(2)],
      ...[of('p99').toFixed(2), ratio('cpu').toFixed(2), ratio('perSecond').toFixed(2)],
    ];
    const shown = cells.map((cell) => cell.padStart(cellWidth)).join('');
    console.log(`${`${group}: ${name}`.padEnd(nameWidth)}${shown}`);
  }
}

/** A request with a body of JSON, or without one. */
export const shotOf = (url: string, key: string, body?: object): Shot => ({
  url,
  headers: { 'x-api-key': key },
  ...(body && { body: Buffer.from(JSON.stringify(body)) }),
});
