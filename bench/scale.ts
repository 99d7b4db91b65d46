/**
 * The interactive endpoints over growing numbers of order lines: 200 channels, three years, from a
 * million lines on, ten times as many each time. Five channels have the same facts at every size;
 * requests are about these, so growth shows the cost of others' facts. Other requests are about a
 * channel that grows. The first lines come through the public import, the rest by statements. `npm
 * run bench:scale [lines=10000000] [imported=10000000]`
 */
import { type Flight, fly, shotOf } from './flight.ts';
import { interactive } from './interactive.ts';
import { peakOf, withServer } from './measure.ts';
import { type World, worldOf } from './scaleWorld.ts';

const linesMin = 1_000_000;
const distinct = 100;
const warmUps = 10;
const millisecondsMax = 100;
const growthMax = 1.3;
const [linesMax = 10_000_000, importedMax = 10_000_000] = process.argv.slice(2).map(Number);

type Measured = { readonly world: World; readonly found: ReadonlyMap<string, Flight> };

/** Sends every question, one request at a time. */
async function measure(world: World): Promise<Measured> {
  return withServer('service.ts', world.folder, async ({ pid, address }) => {
    const found = new Map<string, Flight>();
    for (const [name, ask] of Object.entries(interactive)) {
      const shots = Array.from({ length: warmUps + distinct }, (_, place) => {
        const [path, body] = ask(place);
        return shotOf(address + path, world.key, body);
      });
      await fly([pid], shots.slice(0, warmUps), 1);
      found.set(name, await fly([pid], shots.slice(warmUps), 1));
    }
    const { lines, imported, rowsPerSecond, cpu, peak, bytes } = world;
    console.log(
      `${lines.toLocaleString('en')} lines, ${imported.toLocaleString('en')} by imports at ` +
        `${Math.round(rowsPerSecond).toLocaleString('en')} rows/s, ${cpu.toFixed(1)} µs of CPU a row, peak ${peak} MiB; ` +
        `${(bytes / 2 ** 30).toFixed(2)} GiB on disk; ` +
        `answers peak at ${peakOf(pid)} MiB`,
    );
    return { world, found };
  });
}

const measured: Measured[] = [];
for (let lines = linesMin; lines <= linesMax; lines *= 10)
  measured.push(await measure(await worldOf(lines, importedMax)));

const heads = measured.map(
  ({ world }) => `${world.lines / 1e6} M: p50`.padStart(14) + 'p95'.padStart(8) + 'CPU'.padStart(7),
);
console.log(`\n${'milliseconds'.padEnd(40)}${heads.join('')}   growth of p50, of CPU`);
for (const name of Object.keys(interactive)) {
  const cells = measured.map(({ found }) => {
    const { p50, p95, cpu } = found.get(name)!;
    const slow = p95 > millisecondsMax ? '!' : ' ';
    return (
      p50.toFixed(1).padStart(14) + p95.toFixed(1).padStart(7) + slow + cpu.toFixed(1).padStart(7)
    );
  });
  const growth = measured.slice(1).map(({ found }, place) => {
    const ratio = (field: 'p50' | 'cpu') =>
      found.get(name)![field] / measured[place]!.found.get(name)![field];
    const isOver = ratio('p50') > growthMax && !name.startsWith('a grown');
    return `${ratio('p50').toFixed(2)}${isOver ? '!' : ''}, ${ratio('cpu').toFixed(2)}`;
  });
  console.log(`${name.padEnd(40)}${cells.join('')}   ${growth.join('; ')}`);
}
