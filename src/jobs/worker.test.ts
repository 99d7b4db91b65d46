/**
 * A worker takes jobs as they are announced, holds their leases, retries them or gives them up, and
 * releases them when it closes.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { afterEach, before, beforeEach, test as testOnEach } from 'node:test';
import { HandClock } from '../../test/clock.ts';
import { onEachPair, type Tenant, testOnOnePair, until } from '../../test/harness.ts';
import { recordOf } from '../../test/records.ts';
import { StoreUnavailable } from '../engine/errors.ts';
import { JobQueue, leaseMilliseconds, type WorkerQueue } from './queue.ts';
import { CutOff, type SlowLimits } from './slowLane.ts';
import { JobRefused, startWorker, type Work, type Worker } from './worker.ts';

const givenUp = 'fail: it failed 5 times: try again, or ask the operator of the service for help';

/** Work that ends when a test says so. */
function halted() {
  const { promise: isBegun, resolve: begun } = Promise.withResolvers<void>();
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
  const run = async () => {
    begun();
    await mayEnd;
  };
  return { run, isBegun, end };
}

const shares = { organisationMax: 100, ownerMax: 100 };

type Working = { inOrder?: boolean; runningMax?: number; on?: WorkerQueue; slow?: SlowLimits };

onEachPair('the worker', (world, pair) => {
  // Both stores treat jobs alike, which the tests of the queue compare.
  const test = testOnOnePair(pair);
  const records = () => world().registry.records;
  let acme: Tenant;
  let channel: { channelNumber: number; organisationId: string };
  let queue: JobQueue;
  let workers: Worker[];
  let logged: string[];
  let clock: HandClock;

  before(async () => {
    acme = await world().tenant();
    channel = await recordOf(world(), 'channel', { channelId: acme.channelId });
  });

  beforeEach(async () => {
    await records().deleteFrom('job').execute();
    // Pauses pass at once; polls and lease extensions wait until a test moves the clock.
    clock = new HandClock(Date.now(), (milliseconds) => milliseconds <= 2_000);
    queue = new JobQueue(world().registry, clock.now);
    workers = [];
    logged = [];
  });

  afterEach(() => Promise.all(workers.map((worker) => worker.close())));

  /** Adds jobs in one transaction and announces them. */
  async function add(...payloads: unknown[]): Promise<string[]> {
    const ids: string[] = [];
    await records()
      .transaction()
      .execute(async (transaction) => {
        const job = { kind: 'work', channel, userId: acme.userId, owner: 'k' };
        for (const payload of payloads) ids.push(await queue.add(transaction, { ...job, payload }));
      });
    queue.announce('work');
    return ids;
  }

  function work(
    run: Work['run'],
    { inOrder = false, runningMax = 2, on = queue, slow }: Working = {},
  ) {
    const onError = (error: unknown, text: string) =>
      logged.push(`${text}: ${(error as Error).message}`);
    const parts = { queue: on, kind: 'work', work: { inOrder, run }, onError, clock };
    const worker = startWorker({
      ...parts,
      shares: { ...shares, runningMax, ...(slow && { slow }) },
    });
    workers.push(worker);
    return worker;
  }

  /** A queue that resolves `recorded` with the outcome of a job. */
  function watched(change: Partial<WorkerQueue> = {}) {
    const { promise: recorded, resolve } = Promise.withResolvers<string>();
    const parts: WorkerQueue = {
      listen: (listener) => queue.listen(listener),
      take: (worker, kinds) => queue.take(worker, kinds),
      extend: (job) => queue.extend(job),
      release: (job, rest) => queue.release(job, rest),
      finish: (job, result) => queue.finish(job, result),
      fail: (job, error) => queue.fail(job, error),
      ...change,
    };
    const saying = (isMine: boolean, outcome: string) => {
      resolve(outcome);
      return isMine;
    };
    const on: WorkerQueue = {
      ...parts,
      finish: async (job, result) =>
        saying(await parts.finish(job, result), `finish: ${JSON.stringify(result)}`),
      fail: async (job, error) => saying(await parts.fail(job, error), `fail: ${error}`),
    };
    return { on, recorded };
  }

  testOnEach('an announced job starts at once, and so does one added earlier', async () => {
    const [earlier] = await add('earlier');
    const first = watched();
    work(async ({ payload }) => ({ done: payload }), { on: first.on });
    assert.equal(await first.recorded, 'finish: {"done":"earlier"}');
    assert.deepEqual((await queue.find('work', earlier!))?.result, { done: 'earlier' });
    await Promise.all(workers.splice(0).map((worker) => worker.close()));

    const { on, recorded } = watched();
    work(async ({ payload }) => payload, { on });
    await add('later');
    assert.equal(await recorded, 'finish: "later"');
  });

  test('a worker runs up to its maximum of jobs at the same time', async () => {
    let under = 0;
    let most = 0;
    const { promise: areThree, resolve: free } = Promise.withResolvers<void>();
    const { promise: allDone, resolve } = Promise.withResolvers<void>();
    const done: unknown[] = [];
    work(
      async ({ payload }) => {
        most = Math.max(most, ++under);
        if (under === 3) free();
        await areThree;
        await new Promise((next) => setImmediate(next));
        under--;
        if (done.push(payload) === 6) resolve();
      },
      { runningMax: 3 },
    );
    await add(1, 2, 3, 4, 5, 6);
    await allDone;
    assert.equal(most, 3);
    assert.deepEqual(done.toSorted(), [1, 2, 3, 4, 5, 6]);
  });

  test('a job that takes long leaves its place; of too many the oldest is cut off', async () => {
    const begun: string[] = [];
    const ended: string[] = [];
    const run: Work['run'] = async ({ jobId }, _extend, signal) => {
      begun.push(jobId);
      await once(signal, 'abort');
      if (signal.reason instanceof CutOff) ended.push(jobId);
    };
    work(run, { runningMax: 1, slow: { afterMilliseconds: 3_000, max: 1 } });
    const ids = await add(1, 2, 3);
    for (const count of [1, 2]) {
      await until(() => begun.length === count);
      assert.deepEqual(ended, []);
      clock.advance(3_000);
    }
    await until(() => begun.length === 3 && ended.length === 1);
    assert.deepEqual([begun, ended], [ids, ids.slice(0, 1)]);
  });

  testOnEach('several workers run ordered jobs one after the other', async () => {
    let under = 0;
    const done: unknown[] = [];
    const { promise: allDone, resolve } = Promise.withResolvers<void>();
    const run: Work['run'] = async ({ payload }) => {
      assert.equal(++under, 1);
      await new Promise((next) => setImmediate(next));
      under--;
      if (done.push(payload) === 8) resolve();
    };
    for (const _ of [1, 2, 3]) work(run, { inOrder: true });
    await add(1, 2, 3, 4, 5, 6, 7, 8);
    await allDone;
    assert.deepEqual(done, [1, 2, 3, 4, 5, 6, 7, 8]);
    assert.deepEqual(logged, []);
  });

  for (const [name, cause] of [
    ['a refused job fails for good with the message of the refusal', undefined],
    ['the cause of a refusal is logged', new Error('something inside')],
  ] as const)
    test(name, async () => {
      const { on, recorded } = watched();
      let attempts = 0;
      const fail = async () => {
        attempts++;
        throw new JobRefused('it cannot be done', cause);
      };
      work(fail, { on });
      const [jobId] = await add('work');
      assert.equal(await recorded, 'fail: it cannot be done');
      const { state, error } = (await queue.find('work', jobId!))!;
      const lines = cause ? [`job ${jobId} has failed for good: it cannot be done`] : [];
      assert.deepEqual([state, error, attempts, logged], ['failed', 'it cannot be done', 1, lines]);
    });

  test('a failing job is tried five times and then given up', async () => {
    const { on, recorded } = watched();
    let attempts = 0;
    const fail = async () => {
      attempts++;
      throw new Error('something inside');
    };
    work(fail, { on });
    const [jobId] = await add('work');
    assert.equal(await recorded, givenUp);
    assert.equal(attempts, 5);
    const failure = (attempt: number) =>
      `attempt ${attempt} at job ${jobId} has failed: something inside`;
    assert.deepEqual(logged, [1, 2, 3, 4, 5].map(failure));
  });

  test('a job whose process died at each of five attempts is not tried again', async () => {
    await add('deadly');
    for (let attempt = 1; attempt <= 5; attempt++) {
      assert.equal(
        (await queue.take('dead', { kind: 'work', inOrder: false, ...shares }))?.attempts,
        attempt,
      );
      clock.advance(leaseMilliseconds);
    }
    const { on, recorded } = watched();
    let begun = 0;
    work(async () => ++begun, { on });
    assert.equal(await recorded, givenUp);
    assert.equal(begun, 0);
  });

  test('an unavailable store uses no attempt, and rests double', async () => {
    const rests: number[] = [];
    const { on, recorded } = watched({
      async release(job, rest) {
        rests.push(rest.milliseconds);
        return queue.release(job, rest);
      },
    });
    const attempts: number[] = [];
    work(
      async (job) => {
        attempts.push(job.attempts);
        if (attempts.length <= 4) throw new StoreUnavailable('warehouse', new Error('gone'));
        return 'done';
      },
      { on },
    );
    await add('work');
    assert.equal(await recorded, 'finish: "done"');
    assert.deepEqual(attempts, [1, 1, 1, 1, 1]);
    assert.deepEqual(rests, [250, 250, 500, 1_000]);
  });

  test('a result is recorded as soon as the registry is back', async () => {
    let refusals = 3;
    const { on, recorded } = watched({
      async finish(job, result) {
        if (refusals-- > 0) throw new StoreUnavailable('registry', new Error('gone'));
        return queue.finish(job, result);
      },
    });
    let attempts = 0;
    work(async () => ++attempts, { on });
    const [jobId] = await add('work');
    assert.equal(await recorded, 'finish: 1');
    assert.equal((await queue.find('work', jobId!))?.state, 'done');
  });

  test('an unavailable queue is logged once and tried again', async () => {
    let refusals = 2;
    const { on, recorded } = watched({
      async take(worker, kinds) {
        if (refusals-- > 0) throw new StoreUnavailable('registry', new Error('gone'));
        return queue.take(worker, kinds);
      },
    });
    await add('work');
    work(async () => 'done', { on });
    queue.announce('work');
    assert.equal(await recorded, 'finish: "done"');
    assert.deepEqual(logged, ['the job queue is unavailable: the registry is unavailable: gone']);
  });

  testOnEach('a worker extends the lease of its job and learns when it has lost it', async () => {
    const answers: boolean[] = [];
    const { promise: isHeld, resolve: held } = Promise.withResolvers<void>();
    const { promise: isTaken, resolve: taken } = Promise.withResolvers<void>();
    const { on, recorded } = watched();
    work(
      async (_job, hold) => {
        answers.push(await hold());
        held();
        await isTaken;
        answers.push(await hold());
      },
      { on },
    );
    const [jobId] = await add('work');
    await isHeld;
    const later = new JobQueue(world().registry, () => clock.now() + 2 * leaseMilliseconds);
    const other = await later.take('other', { kind: 'work', inOrder: false, ...shares });
    taken();
    await recorded;
    assert.deepEqual(answers, [true, false]);
    assert.equal((await queue.find('work', jobId!))?.state, 'running');
    assert.equal(await later.finish(other!, 'other'), true);
    assert.equal((await queue.find('work', jobId!))?.result, 'other');
  });

  test('a closing worker releases a job that can be interrupted, and the attempt does not count', async () => {
    const begun = Promise.withResolvers<void>();
    const worker = work((_job, _hold, signal) => {
      begun.resolve();
      return once(signal, 'abort').then(() => signal.throwIfAborted());
    });
    const [jobId] = await add('work');
    await begun.promise;
    await worker.close();
    assert.equal((await queue.find('work', jobId!))?.state, 'waiting');
    assert.equal(
      (await queue.take('next', { kind: 'work', inOrder: false, ...shares }))?.attempts,
      1,
    );
  });

  test('the lease of a job is extended every third of its length while the job runs', async () => {
    const extended: string[] = [];
    const { run, isBegun, end } = halted();
    const { on, recorded } = watched({
      async extend({ jobId }) {
        extended.push(jobId);
        return true;
      },
    });
    const worker = work(run, { on });
    const [jobId] = await add('work');
    await isBegun;
    for (let third = 1; third <= 4; third++) {
      clock.advance(leaseMilliseconds / 3);
      assert.equal(extended.length, third);
    }
    assert.deepEqual(new Set(extended), new Set([jobId]));
    end();
    await recorded;
    await worker.close();
    clock.advance(leaseMilliseconds);
    assert.equal(extended.length, 4);
  });

  test('a closing worker finishes its jobs and takes no more', async () => {
    const { run, isBegun, end } = halted();
    const worker = work(run, { runningMax: 1 });
    const [first, second] = await add('first', 'second');
    await isBegun;
    const closing = worker.close();
    end();
    await closing;
    queue.announce('work');
    assert.equal((await queue.find('work', first!))?.state, 'done');
    assert.equal((await queue.find('work', second!))?.state, 'waiting');
  });
});
