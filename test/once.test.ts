/**
 * A call with an Idempotency-Key is done once, and the same call again gets the same answer, for 24
 * hours.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import Type from 'typebox';
import { pruneIdempotentRequests } from '../src/access/idempotency.ts';
import { type Contract, contract } from '../src/contract/endpoint.ts';
import { Refusal } from '../src/contract/refusal.ts';
import { NoAnswer, Text } from '../src/contract/shapes.ts';
import { publicContracts } from '../src/endpoints/contracts.ts';
import type { Context, Endpoint } from '../src/endpoints/handler.ts';
import { writeAudit } from '../src/engine/registry.ts';
import {
  type Answer,
  eachPair,
  onEachPair,
  onePair,
  type Tenant,
  testOnOnePair,
  type World,
} from './harness.ts';
import { recordsOf } from './records.ts';

const words = { summary: 'An example', description: 'It exists only here.' };
const day = 24 * 3_600_000;

type Gate = Readonly<Record<'entered' | 'opened', PromiseWithResolvers<void>>>;
/** The gates at which calls wait, by name; only the first call of a name waits. */
const gates = new Map<string, Gate>();

function gate(name: string): Gate {
  const made = { entered: Promise.withResolvers<void>(), opened: Promise.withResolvers<void>() };
  gates.set(name, made);
  return made;
}

/** Records the handler's work as an audit event, so that work not done is absent. */
async function leaveMark(name: string, { commit, now }: Context) {
  const waiting = gates.get(name);
  gates.delete(name);
  waiting?.entered.resolve();
  await waiting?.opened.promise;
  return commit(async (transaction) => {
    const entry = { action: 'mark', subject: name, detail: {} };
    await writeAudit(transaction, now(), 'test', entry);
    return { mark: randomUUID(), secret: 'canary-answer' };
  });
}

const Marked = Type.Object({ mark: Type.String(), secret: Type.String() });
const body = Type.Object({ name: Text(), how: Type.Optional(Text()) });

const named = { ...words, access: 'key', body } as const;
const marking = { ...named, method: 'POST', answer: Marked } as const;
const markId = Type.Object({ markId: Text() });
const change = { operation: 'changeMark', method: 'PATCH', path: '/marks/{markId}' } as const;
const changing = { ...named, ...change, idempotencyKey: true } as const;

const examples: readonly Endpoint[] = [
  {
    contract: contract({ ...marking, operation: 'mark', path: '/marks', idempotencyKey: true }),
    async handler({ name, how }: { name: string; how?: string }, context) {
      if (how === 'missing') throw new Refusal(404, 'there is no such thing');
      if (how === 'conflict') throw new Refusal(409, 'it is in the way');
      if (how === 'nothing') return { mark: randomUUID(), secret: 'nothing was changed' };
      const marked = await leaveMark(name, context);
      if (how === 'breaks') throw new Error('after the commit');
      return marked;
    },
  },
  {
    contract: contract({ ...changing, pathParameters: markId, answer: NoAnswer }),
    async handler({ name }: { name: string }, context) {
      await leaveMark(name, context);
    },
  },
  {
    contract: contract({ ...marking, operation: 'markAgain', path: '/marks/again' }),
    handler: ({ name }: { name: string }, context) => leaveMark(name, context),
  },
];

const marksOf = async (world: World, subject: string): Promise<number> =>
  (await recordsOf(world, 'auditEntry', { action: 'mark', subject })).length;

/** The status, and whether the answer is an earlier one. */
const outcome = ({ status, headers }: Answer) => [status, headers['idempotency-replayed'] ?? 'new'];

const stillRunning = /^a request with this idempotency-key is still running: try again shortly$/;
const refused = (answer: Answer, status: number, text: RegExp) => {
  assert.equal(answer.status, status, JSON.stringify(answer.body));
  assert.deepEqual(Object.keys(answer.body), ['status', 'error']);
  assert.match(answer.body.error, text);
};

test('every operation that changes something takes a key, but for deletions', () => {
  // Naming a code twice is the same as once, so it needs no key.
  const verbs = /^(?:change|convert|create|replay|rotate|run|save(?!Code)|test)[A-Z]/;
  const contracts: readonly Contract[] = Object.values(publicContracts);
  const changing = contracts.filter(({ operation }) => verbs.test(operation));
  assert.deepEqual(
    changing.map(({ operation }) => operation),
    contracts.filter((one) => one.idempotencyKey === true).map(({ operation }) => operation),
  );
});

onEachPair(
  'calls with an Idempotency-Key',
  (world, pair) => {
    const testOnce = testOnOnePair(pair);
    let tenant: Tenant | undefined;
    const call = async (keyHash: string, sent: unknown, path = '/marks') => {
      tenant ??= await world().tenant();
      const method = /\d$/.test(path) ? 'PATCH' : 'POST';
      return world().ask(tenant.key, method, path, sent, { 'idempotency-key': keyHash });
    };

    test('200: the same call again is not done again, and answers the same and says so', async () => {
      const first = await call('twice', { name: 'twice' });
      assert.deepEqual(outcome(first), [200, 'new']);
      assert.equal(first.headers['idempotency-replayed'], undefined);
      for (let time = 0; time < 2; time += 1) {
        const again = await call('twice', { name: 'twice' });
        assert.deepEqual(outcome(again), [200, 'true']);
        assert.deepEqual(again.body, first.body);
      }
      assert.equal(await marksOf(world(), 'twice'), 1);
    });

    testOnce('200: an unknown field is no part of the call, however deep it is', async () => {
      const nested = `{"name":"nested","unknown":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
      const answers = [await call('nested', nested), await call('nested', { name: 'nested' })];
      const outcomes = answers.map((answer) => outcome(answer).join(' '));
      assert.deepEqual(outcomes, ['200 new', '200 true']);
      assert.deepEqual(answers[0]!.body, answers[1]!.body);
    });

    testOnce('200: an answer without a body is repeated without one', async () => {
      for (const how of ['new', 'true']) {
        const answer = await call('silent', { name: 'silent' }, '/marks/1');
        assert.deepEqual([...outcome(answer), answer.body], [200, how, '']);
      }
      assert.equal(await marksOf(world(), 'silent'), 1);
    });

    testOnce('200: a call that found nothing to change is over as well', async () => {
      const first = await call('idle', { name: 'idle', how: 'nothing' });
      const again = await call('idle', { name: 'idle', how: 'nothing' });
      assert.deepEqual([first.status, ...outcome(again)], [200, 200, 'true']);
      assert.deepEqual(again.body, first.body);
    });

    testOnce('200: the same call written in another way is the same', async () => {
      const first = await call('written', { name: 'written', how: 'well' });
      const again = await call('written', '{ "how": "well", "unknown": 1,\n "name": "written" }');
      assert.deepEqual([...outcome(again), again.body], [200, 'true', first.body]);
      assert.equal(await marksOf(world(), 'written'), 1);
    });

    testOnce('422: the key of another body, and that of another operation or path', async () => {
      await call('taken', { name: 'taken' });
      const text = /^this idempotency-key was used for another request: use a new one$/;
      refused(await call('taken', { name: 'another' }), 422, text);
      refused(await call('taken', { name: 'taken' }, '/marks/1'), 422, text);
      await call('patched', { name: 'patched' }, '/marks/1');
      refused(await call('patched', { name: 'patched' }, '/marks/2'), 422, text);
      assert.equal(await marksOf(world(), 'taken'), 1);
      assert.equal(await marksOf(world(), 'another'), 0);
    });

    test('409: of two calls at once, one runs and the other is to retry', async () => {
      const { entered, opened } = gate('twins');
      const running = call('twins', { name: 'twins' });
      await entered.promise;
      const early = await call('twins', { name: 'twins' });
      refused(early, 409, stillRunning);
      assert.equal(early.headers['retry-after'], '1');
      refused(await call('twins', { name: 'other' }), 422, /another request/);
      opened.resolve();
      const first = await running;
      assert.equal(first.status, 200);
      assert.deepEqual((await call('twins', { name: 'twins' })).body, first.body);
      assert.equal(await marksOf(world(), 'twins'), 1);
    });

    test('200: of many calls at the same moment one runs', async () => {
      const calls = Array.from({ length: 12 }, () => call('crowd', { name: 'crowd' }));
      const answers = await Promise.all(calls);
      assert.ok(answers.some((answer) => isDeepStrictEqual(outcome(answer), [200, 'new'])));
      const done = answers.filter(({ status }) => status !== 409);
      assert.deepEqual([...new Set(done.map(({ status }) => status))], [200]);
      assert.equal(new Set(done.map((answer) => answer.body.mark)).size, 1);
      assert.equal(await marksOf(world(), 'crowd'), 1);
    });

    testOnce('200: after a refusal the key may be used again, also for another call', async () => {
      assert.equal((await call('rule', {})).status, 400);
      assert.equal((await call('rule', { name: 'rule' })).status, 200);
      for (const [how, status] of Object.entries({ missing: 404, conflict: 409 })) {
        assert.equal((await call(how, { name: how, how })).status, status);
        assert.equal((await call(how, { name: how, how })).status, status);
        assert.deepEqual(outcome(await call(how, { name: how })), [200, 'new']);
        assert.equal(await marksOf(world(), how), 1);
      }
    });

    test('200: an answer committed before its handler failed is repeated, and the work not redone', async () => {
      assert.equal((await call('broken', { name: 'broken', how: 'breaks' })).status, 500);
      const again = await call('broken', { name: 'broken', how: 'breaks' });
      assert.deepEqual(outcome(again), [200, 'true']);
      assert.equal(await marksOf(world(), 'broken'), 1);
    });

    testOnce('200: the same key of another user is another key', async () => {
      const first = await call('mine', { name: 'mine' });
      const other = await world().tenant();
      const header = { 'idempotency-key': 'mine' };
      const theirs = await world().ask(other.key, 'POST', '/marks', { name: 'theirs' }, header);
      assert.deepEqual(outcome(theirs), [200, 'new']);
      assert.notEqual(theirs.body.mark, first.body.mark);
    });

    testOnce('400: a key that is empty, too long or not of visible characters', async () => {
      for (const wrong of ['', ' ', 'a b', 'x'.repeat(256), 'é', 'a\tb'])
        refused(await call(wrong, { name: 'wrong' }), 400, /idempotency-key/);
      const both = /^the header idempotency-key must be .*, name is required$/;
      refused(await call('a b', {}), 400, both);
      for (const right of ['x'.repeat(255), '"8e03978e-40d5-43dd-bc93-6894a57f9324"'])
        assert.equal((await call(right, { name: 'long' })).status, 200);
      assert.equal(await marksOf(world(), 'wrong'), 0);
    });

    testOnce('200: an operation that is not done once takes no notice of the header', async () => {
      for (const keyHash of ['ignored', 'ignored', 'a b']) {
        const answer = await call(keyHash, { name: 'ignored' }, '/marks/again');
        assert.deepEqual(outcome(answer), [200, 'new']);
      }
      assert.equal(await marksOf(world(), 'ignored'), 3);
    });

    test('neither the key, nor the body, nor the answer is stored as it came', async () => {
      await call('canary-key', { name: 'canary-body' });
      const stored = await recordsOf(world(), 'idempotentRequest', {});
      assert.ok(stored.length > 0);
      assert.doesNotMatch(JSON.stringify(stored), /canary/);
      for (const { answer } of stored) assert.match(answer!, /^v1\./);
    });
  },
  { endpoints: examples },
);

onePair(
  'an answer is repeated for 24 hours and then forgotten',
  async (world) => {
    const { key } = await world.tenant();
    const call = (keyHash: string, name: string) =>
      world.ask(key, 'POST', '/marks', { name }, { 'idempotency-key': keyHash });
    const first = await call('kept', 'kept');
    world.clock.now += day - 1;
    assert.deepEqual((await call('kept', 'kept')).body, first.body);
    world.clock.now += 1;
    const anew = await call('kept', 'changed');
    assert.deepEqual(outcome(anew), [200, 'new']);
    assert.deepEqual(outcome(await call('kept', 'changed')), [200, 'true']);

    await call('old', 'old');
    world.clock.now += day / 2;
    await call('young', 'young');
    world.clock.now += day / 2 + 1;
    await pruneIdempotentRequests(world.registry, world.clock.now);
    assert.equal((await recordsOf(world, 'idempotentRequest', {})).length, 1);
    assert.deepEqual(outcome(await call('young', 'young')), [200, 'true']);
  },
  { endpoints: examples },
);

eachPair(
  'a call that seems dead is taken over after two minutes and can no longer commit',
  async (world) => {
    const { key } = await world.tenant();
    const call = () =>
      world.ask(key, 'POST', '/marks', { name: 'late' }, { 'idempotency-key': 'late' });
    const { entered, opened } = gate('late');
    const late = call();
    await entered.promise;
    world.clock.now += 120_000 - 1;
    refused(await call(), 409, stillRunning);
    assert.equal(await marksOf(world, 'late'), 0);
    world.clock.now += 1;
    const second = await call();
    assert.deepEqual(outcome(second), [200, 'new']);
    opened.resolve();
    refused(await late, 409, stillRunning);
    assert.equal(await marksOf(world, 'late'), 1);
    const again = await call();
    assert.deepEqual([...outcome(again), again.body], [200, 'true', second.body]);
  },
  { endpoints: examples },
);

onePair('the operator issues one key, however often the call is repeated', async (world) => {
  const { userId } = await world.tenant();
  const authorization = `Bearer ${world.operatorToken}`;
  const headers = { authorization, 'idempotency-key': `issue-${userId}` };
  const call = () => world.ask(undefined, 'POST', '/operator/keys', { userId }, headers);
  const first = await call();
  assert.equal(first.status, 200, JSON.stringify(first.body));
  const again = await call();
  assert.deepEqual([...outcome(again), again.body], [200, 'true', first.body]);
  assert.equal((await recordsOf(world, 'apiKey', { userId })).length, 2);
  const calls = await recordsOf(world, 'idempotentRequest', {});
  assert.doesNotMatch(JSON.stringify(calls), /vit_/);
});
