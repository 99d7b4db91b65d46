/**
 * Slow, idle and half-open clients beside a normal one, in turn with the same clients at a sink: a
 * server that only reads. The difference is due to the service, not to the processors that clients
 * use.
 */
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { asServed, median } from '../bench/measure.ts';
import {
  attacks,
  measureWaits,
  openingMilliseconds,
  startAttack,
  startSink,
  type Waits,
} from '../test/hostile.ts';
import { freshService, makeCustomer, type Service } from '../test/service.ts';
import { busyShare, load } from './machine.ts';
import { type Extent, type Finding, found, notMeasured } from './promise.ts';

const roundsInFull = 5;
/** The connections of a kind. */
export const connections = { full: 1_000, quick: 50 };
const seconds = { full: 10, quick: 1 };
const ratioMax = 1.2;
/** Beyond this use by other programs, times say nothing about the service. */
const busyShareMax = 0.1;
const busyMilliseconds = 5_000;
const settleMilliseconds = 1_000;

/** The waits beside clients of the sink, and beside clients of the service. */
type Pair = { readonly elsewhere: Waits; readonly beside: Waits };

async function measureKind(name: string, { isQuick, share, say }: Extent): Promise<Pair[]> {
  const size = isQuick ? 'quick' : 'full';
  await using service = await freshService({}, asServed);
  const sink = await startSink();
  try {
    const { key } = await makeCustomer(service, 'own');
    const { key: hostileKey } = await makeCustomer(service, 'hostile');
    const waitsBeside = async (attacked: Pick<Service, 'address'>) => {
      const child = startAttack(name, attacked, connections[size], hostileKey);
      await wait(openingMilliseconds(name, connections[size]));
      const waits = await measureWaits(service, key, seconds[size]);
      child.kill('SIGKILL');
      await once(child, 'exit');
      await wait(settleMilliseconds);
      return waits;
    };
    await measureWaits(service, key, seconds[size]);
    const pairs: Pair[] = [];
    const rounds = isQuick ? 1 : Math.ceil(roundsInFull * share);
    for (let round = 0; round < rounds; round++) {
      const elsewhere = await waitsBeside(sink);
      const beside = await waitsBeside(service);
      pairs.push({ elsewhere, beside });
      say(`${name}: p99 ${elsewhere.p99} to ${beside.p99} ms, ${beside.failed} failed`);
    }
    return pairs;
  } finally {
    sink.stop();
  }
}

/** The median of the rounds' p99: one round that something else disturbed does not decide. */
function p99Of(rounds: readonly Waits[]): number {
  return median(rounds.map(({ p99 }) => p99));
}

/** Opens slow, idle and half-open connections beside another client. */
export async function measureSlowClients(extent: Extent): Promise<Finding> {
  const busy = await busyShare(busyMilliseconds);
  if (!extent.isQuick && busy > busyShareMax)
    return notMeasured(
      `other programs used ${Math.round(busy * 100)} % of the processors (load ${load()}): ` +
        'run it on an idle machine',
    );
  const shown: string[] = [];
  let isKept = true;
  for (const name of Object.keys(attacks)) {
    const pairs = await measureKind(name, extent);
    const elsewhere = p99Of(pairs.map((pair) => pair.elsewhere));
    const beside = p99Of(pairs.map((pair) => pair.beside));
    const ratio = beside / elsewhere;
    const failed = pairs.reduce((total, pair) => total + pair.beside.failed, 0);
    isKept &&= ratio <= ratioMax && failed === 0;
    shown.push(`${name} ${ratio.toFixed(2)} (${elsewhere} to ${beside} ms, ${failed} failed)`);
  }
  const busyText = `others used ${Math.round(busy * 100)} % of the processors before`;
  return found(isKept, `ratio of the p99 ${shown.join(', ')}; ${busyText}`);
}
