/**
 * Views without a working set (cold), over blocks of days in memory (warm: no request is sent
 * twice) and repeated: 200 channels, three years, a million order lines; 16 requests in flight,
 * five rounds in turn. `node bench/views.ts`
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
const ways = ['cold', 'warm', 'repeats'] as const;

const world = await worldOf(1_000_000, 10_000_000);
await withServers(async (start) => {
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
  console.log('view                    way       requests/s   CPU ms   median ms   99th ms');
  for (const name of names) {
    let sent = count;
    const fresh = () => {
      sent += count;
      return shotsOf(service, name, sent);
    };
    const flights = {
      cold: () => fly([cold.pid], shotsOf(cold, name, 0), inFlight),
      warm: () => fly([service.pid], fresh(), inFlight),
      repeats: () => fly([service.pid], shotsOf(service, name, 0), inFlight),
    };
    const found: Record<(typeof ways)[number], Flight[]> = { cold: [], warm: [], repeats: [] };
    for (const way of ways) for (let warmUp = 0; warmUp < 3; warmUp++) await flights[way]();
    for (let round = 0; round < rounds; round++)
      for (const way of ways) found[way].push(await flights[way]());
    for (const way of ways) {
      const of = (field: keyof Flight) => median(found[way].map((flight) => flight[field]));
      console.log(
        `${name.padEnd(24)}${way.padEnd(8)}${of('perSecond').toFixed(0).padStart(12)}` +
          `${of('cpu').toFixed(2).padStart(9)}${of('p50').toFixed(1).padStart(12)}${of('p99').toFixed(1).padStart(10)}`,
      );
    }
  }
});
