/**
 * POST /reports/view/salesByPeriod against bare routes over the same facts, in one run: 200
 * distinct requests for one channel, 90 days and the 90 before by day, with 1 and 16 in flight.
 * `node bench/salesByPeriod.ts [channels=20] [skus=400] [days=730]`
 */
import { Agent, request } from 'node:http';
import { startOfDay } from '../src/calendar/period.ts';
import { type BenchData, benchData, merchantId, zone } from './data.ts';
import { cpuOf, heapFlags, median, peakOf, withServers } from './measure.ts';
import { firstDay } from './rows.ts';

const distinct = 200;
const rounds = 5;
const windowDays = 90;

type Variant = {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
  readonly headers: Record<string, string>;
};
type Measured = {
  readonly perSecond: number;
  readonly cpu: number;
  readonly median: number;
  readonly slowest: number;
};

function bodies({ channels, days }: BenchData): Buffer[] {
  const all: Buffer[] = [];
  for (let index = 0; index < distinct; index++) {
    const from = firstDay + windowDays + ((index * 37) % (days - 2 * windowDays));
    const reportOptions = {
      fromDate: startOfDay(zone, from),
      toDate: startOfDay(zone, from + windowDays)! - 1,
      priorFromDate: startOfDay(zone, from - windowDays),
      priorToDate: startOfDay(zone, from)! - 1,
      timezone: zone,
    };
    all.push(
      Buffer.from(
        JSON.stringify({ channelId: `channel-${index % channels}`, merchantId, reportOptions }),
      ),
    );
  }
  return all;
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

async function measure(
  variant: Variant,
  all: readonly Buffer[],
  inFlight: number,
  requests: number,
): Promise<Measured> {
  const agent = new Agent({ keepAlive: true, maxSockets: inFlight });
  const times: number[] = [];
  let next = 0;
  const lane = async () => {
    while (next < requests) {
      const body = all[next++ % all.length]!;
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
  const service = await start('service.ts', data.folder, [], heapFlags);
  const variants: Variant[] = [
    ...['constant', 'raw', 'rollup'].map((name) => ({
      name: `bare ${name}`,
      url: `${bare.address}/${name}`,
      pid: bare.pid,
      headers: {},
    })),
    {
      name: 'service',
      url: `${service.address}/reports/view/salesByPeriod`,
      pid: service.pid,
      headers: { 'x-api-key': data.key },
    },
  ];
  const all = bodies(data);
  const results = new Map<string, Measured[]>();
  for (const variant of variants)
    console.log(`${variant.name}: ${await post(new Agent(), variant, all[0]!)} bytes`);
  for (const variant of variants) await measure(variant, all, 4, distinct);
  for (let round = 0; round < rounds; round++) {
    for (const inFlight of [1, 16]) {
      for (const variant of variants) {
        const key = `${variant.name}/${inFlight}`;
        results.set(key, [
          ...(results.get(key) ?? []),
          await measure(variant, all, inFlight, inFlight === 1 ? distinct : 2 * distinct),
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
  for (const [name, { pid }] of Object.entries({ bare, service }))
    console.log(`peak memory of ${name}: ${peakOf(pid)} MB`);
});
