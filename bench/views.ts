/**
 * Views by hand, without a working set (cold), over blocks of days in memory (warm: no request is
 * sent twice) and repeated: 200 channels, three years, a million order lines; 16 requests in
 * flight, five rounds in turn. Ratios are medians over the rounds. `node bench/views.ts`
 */
import {
  compareFlights,
  fly,
  printFlightHeadings,
  type Shot,
  shotOf,
  type Ways,
} from './flight.ts';
import { interactive } from './interactive.ts';
import { heapFlags, type Server, withServers } from './measure.ts';
import { worldOf } from './scaleWorld.ts';

const inFlight = 16;
const count = 200;
/** The views, and whether there is a statement by hand. */
const views = {
  'salesByPeriod, days': false,
  advertisingByChannels: true,
  storeProfitAndLoss: true,
  'profitByPeriod, days': false,
  targets: true,
};

const world = await worldOf(1_000_000, 10_000_000);
await withServers(async (start) => {
  const bare = await start('viewsByHand.ts', world.folder);
  const cold = await start('service.ts', world.folder, ['0'], heapFlags);
  const service = await start('service.ts', world.folder, [], heapFlags);
  printFlightHeadings();
  for (const [name, isMatched] of Object.entries(views)) {
    const flying =
      ({ pid }: Server, shotAt: (index: number) => Shot) =>
      () =>
        fly(
          [pid],
          Array.from({ length: count }, (_, index) => shotAt(index)),
          inFlight,
        );
    const shotsOf =
      ({ address }: Server) =>
      (index: number) => {
        const [path, body] = interactive[name]!(index);
        return shotOf(address + path, world.key, body);
      };
    let sent = count;
    const ways: Ways = {
      ...(isMatched && {
        'by hand': flying(bare, (index) => ({ url: `${bare.address}/${name}/${index}` })),
      }),
      cold: flying(cold, shotsOf(cold)),
      warm: flying(service, () => shotsOf(service)(sent++)),
      repeats: flying(service, shotsOf(service)),
    };
    const against = isMatched ? 'by hand' : 'cold';
    await compareFlights(name, ways, { rounds: 5, warmUps: 3, against });
  }
});
