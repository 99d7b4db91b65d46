import assert from 'node:assert/strict';
import { afterEach, before, beforeEach, mock, test } from 'node:test';
import { onEachPair, type Tenant } from '../../test/harness.ts';
import { StoreUnavailable } from '../engine/errors.ts';
import { createQueue, type JobQueue, leaseMilliseconds } from './queue.ts';
import { JobRefused, startWorker, type Work, type Worker } from './worker.ts';

onEachPair('the worker', (world) => {
  let acme: Tenant;
  let channel: { channelNumber: number; organisationId: string };
  let queue: JobQueue;
  let workers: Worker[];
  let told: string[];

  before(async () => {
    acme = await world().tenant();
    channel = await world()
      .registry.records.selectFrom('channel')
      .select(['channelNumber', 'organisationId'])
      .where('channelId', '=', acme.channelId)
      .executeTakeFirstOrThrow();
  });

  beforeEach(async () => {
    await world().registry.records.deleteFrom('job').execute();
    queue = createQueue(world().registry);
    workers = [];
    told = [];
  });

  afterEach(() => Promise.all(workers.map((worker) => worker.close())));

  /** Adds jobs in one transaction and announces them. */
  async function add(...payloads: unknown[]): Promise<string[]> {
    const ids = await world()
      .registry.records.transaction()
      .execute(async (transaction) => {
        const ids: string[] = [];
        for (const payload of payloads)
          ids.push(
            await queue.add(transaction, { kind: 'work', channel, userId: acme.userId, payload }),
          );
        return ids;
      });
    queue.announce();
    return ids;
  }

  function work(run: Work['run'], { inOrder = false, runningMax = 2, on = queue } = {}): Worker {
    const failed = (error: unknown, text: string) =>
      told.push(`${text}: ${(error as Error).message}`);
    const worker = startWorker({
      queue: on,
      works: { work: { inOrder, run } },
      failed,
      runningMax,
    });
    workers.push(worker);
    return worker;
  }

  /** A queue of which a test hears what is noted. */
  function watched(change: Partial<JobQueue> = {}): { on: JobQueue; noted: Promise<string> } {
    const { promise: noted, resolve } = Promise.withResolvers<string>();
    const on: JobQueue = {
      ...queue,
      ...change,
      async finish(job, result) {
        const isMine = await (change.finish ?? queue.finish)(job, result);
        resolve(`finish: ${JSON.stringify(result)}`);
        return isMine;
      },
      async fail(job, error) {
        const isMine = await (change.fail ?? queue.fail)(job, error);
        resolve(`fail: ${error}`);
        return isMine;
      },
    };
    return { on, noted };
  }

  test('A job that is announced is done at once, and one that was there before as well.', async () => {
    const [earlier] = await add('earlier');
    const first = watched();
    work(async ({ payload }) => ({ done: payload }), { on: first.on });
    assert.equal(await first.noted, 'finish: {"done":"earlier"}');
    assert.deepEqual((await queue.find('work', earlier!))?.result, { done: 'earlier' });
    await Promise.all(workers.splice(0).map((worker) => worker.close()));

    const { on, noted } = watched();
    work(async ({ payload }) => payload, { on });
    const before = performance.now();
    await add('later');
    assert.equal(await noted, 'finish: "later"');
    // The next look of its own would be after three seconds.
    assert.ok(performance.now() - before < 2_500);
  });

  test('So many jobs are done at a time as the worker may, and the others after them.', async () => {
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

  test('Jobs in order are done one after the other by several workers.', async () => {
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
    assert.deepEqual(told, []);
  });

  test('A job that is refused has failed for good, in the words of the refusal.', async () => {
    const { on, noted } = watched();
    let attempts = 0;
    work(
      async () => {
        attempts++;
        throw new JobRefused('it cannot be done');
      },
      { on },
    );
    const [jobId] = await add('work');
    assert.equal(await noted, 'fail: it cannot be done');
    const { state, error } = (await queue.find('work', jobId!))!;
    assert.deepEqual([state, error, attempts, told], ['failed', 'it cannot be done', 1, []]);
  });

  test('A job that fails is tried again, and after five attempts it is given up in plain words.', async () => {
    const { on, noted } = watched();
    let attempts = 0;
    work(
      async () => {
        attempts++;
        throw new Error('something inside');
      },
      { on },
    );
    const [jobId] = await add('work');
    assert.equal(await noted, 'fail: it was given up after 5 attempts');
    assert.equal(attempts, 5);
    assert.deepEqual(
      told,
      [1, 2, 3, 4, 5].map(
        (attempt) => `attempt ${attempt} at job ${jobId} has failed: something inside`,
      ),
    );
  });

  test('A job whose process has died at every attempt is given up without another.', async () => {
    let now = Date.now();
    const later = createQueue(world().registry, () => now);
    await add('deadly');
    for (let attempt = 1; attempt <= 5; attempt++) {
      assert.equal((await later.take('dead', { all: ['work'], inOrder: [] }))?.attempts, attempt);
      now += leaseMilliseconds;
    }
    const { on, noted } = watched({ take: later.take, fail: later.fail, extend: later.extend });
    let begun = 0;
    work(async () => ++begun, { on });
    assert.equal(await noted, 'fail: it was given up after 5 attempts');
    assert.equal(begun, 0);
  });

  test('A store that is away uses up no attempt, and the rests grow.', async () => {
    const rests: number[] = [];
    const { on, noted } = watched({
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
    assert.equal(await noted, 'finish: "done"');
    assert.deepEqual(attempts, [1, 1, 1, 1, 1]);
    assert.equal(rests[0], 250);
    // Each is as long as all before it.
    const sum = (numbers: readonly number[]) =>
      numbers.reduce((total, number) => total + number, 0);
    for (const [place, rest] of rests.entries())
      assert.ok(rest >= sum(rests.slice(0, place)), String(rests));
  });

  test('What a job came to is noted as soon as the registry is back.', async () => {
    let refusals = 3;
    const { on, noted } = watched({
      async finish(job, result) {
        if (refusals-- > 0) throw new StoreUnavailable('registry', new Error('gone'));
        return queue.finish(job, result);
      },
    });
    let attempts = 0;
    work(async () => ++attempts, { on });
    const [jobId] = await add('work');
    assert.equal(await noted, 'finish: 1');
    assert.equal((await queue.find('work', jobId!))?.state, 'done');
  });

  test('A queue that cannot be asked is told of once and asked again.', async () => {
    let refusals = 2;
    const { on, noted } = watched({
      async take(worker, kinds) {
        if (refusals-- > 0) throw new StoreUnavailable('registry', new Error('gone'));
        return queue.take(worker, kinds);
      },
    });
    await add('work');
    work(async () => 'done', { on });
    queue.announce();
    assert.equal(await noted, 'finish: "done"');
    assert.deepEqual(told, [
      'the queue of jobs cannot be asked: the registry is unavailable: gone',
    ]);
  });

  test('A worker holds its job while it works, and learns when it is not its own any more.', async () => {
    const answers: boolean[] = [];
    const { promise: isHeld, resolve: held } = Promise.withResolvers<void>();
    const { promise: isTaken, resolve: taken } = Promise.withResolvers<void>();
    const { on, noted } = watched();
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
    const later = createQueue(world().registry, () => Date.now() + 2 * leaseMilliseconds);
    const other = await later.take('other', { all: ['work'], inOrder: [] });
    taken();
    await noted;
    assert.deepEqual(answers, [true, false]);
    assert.equal((await queue.find('work', jobId!))?.state, 'running');
    assert.equal(await later.finish(other!, 'other'), true);
    assert.equal((await queue.find('work', jobId!))?.result, 'other');
  });

  test('A job that can be stopped is given back when its worker closes, and the attempt does not count.', async () => {
    const { promise: isBegun, resolve: begun } = Promise.withResolvers<void>();
    const worker = work(async (_job, _hold, signal) => {
      begun();
      await new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason)),
      );
    });
    const [jobId] = await add('work');
    await isBegun;
    await worker.close();
    assert.equal((await queue.find('work', jobId!))?.state, 'waiting');
    assert.equal((await queue.take('next', { all: ['work'], inOrder: [] }))?.attempts, 1);
  });

  test('What a refusal hides from whoever asked is told to the log.', async () => {
    const { on, noted } = watched();
    work(
      async () => {
        throw new JobRefused('it cannot be done', new Error('something inside'));
      },
      { on },
    );
    const [jobId] = await add('work');
    assert.equal(await noted, 'fail: it cannot be done');
    assert.deepEqual(told, [`job ${jobId} has failed for good: it cannot be done`]);
  });

  test('The lease of a job is lengthened again and again as long as it is worked at, and no longer.', async () => {
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
    mock.timers.enable({ apis: ['setInterval'] });
    try {
      const extended: string[] = [];
      const { promise: isBegun, resolve: begun } = Promise.withResolvers<void>();
      const { on, noted } = watched({
        async extend({ jobId }) {
          extended.push(jobId);
          return true;
        },
      });
      const worker = work(
        async () => {
          begun();
          await mayEnd;
        },
        { on },
      );
      const [jobId] = await add('work');
      await isBegun;
      // Before each two thirds of it are over.
      for (let third = 1; third <= 4; third++) {
        mock.timers.tick(leaseMilliseconds / 3);
        assert.equal(extended.length, third);
      }
      assert.deepEqual(new Set(extended), new Set([jobId]));
      end();
      await noted;
      await worker.close();
      mock.timers.tick(leaseMilliseconds);
      assert.equal(extended.length, 4);
    } finally {
      end();
      mock.timers.reset();
    }
  });

  test('A worker that closes finishes what it has begun and takes nothing more.', async () => {
    const { promise: isBegun, resolve: begun } = Promise.withResolvers<void>();
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
    const worker = work(
      async () => {
        begun();
        await mayEnd;
      },
      { runningMax: 1 },
    );
    const [first, second] = await add('first', 'second');
    await isBegun;
    const closing = worker.close();
    end();
    await closing;
    queue.announce();
    assert.equal((await queue.find('work', first!))?.state, 'done');
    assert.equal((await queue.find('work', second!))?.state, 'waiting');
  });
});
