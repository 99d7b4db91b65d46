/** The operator books financial codes on other lines by own codes, which precede shipped ones. */
import assert from 'node:assert/strict';
import { randomBytes, randomInt } from 'node:crypto';
import { test } from 'node:test';
import { type Method, onEachPair, testOnOnePair } from '../../../../test/harness.ts';
import { auditOf, refusalOf } from '../../../../test/records.ts';

type Names = Readonly<Record<string, string>>;
type Entry = { readonly [name in 'type' | 'component' | 'code' | 'origin']: string };
const path = '/operator/financeCodes';
const queryOf = (fields: Names) => `?${new URLSearchParams(fields)}`;
const advice =
  'Documents that were imported earlier stay as they are booked: import them again to book them again.';

onEachPair('an operator’s own financial codes', (world, pair) => {
  const testOnce = testOnOnePair(pair);
  const list = async (fields: Names): Promise<{ financeCodes: Entry[]; total: number }> =>
    world().operate('GET', path + queryOf(fields));
  const booking = (fields: Names) => world().operate('GET', `${path}/booking${queryOf(fields)}`);
  const save = (fields: Names) => world().operate('PUT', path, fields);
  const remove = (fields: Names) => world().operator('DELETE', path + queryOf(fields));
  const refused = async (method: Method, fields: Names, status: number, error: string) => {
    const isSaving = method === 'PUT';
    const address = isSaving ? path : path + queryOf(fields);
    const answer = await world().operator(method, address, isSaving ? fields : undefined);
    assert.deepEqual(refusalOf(answer), [status, error], fields.code);
  };

  test('200: a code is saved, listed first, found, replaced and deleted, and what is shipped counts again', async () => {
    const source = { source: 'returns' };
    const others = { type: '*', component: '*', code: 'Own|Other*' };
    const names = { ...source, ...others };
    const now = Math.floor(world().clock.now / 1000);
    const made = { ...names, line: 'cogs', origin: 'own', createdAt: now, updatedAt: now };
    const times = { createdAt: null, updatedAt: null };
    const shipped = { ...names, code: '*', line: 'refunds', origin: 'shipped', ...times };
    const byShipped = { line: 'refunds', entry: shipped };
    const saved = await save({ ...source, code: ' Own|Other* ', line: 'cogs' });
    assert.deepEqual(saved, { ...made, advice });
    assert.deepEqual(await list(source), { financeCodes: [made, shipped], total: 2 });
    const byOwn = { line: 'cogs', entry: made };
    assert.deepEqual(await booking({ ...source, code: 'otherwise' }), byOwn);
    assert.deepEqual(await booking({ ...source, code: 'neither' }), byShipped);
    world().clock.now += 5_000;
    const replaced = { ...made, line: 'balance', updatedAt: now + 5 };
    // Names in another letter case are the same names, and stay as they were first written.
    const again = await save({ ...names, code: 'OWN|other*', line: 'balance' });
    assert.deepEqual(again, { ...replaced, advice });
    assert.deepEqual(await list(source), { financeCodes: [replaced, shipped], total: 2 });
    assert.equal((await remove({ ...names, code: 'own|OTHER*' })).body, '');
    assert.deepEqual(await booking({ ...source, code: 'Own' }), byShipped);
    const none = 'there is no such own code: source, type, component and code name it';
    await refused('DELETE', names, 404, none);
    assert.deepEqual(await auditOf(world(), 'returns'), [
      ['deleteFinanceCode', { ...others, line: 'balance' }],
      ['saveFinanceCode', { ...others, line: 'balance' }],
      ['saveFinanceCode', { ...others, line: 'cogs' }],
    ]);
  });

  testOnce(
    '409: a shipped code stays; another line saved for its names goes before it, and can be deleted',
    async () => {
      const source = { source: 'reimbursements' };
      const names = { ...source, type: '*', component: '*', code: '*' };
      const shipped =
        'shipped codes cannot be deleted: save the same names with another line, which takes precedence';
      await refused('DELETE', names, 409, shipped);
      await save({ ...names, line: 'otherIncome' });
      assert.equal((await booking(source)).line, 'otherIncome');
      assert.equal((await remove(names)).status, 200);
      assert.equal((await booking(source)).line, 'reimbursements');
      await refused('DELETE', names, 409, shipped);
    },
  );

  testOnce('200: what no code fits has no line', async () => {
    const unheard = { source: 'settlement', type: 'Order', component: 'Unheard', code: 'Of' };
    for (const fields of [unheard, { source: 'settlement' }])
      assert.deepEqual(await booking(fields), { line: null, entry: null });
  });

  test('200: the list is that of a source or a line, page by page, own codes in the order of their names', async () => {
    const names = { source: 'economics', line: 'advertisingSpend' };
    const shipped = await list(names);
    const components = shipped.financeCodes.map(
      ({ component, origin }) => `${component} ${origin}`,
    );
    assert.deepEqual(components, ['ads shipped']);
    for (const [type, code] of ['ba', 'ab', 'Bc', 'aa'])
      await save({ ...names, type: type!, code: code! });
    await save({ ...names, type: 'a', code: 'c', line: 'cogs' });
    const pages = ['0', '1', '2'].map(async (pageIndex) => {
      const { financeCodes, total } = await list({ ...names, pageSize: '3', pageIndex });
      return [financeCodes.map(({ type, code, origin }) => `${type}/${code} ${origin}`), total];
    });
    assert.deepEqual(await Promise.all(pages), [
      [['B/c own', 'a/a own', 'a/b own'], 5],
      [['b/a own', '*/* shipped'], 5],
      [[], 5],
    ]);
    // All sources: the own ones stand before all that are shipped.
    const { financeCodes } = await list({ pageSize: '1000' });
    const origins = financeCodes.map(({ origin }) => origin);
    assert.deepEqual(origins, [...origins].sort());
  });

  testOnce('200: names may be several, and end with a star', async () => {
    for (const code of ['a', '*', 'a*', 'a *', 'a b|c*|d', 'FBA Inventory - *|x']) {
      assert.equal((await save({ source: 'economics', code, line: 'sales' })).code, code);
      await remove({ source: 'economics', code });
    }
  });

  test('200: both stores accept names as long as they may be; beyond that 400', async () => {
    // Not to be compressed: PostgreSQL bounds what a key has in bytes.
    const text = (bytes: number) => randomBytes(bytes).toString('hex').slice(0, bytes);
    const source = { source: 'settlement' };
    const names = { ...source, type: text(600), component: text(600), code: text(600) };
    await save({ ...names, line: 'sales' });
    assert.equal((await booking(source)).line, null);
    assert.equal((await remove(names)).status, 200);
    const wide = () => String.fromCodePoint(0x1_0000 + randomInt(0xf_0000));
    const [type = '', component = '', code = ''] = [1, 2, 3].map(() =>
      Array.from({ length: 201 }, wide).join(''),
    );
    const tooLong = 'type and component and code must have at most 2400 bytes together';
    await refused('PUT', { ...source, type, component, code, line: 'sales' }, 400, tooLong);
    // Each takes two units of a string, and 400 of them take 800 bytes.
    const [first, second, third] = [type, component, code].map((one) => one.slice(0, 400));
    await save({ ...source, type: first!, component: second!, code: third!, line: 'sales' });
    assert.equal((await list(source)).financeCodes[0]!.code, third);
    assert.equal((await remove({ ...names, code: text(601) })).status, 400);
  });
});
