/**
 * POST /reports/view/salesByPeriod against bare routes over the same facts, in one run: requests
 * for one channel, 90 days and the 90 before by day, with 1 and 16 in flight. The service answers
 * 200 requests without a working set (cold), always new ones over cached blocks of days (warm), and
 * the same 200 again and again (repeats). `node bench/salesByPeriod.ts [channels=20] [skus=400]
 * [days=730]`
 */
import { startOfDay } from '../src/calendar/period.ts';
import { type BenchData, benchData } from './data.ts';
import { compareFlights, fly, printFlightHeadings, shotOf, type Ways } from './flight.ts';
import { merchantId, zone } from './folders.ts';
import { heapFlags, peakOf, type Server, withServers } from './measure.ts';
import { firstDay } from './rows.ts';

const distinct = 200;
const rounds = 5;
const windowDays = 90;
/** Days by which prior periods of warm requests differ. */
const priorShifts = 7;

/** Makes bodies; from the 200th on they differ in their channel, range, tax or prior period. */
function bodies({ channels, days }: BenchData): (index: number) => object {
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
    return { channelId, merchantId, includeTax: round % 2 === 1, reportOptions };
  };
}

const [channels = 20, skus = 400, days = 730] = process.argv.slice(2).map(Number);
const data = await benchData(channels, skus, days);
await withServers(async (start) => {
  const bare = await start('bare.ts', data.folder, [], heapFlags);
  const cold = await start('service.ts', data.folder, ['0'], heapFlags);
  const service = await start('service.ts', data.folder, [], heapFlags);
  const bodyOf = bodies(data);
  let sent = distinct;
  console.log(`${channels} channels x ${skus} SKUs x ${days} days; ${rounds} rounds in turn`);
  printFlightHeadings();
  for (const inFlight of [1, 16]) {
    const count = inFlight === 1 ? distinct : 2 * distinct;
    const flying = ({ address, pid }: Server, path: string, next = (index: number) => index) => {
      const bodyAt = (_: unknown, index: number) => bodyOf(next(index % distinct));
      return () => {
        const made = Array.from({ length: count }, bodyAt);
        return fly(
          [pid],
          made.map((body) => shotOf(address + path, data.key, body)),
          inFlight,
        );
      };
    };
    const view = '/reports/view/salesByPeriod';
    const ways: Ways = {
      'bare constant': flying(bare, '/constant'),
      'bare raw': flying(bare, '/raw'),
      'bare rollup': flying(bare, '/rollup'),
      'service cold': flying(cold, view),
      'service warm': flying(service, view, () => sent++),
      'service repeats': flying(service, view),
    };
    const turns = { rounds, warmUps: 1, against: 'bare rollup' };
    await compareFlights(`${inFlight} in flight`, ways, turns);
  }
  for (const [name, { pid }] of Object.entries({ bare, cold, service }))
    console.log(`peak memory of ${name}: ${peakOf(pid)} MB`);
});
