/** Calls wait for a server that answers probes, and fail once it is silent. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { HandClock } from '../../test/clock.ts';
import { StoreUnavailable } from './errors.ts';
import { ServerWatch } from './serverWatch.ts';

/** A watched server whose probes the test answers. */
function watched() {
  const clock = new HandClock();
  const probes: { answer: () => void; signal: AbortSignal }[] = [];
  const probe = (signal: AbortSignal) =>
    new Promise<void>((answer) => probes.push({ answer, signal }));
  const watch = new ServerWatch({ store: 'registry', probe, silenceMilliseconds: 900 }, clock);
  /** Lets 300 ms pass, and then whatever is due. */
  const tick = async () => {
    clock.advance(300);
    await turn();
  };
  return { clock, probes, watch, tick };
}

const never = () => new Promise<never>(() => {});

test('a call waits as long as probes are answered', async () => {
  const { clock, probes, watch, tick } = watched();
  const answer = Promise.withResolvers<string>();
  const call = watch.during(() => answer.promise);
  for (let ticks = 1; ticks <= 20; ticks++) {
    await tick();
    probes.at(-1)!.answer();
    await turn();
  }
  assert.equal(probes.length, 20);
  answer.resolve('late');
  assert.equal(await call, 'late');
  await tick();
  assert.deepEqual([probes.length, clock.pending], [20, 0], 'nobody waits, so nobody probes');
});

test('a silent server fails waiting calls, then further ones at once, until a probe is answered', async () => {
  const { clock, probes, watch, tick } = watched();
  let aborted = false;
  const failed = assert.rejects(
    watch.during((signal) => {
      signal.addEventListener('abort', () => {
        aborted = true;
      });
      return never();
    }),
    StoreUnavailable,
  );
  const patient = watch.during(never, 2);
  let hasPatientFailed = false;
  patient.catch(() => {
    hasPatientFailed = true;
  });
  for (let ticks = 1; ticks <= 3; ticks++) {
    assert.equal(aborted, false);
    await tick();
  }
  await failed;
  assert.deepEqual([aborted, hasPatientFailed, probes.length], [true, false, 1]);
  await assert.rejects(
    watch.during(() => assert.fail('nothing is sent')),
    StoreUnavailable,
  );
  for (let ticks = 4; ticks <= 6; ticks++) await tick();
  await assert.rejects(patient, StoreUnavailable);
  await tick();
  // The first probe's connection may be lost.
  assert.deepEqual([probes.length, probes[0]!.signal.aborted], [2, true]);
  probes[1]!.answer();
  await turn();
  assert.equal(await watch.during(async () => 'again'), 'again');
  await tick();
  assert.equal(clock.pending, 0);
});

test('an answer to any call shows that the server is there', async () => {
  const { watch, tick } = watched();
  const waiting = watch.during(never);
  waiting.catch(() => {});
  for (let ticks = 1; ticks <= 10; ticks++) {
    await tick();
    assert.equal(await watch.during(async () => ticks), ticks);
  }
  watch.close();
});
