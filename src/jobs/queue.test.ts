/**
 * Jobs are taken in order, by one worker at a time that holds their lease, and are retained for a
 * while after they end.
 */
import assert from 'node:assert/strict';
import { before, beforeEach, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { onEachPair, type Tenant } from '../../test/harness.ts';
import { recordOf } from '../../test/records.ts';
import { ChannelGone, JobQueue, leaseMilliseconds, type TakenJob } from './queue.ts';
import type { JobKind } from './turns.ts';

const day = 86_400_000;
const start = Date.UTC(2026, 0, 15);

onEachPair('the queue of jobs', (world) => {
  let acme: Tenant;
  let channel: { channelNumber: number; organisationId: string };
  let other: { channelNumber: number; organisationId: string };
  let queue: JobQueue;
  let now: number;
  const shares = { organisationMax: 100, ownerMax: 100 };
  const loose: JobKind = { kind: 'loose', inOrder: false, ...shares };
  const ordered: JobKind = { kind: 'ordered', inOrder: true, ...shares };

  const records = () => world().registry.records;
  const channelOf = async (channelId: string) => {
    const { channelNumber, organisationId } = await recordOf(world(), 'channel', { channelId });
    return { channelNumber, organisationId };
  };

  before(async () => {
    acme = await world().tenant();
    channel = await channelOf(acme.channelId);
    other = await channelOf(await world().channel(acme.organisationId, `${acme.channelId} other`));
  });

  beforeEach(async () => {
    await records().deleteFrom('job').execute();
    now = start;
    queue = new JobQueue(world().registry, () => now);
  });

  const newJob = (payload: unknown) => ({
    kind: 'loose',
    channel,
    userId: acme.userId,
    owner: 'k',
    payload,
  });
  const add = (payload: unknown, kind = 'loose', of = channel, owner = 'k'): Promise<string> => {
    const job = { ...newJob(payload), kind, channel: of, owner };
    return records()
      .transaction()
      .execute((transaction) => queue.add(transaction, job));
  };

  async function take(worker: string, kinds = loose): Promise<TakenJob> {
    const job = await queue.take(worker, kinds);
    assert.ok(job, 'there is no job to be taken');
    return job;
  }

  /** Asserts that a worker has lost a job, whatever it reports about it. */
  async function isLost(job: TakenJob): Promise<void> {
    const words = [await queue.extend(job), await queue.finish(job, 1), await queue.fail(job, 'x')];
    assert.deepEqual(words, [false, false, false]);
  }

  /** The jobs that many workers take at the same time. */
  async function takeAtOnce(workers: number, kinds: JobKind): Promise<TakenJob[]> {
    const taken = await Promise.all(
      Array.from({ length: workers }, (_, number) => queue.take(`${number}`, kinds)),
    );
    // A worker that met a job that another was just taking has returned with nothing.
    let last = await queue.take('last', kinds);
    for (; last !== undefined; last = await queue.take('last', kinds)) taken.push(last);
    return taken.filter((job) => job !== undefined);
  }

  test('An added job waits, is taken with its payload, and ends with its result.', async () => {
    const jobId = await add({ text: 'ünïcode', list: [1, null] });
    const seen = { ...channel, error: null, result: undefined };
    const found = () => queue.find('loose', jobId);
    assert.deepEqual(await found(), { ...seen, state: 'waiting', startedAt: null });
    now += 5;
    const job = await take('a');
    assert.deepEqual(job.payload, { text: 'ünïcode', list: [1, null] });
    const shown = [job.jobId, job.userId, job.attempts, job.createdAt, job.startedAt, job.worker];
    assert.deepEqual(shown, [jobId, acme.userId, 1, start, start + 5, 'a']);
    const startedAt = start + 5;
    assert.deepEqual(await found(), { ...seen, state: 'running', startedAt });
    const result = { rows: 2 };
    assert.equal(await queue.finish(job, result), true);
    assert.deepEqual(await found(), { ...seen, state: 'done', startedAt, result });
    assert.equal(await queue.take('a', loose), undefined);
    assert.equal(await queue.find('ordered', jobId), undefined);
    assert.equal(await queue.find('loose', 'unknown'), undefined);
  });

  test('A worker takes the jobs of its kinds in the order in which they were added.', async () => {
    for (const name of ['first', 'second']) await add(name);
    await add('of another kind', 'ordered');
    assert.equal((await take('a')).payload, 'first');
    assert.equal((await take('b')).payload, 'second');
    assert.equal(await queue.take('a', loose), undefined);
    assert.equal((await take('a', ordered)).payload, 'of another kind');
  });

  test('A job exists once its transaction has committed, and never if that fails.', async () => {
    const failing = records()
      .transaction()
      .execute(async (transaction) => {
        await queue.add(transaction, newJob(1));
        throw new Error('on purpose');
      });
    await assert.rejects(failing, /on purpose/);
    assert.equal(await queue.take('a', loose), undefined);
  });

  test('Each job is taken by one of many concurrent workers.', async () => {
    const ids = await Promise.all(Array.from({ length: 40 }, (_, number) => add(number)));
    const found = await takeAtOnce(60, loose);
    assert.deepEqual(found.map(({ jobId }) => jobId).sort(), ids.toSorted());
    assert.ok(found.every(({ attempts }) => attempts === 1));
  });

  test('Only the holder of its lease works on a job, which is taken again when the lease ends.', async () => {
    const jobId = await add('work');
    const first = await take('a');
    now += leaseMilliseconds - 1;
    assert.equal(await queue.take('b', loose), undefined);
    assert.equal(await queue.extend(first), true);
    now += leaseMilliseconds - 1;
    assert.equal(await queue.take('b', loose), undefined);
    now += 1;
    const second = await take('b');
    assert.deepEqual([second.jobId, second.attempts, second.startedAt], [jobId, 2, start]);
    await isLost(first);
    assert.equal(await queue.release(first, { milliseconds: 0, counts: true }), false);
    assert.equal(await queue.finish(second, 'second'), true);
    assert.deepEqual((await queue.find('loose', jobId))?.result, 'second');
  });

  test('A worker that takes its own job again has a new lease.', async () => {
    await add('work');
    const before = await take('a');
    now += leaseMilliseconds;
    const after = await take('a');
    assert.equal(await queue.finish(before, 1), false);
    assert.equal(await queue.finish(after, 2), true);
  });

  test('A finished job does not change.', async () => {
    const jobId = await add('work');
    const job = await take('a');
    assert.equal(await queue.fail(job, 'it cannot be done'), true);
    await isLost(job);
    now += day;
    assert.equal(await queue.take('b', loose), undefined);
    const { state, error } = (await queue.find('loose', jobId))!;
    assert.deepEqual([state, error], ['failed', 'it cannot be done']);
  });

  test('A released job rests, and uses an attempt only if the release counts.', async () => {
    await add('work');
    const rest = { milliseconds: 1_000, counts: false };
    assert.equal(await queue.release(await take('a'), rest), true);
    now += 999;
    assert.equal(await queue.take('a', loose), undefined);
    now += 1;
    const again = await take('a');
    assert.equal(again.attempts, 1);
    await queue.release(again, { milliseconds: 0, counts: true });
    assert.equal((await take('b')).attempts, 2);
  });

  test('Jobs of a process that is known to have died are free at once.', async () => {
    const resting = await add('resting');
    await queue.release(await take('a'), { milliseconds: 1_000, counts: true });
    const jobId = await add('work');
    await take('a');
    await queue.releaseAll();
    assert.equal((await take('b')).jobId, jobId);
    assert.equal(await queue.take('b', loose), undefined);
    now += 1_000;
    assert.equal((await take('b')).jobId, resting);
  });

  test('A channel runs its oldest ordered job alone, even while that rests or has no worker.', async () => {
    for (const name of ['first', 'second', 'third']) await add(name, 'ordered');
    await add('elsewhere', 'ordered', other);
    const first = await take('a', ordered);
    assert.equal(first.payload, 'first');
    assert.equal((await take('a', ordered)).payload, 'elsewhere');
    assert.equal(await queue.take('b', ordered), undefined);
    await queue.release(first, { milliseconds: 1_000, counts: true });
    assert.equal(await queue.take('b', ordered), undefined);
    now += 1_000;
    assert.equal((await take('b', ordered)).payload, 'first');
    now += leaseMilliseconds;
    // Its worker has been silent for longer.
    assert.equal((await take('c', ordered)).payload, 'elsewhere');
    const third = await take('c', ordered);
    assert.deepEqual([third.payload, third.attempts], ['first', 3]);
    await queue.finish(third, null);
    const second = await take('c', ordered);
    assert.equal(second.payload, 'second');
    await queue.fail(second, 'it cannot be done');
    assert.equal((await take('c', ordered)).payload, 'third');
  });

  test('A job of a channel waits for an earlier one that is not committed yet.', async () => {
    const { registry } = world();
    const { promise: isAdded, resolve: added } = Promise.withResolvers<void>();
    const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>();
    const first = registry.records.transaction().execute(async (transaction) => {
      const job = { ...newJob('first'), kind: 'ordered' };
      const jobId = await queue.add(transaction, job);
      added();
      await mayCommit;
      return jobId;
    });
    await isAdded;
    const second = add('second', 'ordered');
    const raced = await Promise.race([second, delay(200, 'still waiting')]);
    commit();
    await Promise.all([first, second]);
    assert.equal(raced, 'still waiting');
    assert.equal((await take('a', ordered)).payload, 'first');
    assert.equal(await queue.take('a', ordered), undefined);
  });

  test('Concurrent workers keep to the maximum of running jobs of each organisation.', async () => {
    const counted: JobKind = { ...loose, organisationMax: 3 };
    const elsewhere = await world().tenant();
    for (let number = 0; number < 6; number++) await add(number);
    await add('of another kind', 'ordered');
    await add('of another organisation', 'loose', await channelOf(elsewhere.channelId));
    const found = await takeAtOnce(20, counted);
    const payloads = found.map(({ payload }) => payload).sort();
    assert.deepEqual(payloads, [0, 1, 2, 'of another organisation']);
    const mine = found
      .filter(({ payload }) => typeof payload === 'number')
      .sort((a, b) => a.sequence - b.sequence);
    await queue.finish(mine[0]!, null);
    assert.equal((await take('a', counted)).payload, 3);
    // A resting job is not running.
    await queue.release(mine[1]!, { milliseconds: 1_000, counts: true });
    assert.equal((await take('a', counted)).payload, 4);
    assert.equal(await queue.take('a', counted), undefined);
    // Nor is a job whose worker has fallen silent.
    now += leaseMilliseconds;
    assert.equal((await take('a', counted)).payload, 'of another organisation');
    // A first try comes before a retry; retries come in the order in which they are due.
    assert.equal((await take('a', counted)).payload, 5);
    assert.equal((await take('a', counted)).payload, 1);
  });

  test('Jobs go round the organisations, then round owners; first tries come before retries.', async () => {
    const elsewhere = await channelOf((await world().tenant()).channelId);
    for (const owner of ['a', 'a', 'a', 'b'])
      await add(`mine of ${owner}`, 'loose', channel, owner);
    const retried = await take('w');
    await queue.release(retried, { milliseconds: 0, counts: false });
    await add('new of a', 'loose', channel, 'a');
    for (const owner of ['c', 'c']) await add(`theirs of ${owner}`, 'loose', elsewhere, owner);
    const order: unknown[] = [];
    for (let job = await queue.take('w', loose); job; job = await queue.take('w', loose)) {
      order.push(job.jobId === retried.jobId ? 'the retry' : job.payload);
      await queue.finish(job, null);
    }
    const byTurns = [
      'theirs of c',
      'mine of b',
      'theirs of c',
      'mine of a',
      'mine of a',
      'new of a',
    ];
    assert.deepEqual(order, [...byTurns, 'the retry']);
  });

  test('An owner runs no more jobs than its share, and others of the organisation have theirs.', async () => {
    for (const owner of ['a', 'a', 'a', 'b']) await add(owner, 'loose', channel, owner);
    const found = await takeAtOnce(6, { ...loose, organisationMax: 3, ownerMax: 2 });
    assert.deepEqual(found.map(({ payload }) => payload).sort(), ['a', 'a', 'b']);
  });

  test('Workers count the running jobs of an organisation one after the other.', async () => {
    const { registry } = world();
    for (const name of ['first', 'second', 'third']) await add(name);
    await add('of another kind', 'ordered');
    await take('a');
    const addIfFewer = () =>
      registry.records.transaction().execute(async (transaction) => {
        const waiting = await queue.countWaiting(transaction, 'loose', channel.organisationId);
        if (waiting < 5) await queue.add(transaction, newJob('more'));
        return waiting;
      });
    const seen = await Promise.all(Array.from({ length: 6 }, addIfFewer));
    assert.deepEqual(seen.toSorted(), [2, 3, 4, 5, 5, 5]);
  });

  test('Pruning deletes jobs that finished 30 days ago, and no others.', async () => {
    const done = await add('done');
    await queue.finish(await take('a'), null);
    now += 1;
    const failed = await add('failed');
    await queue.fail(await take('a'), 'why');
    const waiting = await add('waiting');
    now = start + 30 * day + 1;
    assert.equal(await queue.find('loose', done), undefined);
    assert.ok(await queue.find('loose', failed));
    await queue.prune();
    now = start;
    assert.equal(await queue.find('loose', done), undefined);
    assert.ok(await queue.find('loose', failed));
    assert.ok(await queue.find('loose', waiting));
  });

  test('A listener hears announcements until it stops listening.', () => {
    const heard: string[] = [];
    const unlisten = queue.listen((kinds) => heard.push(...kinds));
    queue.announce('work', 'other');
    unlisten();
    queue.announce('work');
    assert.deepEqual(heard, ['work', 'other']);
  });

  test('Deleting a channel deletes its jobs, and no job can be added to it.', async () => {
    const channelId = await world().channel(acme.organisationId, `${acme.channelId} gone`);
    const gone = await channelOf(channelId);
    const jobId = await add('work', 'loose', gone);
    const job = await take('a');
    await world().operate('DELETE', `/operator/channels/${channelId}`);
    assert.equal(await queue.find('loose', jobId), undefined);
    assert.equal(await queue.finish(job, null), false);
    await assert.rejects(add('work', 'loose', gone), ChannelGone);
  });
});
