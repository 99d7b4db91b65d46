/**
 * POST /reports/view/salesByPeriod against bare routes over the same facts, in one run: requests
 * for one channel, 90 days and the 90 before by day, with 1 and 16 in flight. The service answers
 * 200 requests without a working set (cold), ever new ones over blocks of days in memory (warm),
 * and the 200 again and again (repeats).
 * `node bench/salesByPeriod.ts [channels=20] [skus=400] [days=730]`
 */
import { Agent, request } from 'node:http';
import { startOfDay } from '../src/calendar/period.ts';
import { type BenchData, benchData, merchantId, zone } from './data.ts';
import { cpuOf, heapFlags, median, peakOf, type Server, withServers } from './measure.ts';
import { firstDay } from './rows.ts';

const distinct = 200;
const rounds = 5;
const windowDays = 90;
/** Days by which prior periods of warm requests differ. */
const priorShifts = 7;

type Variant = {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
  readonly headers: Record<string, string>;
  readonly bodyOf: (index: number) => Buffer;
};
type Measured = {
  readonly perSecond: number;
  readonly cpu: number;
  readonly median: number;
  readonly slowest: number;
};

/** Makes bodies; from the 200th on they differ in their channel, range, tax or prior period. */
function bodies({ channels, days }: BenchData): (index: number) => Buffer {
  const starts = days - 2 * windowDays - priorShifts;
  return (index) => {
    const from = firstDay + windowDays + priorShifts + ((index * 37) % starts);
    const round = Math.floor(index / (starts * channels));
    const before = from - (Math.floor(round / 2) % priorShifts);
    const reportOptions = {
      fromDate: startOfDay(zone, from),
      toDate: startOfDay(zone, from + windowDays)! - 1,
      priorFromDate: startOfDay(zone, before - windowDays),
      priorToDate: startOfDay(zone, before)! - 1,
      timezone: zone,
    };
    const channelId = `channel-${index % channels}`;
    const includeTax = round % 2 === 1;
    return Buffer.from(JSON.stringify({ channelId, merchantId, includeTax, reportOptions }));
  };
}

function post(agent: Agent, { url, headers }: Variant, body: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      {
        method: 'POST',
        agent,
        headers: { ...headers, 'content-type': 'application/json', 'content-length': body.length },
      },
      (answer) => {
        let bytes = 0;
        answer.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
        });
        answer.on('end', () =>
          answer.statusCode === 200
            ? resolve(bytes)
            : reject(new Error(`${url} answered ${answer.statusCode}`)),
        );
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

async function measure(variant: Variant, inFlight: number, requests: number): Promise<Measured> {
  const agent = new Agent({ keepAlive: true, maxSockets: inFlight });
  const times: number[] = [];
  let next = 0;
  const lane = async () => {
    while (next < requests) {
      const body = variant.bodyOf(next++);
      const start = performance.now();
      await post(agent, variant, body);
      times.push(performance.now() - start);
    }
  };
  const cpu = cpuOf(variant.pid);
  const start = performance.now();
  await Promise.all(Array.from({ length: inFlight }, lane));
  const seconds = (performance.now() - start) / 1000;
  const used = cpuOf(variant.pid) - cpu;
  agent.destroy();
  times.sort((a, b) => a - b);
  return {
    perSecond: requests / seconds,
    cpu: (used / requests) * 1000,
    median: times[times.length >> 1]!,
    slowest: times[Math.floor(times.length * 0.99)]!,
  };
}

const [channels = 20, skus = 400, days = 730] = process.argv.slice(2).map(Number);
const data = await benchData(channels, skus, days);
await withServers(async (start) => {
  const bare = await start('bare.ts', data.folder, [], heapFlags);
  const cold = await start('service.ts', data.folder, ['0'], heapFlags);
  const service = await start('service.ts', data.folder, [], heapFlags);
  const bodyOf = bodies(data);
  const repeated = (index: number) => bodyOf(index % distinct);
  let sent = distinct;
  const ofService = (name: string, { address, pid }: Server, made: typeof bodyOf): Variant => ({
    name: `service ${name}`,
    url: `${address}/reports/view/salesByPeriod`,
    pid,
    headers: { 'x-api-key': data.key },
    bodyOf: made,
  });
  const variants: Variant[] = [
    ...['constant', 'raw', 'rollup'].map((name) => ({
      name: `bare ${name}`,
      url: `${bare.address}/${name}`,
      pid: bare.pid,
      headers: {},
      bodyOf: repeated,
    })),
    ofService('cold', cold, repeated),
    ofService('warm', service, () => bodyOf(sent++)),
    ofService('repeats', service, repeated),
  ];
  const results = new Map<string, Measured[]>();
  for (const variant of variants)
    console.log(`${variant.name}: ${await post(new Agent(), variant, bodyOf(0))} bytes`);
  for (const variant of variants) await measure(variant, 4, 2 * distinct);
  for (let round = 0; round < rounds; round++) {
    for (const inFlight of [1, 16]) {
      for (const variant of variants) {
        const key = `${variant.name}/${inFlight}`;
        results.set(key, [
          ...(results.get(key) ?? []),
          await measure(variant, inFlight, inFlight === 1 ? distinct : 2 * distinct),
        ]);
      }
    }
  }
  console.log(
    `\n${channels} channels x ${skus} SKUs x ${days} days; ${rounds} rounds in turn, medians`,
  );
  console.log(
    'in flight  route            requests/s   CPU ms   median ms   99th ms   CPU / bare rollup   requests/s / bare rollup',
  );
  for (const inFlight of [1, 16]) {
    const of = (name: string, field: keyof Measured) =>
      median(results.get(`${name}/${inFlight}`)!.map((one) => one[field]));
    for (const { name } of variants) {
      const ratio = (field: keyof Measured) =>
        median(
          results
            .get(`${name}/${inFlight}`)!
            .map(
              (one, round) => one[field] / results.get(`bare rollup/${inFlight}`)![round]![field],
            ),
        );
      console.log(
        `${String(inFlight).padStart(9)}  ${name.padEnd(14)} ${of(name, 'perSecond').toFixed(0).padStart(12)} ${of(name, 'cpu').toFixed(2).padStart(8)} ${of(name, 'median').toFixed(2).padStart(11)} ${of(name, 'slowest').toFixed(2).padStart(9)} ${ratio('cpu').toFixed(2).padStart(19)} ${ratio('perSecond').toFixed(2).padStart(26)}`,
      );
    }
  }
  for (const [name, { pid }] of Object.entries({ bare, cold, service }))
    console.log(`peak memory of ${name}: ${peakOf(pid)} MB`);
});
