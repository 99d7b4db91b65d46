/** Each operator has a token with scopes, and a name in the audit log. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, type Method, onEachPair } from '../../../../test/harness.ts';
import { addRecords, recordsOf, refusalOf } from '../../../../test/records.ts';

onEachPair('operators', (world) => {
  const as = (token: string) => (method: Method, path: string, body?: object) =>
    world().ask(undefined, method, path, body, { authorization: `Bearer ${token}` });
  const create = (name: string, ...scopes: string[]) =>
    world().operate('POST', '/operator/operators', { name, scopes });

  test('each operator does what the scopes allow, under the own name in the audit log', async () => {
    const reader = as((await create('reader', 'read')).token);
    const importer = as((await create('importer', 'import')).token);
    const { operatorId, token } = await create('maria', 'administer');
    const maria = as(token);
    assert.match(token, /^vit_operator_[\w-]{43}$/);
    const { operators, total } = await world().operate('GET', '/operator/operators');
    const named = operators.map((one: Record<string, unknown>) => `${one.name} ${one.scopes}`);
    assert.deepEqual(named, ['importer import', 'maria administer', 'reader read']);
    assert.equal(total, 3);

    const newOne = { name: 'Acme' };
    const denied = (scope: string) => [403, `this operator token lacks the scope ${scope}`];
    const outcome = async (answering: Promise<Answer>) => {
      const { status, body } = await answering;
      return status === 403 ? [status, body.error] : status;
    };
    const rows = '/operator/imports/orderLines?channelId=none&format=ndjson';
    for (const [who, reads, imports, administers] of [
      [reader, 200, denied('import'), denied('administer')],
      [importer, denied('read'), 404, denied('administer')],
      [maria, 200, 404, 200],
    ] as const) {
      assert.deepEqual(await outcome(who('GET', '/operator/organisations')), reads);
      assert.deepEqual(await outcome(who('DELETE', '/operator/imports/999999/facts')), imports);
      const imported = await outcome(who('POST', rows));
      assert.equal(Array.isArray(imported), Array.isArray(imports));
      assert.deepEqual(await outcome(who('POST', '/operator/organisations', newOne)), administers);
    }
    const { organisationId } = (await maria('POST', '/operator/organisations', newOne)).body;
    const audit = `/operator/audit?subject=${organisationId}`;
    const [{ actor }, ...others] = (await world().operate('GET', audit)).entries;
    assert.deepEqual([actor, others], ['operator:maria', []]);
    const promotion = { name: 'own', scopes: ['administer'] };
    const promoting = await outcome(reader('POST', '/operator/operators', promotion));
    assert.deepEqual(promoting, denied('administer'));

    await world().operate('DELETE', `/operator/operators/${operatorId}`);
    assert.equal((await maria('GET', '/operator/organisations')).status, 401);
    const again = await world().operator('DELETE', `/operator/operators/${operatorId}`);
    assert.equal(again.status, 404);
  });

  test('a token is replaced without a gap, and names are not given twice', async () => {
    const { operatorId, token } = await create('nightly', 'read');
    const rotate = (graceSeconds: number) =>
      world().operate('POST', `/operator/operators/${operatorId}/rotate`, { graceSeconds });
    const works = async (one: string) =>
      (await as(one)('GET', '/operator/organisations')).status === 200;
    const { token: second } = await rotate(60);
    assert.deepEqual([await works(token), await works(second)], [true, true]);
    world().clock.now += 60_000;
    assert.deepEqual([await works(token), await works(second)], [false, true]);
    const { token: third } = await rotate(0);
    assert.deepEqual([await works(second), await works(third)], [false, true]);
    const same = { name: 'nightly', scopes: ['read'] };
    const taken = await world().operator('POST', '/operator/operators', same);
    assert.deepEqual(refusalOf(taken), [409, 'another operator has this name']);
    const none = '/operator/operators/none/rotate';
    assert.equal((await world().operator('POST', none, { graceSeconds: 0 })).status, 404);
  });

  test('an operator never gets the stored answers of an earlier one of the same name', async () => {
    const { operatorId, token } = await create('ana', 'administer');
    const ask = async (as: string) => {
      const headers = { authorization: `Bearer ${as}`, 'idempotency-key': 'one-call' };
      return (
        await world().ask(undefined, 'POST', '/operator/organisations', { name: 'A' }, headers)
      ).body.organisationId;
    };
    const first = await ask(token);
    assert.equal(await ask(token), first);
    await world().operate('DELETE', `/operator/operators/${operatorId}`);
    assert.deepEqual(
      await recordsOf(world(), 'idempotentRequest', { owner: `operator:${operatorId}` }),
      [],
    );
    assert.notEqual(await ask((await create('ana', 'administer')).token), first);
  });

  test('the audit log is filtered by time, author and operation, and exported in full', async () => {
    const second = Math.ceil(world().clock.now / 1000) + 86_400;
    const entry = { actor: 'operator:export', subject: 'exported', detail: '{"note":"a, b"}' };
    const made = Array.from({ length: 1_203 }, (_, number) => ({
      ...entry,
      at: (second + Math.floor(number / 401)) * 1000,
      action: number % 2 === 0 ? 'first' : '=second',
    }));
    for (let from = 0; from < made.length; from += 401)
      await addRecords(world(), 'auditEntry', ...made.slice(from, from + 401));
    const count = async (query: string) =>
      (await world().operate('GET', `/operator/audit?actor=operator:export&${query}`)).total;
    for (const [query, entries] of [
      ['', 1_203],
      [`since=${second + 1}`, 802],
      [`until=${second + 1}`, 401],
      [`since=${second + 1}&until=${second + 2}&action=first`, 200],
    ] as const)
      assert.equal(await count(query), entries, query);
    const exporting = (query: string) =>
      as(world().operatorToken)('GET', `/operator/audit/export?subject=exported${query}`);
    const exported = await exporting('');
    assert.match(String(exported.headers['content-type']), /^application\/x-ndjson/);
    const texts = String(exported.body).trimEnd().split('\n');
    const lines = texts.map((line) => JSON.parse(line));
    assert.equal(lines.length, 1_203);
    const { auditId, ...first } = lines[0];
    for (const [number, line] of lines.slice(1).entries())
      assert.ok(line.auditId > lines[number].auditId, `${number}`);
    assert.equal(typeof auditId, 'number');
    assert.deepEqual(first, { ...entry, at: second, action: 'first', detail: { note: 'a, b' } });
    const csv = await exporting(`&format=csv&since=${second + 2}`);
    assert.match(String(csv.headers['content-type']), /^text\/csv/);
    const table = String(csv.body).trimEnd().split('\r\n');
    assert.equal(table.length, 402);
    assert.equal(table[0], 'auditId,at,actor,action,subject,detail');
    const at = new Date((second + 2) * 1000).toISOString();
    const row = `,${at},operator:export,first,exported,"{""note"":""a, b""}"`;
    assert.ok(table[1]!.endsWith(row), table[1]);
    assert.ok(table[2]!.includes(`,'=second,`), table[2]);
  });
});
