/**
 * Light requests beside CSV reports, in turn with quiet times: weeks of sales of one channel, one
 * request at a time, while traffic reports over two years of another one are made and downloaded
 * without a pause. `node bench/besideReports.ts [rounds=5] [requests=300]`
 */
import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { startOfDay } from '../src/calendar/period.ts';
import { benchData } from './data.ts';
import { type Flight, fly, shotOf } from './flight.ts';
import { merchantId, zone } from './folders.ts';
import { computeReport, heapFlags, median, type Server, withServers } from './measure.ts';
import { firstDay } from './rows.ts';

const weekDays = 7;
/** Requests before the first round. */
const warmUps = 50;

if (isMainThread) await run();
else await makeReports();

async function run(): Promise<void> {
  const [rounds = 5, requests = 300] = process.argv.slice(2).map(Number);
  const data = await benchData(2, 200, 730);
  for (const [name, workingSet] of [
    ['without a working set', ['0']],
    ['with the working set', []],
  ] as const)
    await withServers(async (start) => {
      const server = await start('service.ts', data.folder, workingSet, heapFlags);
      let sent = 0;
      const shots = (count: number) =>
        Array.from({ length: count }, () => {
          const from = firstDay + ((sent++ * 37) % (data.days - weekDays));
          const reportOptions = {
            fromDate: startOfDay(zone, from),
            timezone: zone,
            toDate: startOfDay(zone, from + weekDays)! - 1,
          };
          const body = { channelId: 'channel-1', merchantId, reportOptions };
          return shotOf(`${server.address}/reports/view/salesByPeriod`, data.key, body);
        });
      await fly([server.pid], shots(warmUps), 1);
      const [quiet, beside]: [Flight[], Flight[]] = [[], []];
      for (let round = 0; round < rounds; round++) {
        quiet.push(await fly([server.pid], shots(requests), 1));
        const worker = new Worker(new URL(import.meta.url), {
          workerData: { server, key: data.key, days: data.days },
        });
        await once(worker, 'message');
        beside.push(await fly([server.pid], shots(requests), 1));
        worker.postMessage('over');
        const [rows] = await once(worker, 'message');
        console.log(`round ${round + 1}: ${rows} rows of reports meanwhile`);
      }
      for (const figure of ['p50', 'p95', 'p99'] as const) {
        const [one, other] = [quiet, beside].map((flights) =>
          median(flights.map((flight) => flight[figure])),
        ) as [number, number];
        console.log(
          `${name}, ${figure}: quiet ${one.toFixed(1)} ms, beside reports ${other.toFixed(1)} ms, ratio ${(other / one).toFixed(2)}`,
        );
      }
    });
}

/** Makes reports until a message says that it is over; sends when it begins, then its rows. */
async function makeReports(): Promise<void> {
  const { server, key, days } = workerData as { server: Server; key: string; days: number };
  let isOver = false;
  parentPort!.once('message', () => {
    isOver = true;
  });
  let rows = 0;
  const body = {
    channelId: 'channel-0',
    merchantId,
    reportOptions: {
      fromDate: startOfDay(zone, firstDay),
      timezone: zone,
      view: 'skus',
      toDate: startOfDay(zone, firstDay + days)! - 1,
    },
  };
  parentPort!.postMessage('begun');
  while (!isOver) {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    rows += (await computeReport(server, 'trafficAndConversion', headers, body)).rows;
  }
  parentPort!.postMessage(rows);
  parentPort!.close();
}
