/**
 * Kills the service or one of its servers repeatedly while it imports, computes reports and saves
 * unit costs. Everything that was acknowledged must then be there, once and whole.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Pair } from '../test/harness.ts';
import { type Service, startService } from '../test/service.ts';
import { importLoad } from './killImports.ts';
import { reportLoad, unitCostLoad } from './killJobs.ts';
import type { Load } from './load.ts';
import { amountOf, type Extent, type Finding, found } from './promise.ts';
import { Servers } from './servers.ts';

/** The process that is killed. */
type Victim = 'service' | 'clickhouse' | 'postgres';

/** A kill comes within the time that each load took for this many acknowledgements. */
const acknowledgedBefore = 2;
const killWithinMilliseconds = { min: 1_200, max: 8_000 };
const pollMilliseconds = 50;
const killsInFull = 100;
const killsInQuick = 3;

/** Waits until the service has reached its stores again. */
export async function untilReady(service: Service): Promise<void> {
  while (!(await service.ask('GET', '/readyz')).ok) await wait(pollMilliseconds);
}

/** Runs the loads undisturbed, and returns the milliseconds within which kills meet all of them. */
export async function warmUp(loads: readonly Load[], service: Service): Promise<number> {
  const begun = performance.now();
  const isOver = new AbortController();
  const running = Promise.all(loads.map((load) => load.run(service, isOver.signal)));
  const isWarm = () => loads.every(({ acknowledged }) => acknowledged >= acknowledgedBefore);
  while (!isWarm()) await Promise.race([running, wait(pollMilliseconds)]);
  isOver.abort();
  const { min, max } = killWithinMilliseconds;
  const within = Math.max(min, Math.min(max, performance.now() - begun));
  await running;
  for (const load of loads) load.met = 0;
  return within;
}

async function killRepeatedly(
  victim: Victim,
  servers: Servers,
  kills: number,
  say: Extent['say'],
): Promise<Load[]> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-kill-'));
  const settings = { ...servers.settings, VITRINE_SILENCE_MILLISECONDS: '1200' };
  const isEmbedded = servers.settings.CLICKHOUSE_URL === undefined;
  let service = await startService(folder, settings);
  try {
    const loads = [
      await importLoad(service, isEmbedded ? folder : undefined),
      await reportLoad(service),
      await unitCostLoad(service),
    ];
    const within = await warmUp(loads, service);
    for (let kill = 1; kill <= kills; kill++) {
      const isKilled = new AbortController();
      const running = loads.map((load) => load.run(service, isKilled.signal));
      await Promise.race([Promise.all(running), wait(Math.random() * within)]);
      isKilled.abort();
      if (victim === 'service') {
        await service.kill();
        await Promise.all(running);
        service = await startService(folder, settings);
      } else {
        await servers.kill(victim);
        await Promise.all(running);
        await servers.restart(victim);
      }
      await untilReady(service);
      for (const load of loads) await load.check(service);
      say(`${victim} killed ${kill} times: ${loads.map(shown).join('; ')}`);
    }
    for (const load of loads) await load.finish(service);
    return loads;
  } finally {
    await service.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The figures of a load in a sentence. */
export function shown({ name, acknowledged, met, damage }: Load): string {
  const { lost, doubled, torn, left } = damage;
  return (
    `${met} met ${name} (${acknowledged.toLocaleString('en')} acknowledged): ` +
    `${lost} lost, ${doubled} doubled, ${torn} half seen, ${left} left behind`
  );
}

/** Kills the service or a server, on the embedded pair or on the served one. */
export async function measureKills(victim: Victim, pair: Pair, extent: Extent): Promise<Finding> {
  const kills = amountOf(extent, killsInFull, killsInQuick);
  const servers = await Servers.start(pair === 'served' ? ['clickhouse', 'postgres'] : []);
  try {
    const loads = await killRepeatedly(victim, servers, kills, extent.say);
    return foundOf(kills, loads);
  } finally {
    await servers.stop();
  }
}

/** The finding about loads that have met kills. */
export function foundOf(kills: number, loads: readonly Load[]): Finding {
  const isKept = loads.every(({ damage }) => Object.values(damage).every((one) => one === 0));
  return found(isKept, `${kills} kills: ${loads.map(shown).join('; ')}`);
}
