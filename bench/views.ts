/**
 * Views by hand, without a working set (cold), over blocks of days in memory (warm: no request is
 * sent twice) and repeated: 200 channels, three years, a million order lines; 16 requests in
 * flight, five rounds in turn. Ratios are medians of those of each round. `node bench/views.ts`
 */
import type { Shot } from './flight.ts';
import { type Flight, fly } from './flight.ts';
import { interactive } from './interactive.ts';
import { heapFlags, median, type Server, withServers } from './measure.ts';
import { worldOf } from './scaleWorld.ts';

const rounds = 5;
const inFlight = 16;
const count = 200;
const names = [
  'salesByPeriod, days',
  'advertisingByChannels',
  'storeProfitAndLoss',
  'profitByPeriod, days',
  'targets',
] as const;
const ways = ['by hand', 'cold', 'warm', 'repeats'] as const;
/** Views without a statement by hand. */
const unmatched: ReadonlySet<string> = new Set(['salesByPeriod, days', 'profitByPeriod, days']);

const world = await worldOf(1_000_000, 10_000_000);
await withServers(async (start) => {
  const bare = await start('viewsByHand.ts', world.folder);
  const cold = await start('service.ts', world.folder, ['0'], heapFlags);
  const service = await start('service.ts', world.folder, [], heapFlags);
  const shotsOf = ({ address }: Server, name: (typeof names)[number], from: number): Shot[] =>
    Array.from({ length: count }, (_, index) => {
      const [path, body] = interactive[name]!(from + index);
      return {
        url: address + path,
        headers: { 'x-api-key': world.key },
        ...(body && { body: Buffer.from(JSON.stringify(body)) }),
      };
    });
  const bareShots = (name: string): Shot[] =>
    Array.from({ length: count }, (_, index) => ({ url: `${bare.address}/${name}/${index}` }));
  const headings = ['requests/s', 'CPU ms', 'median ms', '99th ms', 'CPU ratio', 'pace ratio'];
  console.log(`${''.padEnd(32)}${headings.map((one) => one.padStart(12)).join('')}`);
  for (const name of names) {
    let sent = count;
    const fresh = () => {
      sent += count;
      return shotsOf(service, name, sent);
    };
    const flights = {
      'by hand': () => fly([bare.pid], bareShots(name), inFlight),
      cold: () => fly([cold.pid], shotsOf(cold, name, 0), inFlight),
      warm: () => fly([service.pid], fresh(), inFlight),
      repeats: () => fly([service.pid], shotsOf(service, name, 0), inFlight),
    };
    const measured = ways.filter((way) => way !== 'by hand' || !unmatched.has(name));
    const found = new Map<(typeof ways)[number], Flight[]>(measured.map((way) => [way, []]));
    for (const way of measured) for (let warmUp = 0; warmUp < 3; warmUp++) await flights[way]();
    for (let round = 0; round < rounds; round++)
      for (const way of measured) found.get(way)!.push(await flights[way]());
    for (const [way, rows] of found) {
      const of = (field: keyof Flight) => median(rows.map((flight) => flight[field]));
      const ratio = (field: keyof Flight) =>
        median(
          rows.map((flight, round) => flight[field] / found.get(measured[0]!)![round]![field]),
        );
      const cells = [
        of('perSecond').toFixed(0),
        of('cpu').toFixed(2),
        of('p50').toFixed(1),
        of('p99').toFixed(1),
        ratio('cpu').toFixed(2),
        ratio('perSecond').toFixed(2),
      ];
      console.log(
        `${`${name}: ${way}`.padEnd(32)}${cells.map((one) => one.padStart(12)).join('')}`,
      );
    }
  }
});
