/** The queue of questions: turns of organisations and keys, waiting, refusals and reports. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { HandClock } from '../../test/clock.ts';
import { Refusal } from '../contract/refusal.ts';
import { RequestAbandoned } from './errors.ts';
import { QuestionQueue, type QueueLimits } from './questionQueue.ts';
import type { Requester } from './warehouse.ts';

/** A queue whose questions have names; `log` has their names and ends in order. */
function opened(limits: Partial<QueueLimits> = {}) {
  const clock = new HandClock();
  const queue = new QuestionQueue(
    { runningMax: 2, organisationMax: 1, waitingMax: 10, waitMilliseconds: 10_000, ...limits },
    clock,
  );
  const log: string[] = [];
  const ends = new Map<string, () => void>();
  /** `acme/one 1` is a question of the key `one` of the organisation `acme`. */
  const ask = (name: string, more: Partial<Requester> = {}, signal?: AbortSignal) => {
    const [organisationId = '', keyId = ''] = name.split(' ')[0]!.split('/');
    void queue.acquire({ organisationId, keyId, ...more }, signal).then(
      (end) => {
        log.push(name);
        ends.set(name, end);
      },
      (error: unknown) => {
        if (error instanceof Refusal)
          log.push(`${name}: ${error.status} after ${error.headers['retry-after']}`);
        else log.push(`${name}: ${(error as Error).name}`);
      },
    );
  };
  /** The log since the last call. */
  const happened = async () => {
    await setImmediate();
    return log.splice(0);
  };
  const end = (name: string) => ends.get(name)!();
  return { clock, ask, end, happened };
}

test('turns go round the organisations, and within each round its keys', async () => {
  const { ask, end, happened } = opened({ runningMax: 1 });
  for (const name of ['acme/one 1', 'acme/one 2', 'acme/one 3', 'acme/two 1', 'beta/one 1'])
    ask(name);
  assert.deepEqual(await happened(), ['acme/one 1']);
  end('acme/one 1');
  assert.deepEqual(await happened(), ['beta/one 1']);
  ask('beta/one 2');
  end('beta/one 1');
  assert.deepEqual(await happened(), ['acme/two 1']);
  end('acme/two 1');
  assert.deepEqual(await happened(), ['beta/one 2']);
  end('beta/one 2');
  assert.deepEqual(await happened(), ['acme/one 2']);
  end('acme/one 2');
  assert.deepEqual(await happened(), ['acme/one 3']);
});

test('an organisation leaves room for others, however many questions it has', async () => {
  const { ask, end, happened } = opened({ runningMax: 3, organisationMax: 2 });
  for (const name of ['acme/one 1', 'acme/one 2', 'acme/one 3', 'acme/two 1']) ask(name);
  assert.deepEqual(await happened(), ['acme/one 1', 'acme/one 2']);
  ask('beta/one 1');
  assert.deepEqual(await happened(), ['beta/one 1']);
  ask('beta/one 2');
  assert.deepEqual(await happened(), []);
  end('beta/one 1');
  assert.deepEqual(await happened(), ['beta/one 2']);
});

test('a question waits for so long', async () => {
  const { clock, ask, end, happened } = opened();
  for (const name of ['acme/one 1', 'acme/one 2', 'acme/one 3', 'acme/two 1']) ask(name);
  assert.deepEqual(await happened(), ['acme/one 1']);
  clock.advance(9_999);
  assert.deepEqual(await happened(), []);
  clock.advance(1);
  assert.deepEqual(await happened(), [
    'acme/one 2: 503 after 10',
    'acme/one 3: 503 after 10',
    'acme/two 1: 503 after 10',
  ]);
  ask('acme/one 5');
  end('acme/one 1');
  assert.deepEqual(await happened(), ['acme/one 5']);
  assert.equal(clock.pending, 0);
});

test('a full queue refuses the newest question of the one that has the most', async () => {
  const { ask, happened } = opened({ runningMax: 1, waitingMax: 3 });
  for (const name of ['acme/one 1', 'acme/one 2', 'acme/one 3', 'acme/two 1']) ask(name);
  assert.deepEqual(await happened(), ['acme/one 1']);
  ask('beta/one 1');
  assert.deepEqual(await happened(), ['acme/one 3: 503 after 10']);
  ask('acme/three 1');
  assert.deepEqual(await happened(), ['acme/three 1: 503 after 10']);
  ask('beta/one 2');
  assert.deepEqual(await happened(), ['beta/one 2: 503 after 10']);
});

test('a client that leaves loses its place', async () => {
  const { ask, end, happened, clock } = opened();
  const leaving = new AbortController();
  ask('acme/one 1');
  ask('acme/one 2', {}, leaving.signal);
  ask('acme/one 3');
  leaving.abort();
  ask('acme/one 4', {}, leaving.signal);
  const gone = new RequestAbandoned().name;
  assert.deepEqual((await happened()).sort(), [
    'acme/one 1',
    `acme/one 2: ${gone}`,
    `acme/one 4: ${gone}`,
  ]);
  end('acme/one 1');
  assert.deepEqual(await happened(), ['acme/one 3']);
  assert.equal(clock.pending, 0);
});

test('reports let requests pass, wait for as long as it takes, and always have one turn', async () => {
  const { clock, ask, end, happened } = opened({ runningMax: 4, organisationMax: 4 });
  const isReport = true as const;
  for (const number of [1, 2, 3, 4]) ask(`acme/one ${number}`);
  for (const number of [1, 2, 3]) ask(`acme/report ${number}`, { isReport });
  ask('beta/one 1');
  const begun = ['acme/one 1', 'acme/one 2', 'acme/one 3', 'acme/one 4', 'acme/report 1'];
  assert.deepEqual(await happened(), begun);
  clock.advance(9_000);
  // Five run: a request gets a place only when two of them have ended.
  end('acme/one 1');
  assert.deepEqual(await happened(), []);
  end('acme/one 2');
  assert.deepEqual(await happened(), ['beta/one 1']);
  clock.advance(3_600_000);
  end('acme/one 3');
  assert.deepEqual(await happened(), ['acme/report 2']);
  // Reports take half of the turns at most.
  end('acme/one 4');
  assert.deepEqual(await happened(), []);
  end('acme/report 1');
  assert.deepEqual(await happened(), ['acme/report 3']);
});
