import assert from 'node:assert/strict';
import { randomBytes, randomInt } from 'node:crypto';
import { test } from 'node:test';
import { type Answer, onEachPair } from '../../../../test/harness.ts';

type Entry = {
  source: string;
  type: string;
  component: string;
  code: string;
  line: string;
  origin: string;
};
const refusal = ({ status, body }: Answer) => [status, body.error];
const path = '/operator/financeCodes';
const queryOf = (fields: Record<string, string>) => `?${new URLSearchParams(fields)}`;
const advice =
  'Documents that were imported earlier stay as they are booked: import them again to book them again.';

onEachPair('an operator’s own financial codes', (world) => {
  const list = async (
    fields: Record<string, string> = {},
  ): Promise<{ financeCodes: Entry[]; total: number }> =>
    world().operate('GET', path + queryOf(fields));
  const booking = (fields: Record<string, string>) =>
    world().operate('GET', `${path}/booking${queryOf(fields)}`);

  test('200: a code is saved, listed first, asked for, replaced and deleted, and what is shipped counts again', async () => {
    const names = { source: 'returns', type: '*', component: '*', code: 'Own|Other*' };
    const now = Math.floor(world().clock.now / 1000);
    const made = { ...names, line: 'cogs', origin: 'own', createdAt: now, updatedAt: now };
    const shipped = {
      ...names,
      code: '*',
      line: 'refunds',
      origin: 'shipped',
      createdAt: null,
      updatedAt: null,
    };
    assert.deepEqual(
      await world().operate('PUT', path, { source: 'returns', code: ' Own|Other* ', line: 'cogs' }),
      { ...made, advice },
    );
    assert.deepEqual(await list({ source: 'returns' }), {
      financeCodes: [made, shipped],
      total: 2,
    });
    assert.deepEqual(await booking({ source: 'returns', code: 'otherwise' }), {
      line: 'cogs',
      entry: made,
    });
    assert.deepEqual(await booking({ source: 'returns', code: 'neither' }), {
      line: 'refunds',
      entry: shipped,
    });
    world().clock.now += 5_000;
    const replaced = { ...made, line: 'balance', updatedAt: now + 5 };
    // Names in another letter case are the same names, and stay as they were first written.
    assert.deepEqual(
      await world().operate('PUT', path, { ...names, code: 'OWN|other*', line: 'balance' }),
      { ...replaced, advice },
    );
    assert.deepEqual(await list({ source: 'returns' }), {
      financeCodes: [replaced, shipped],
      total: 2,
    });
    assert.equal(
      (await world().operator('DELETE', path + queryOf({ ...names, code: 'own|OTHER*' }))).body,
      '',
    );
    assert.deepEqual(await booking({ source: 'returns', code: 'Own' }), {
      line: 'refunds',
      entry: shipped,
    });
    assert.deepEqual(refusal(await world().operator('DELETE', path + queryOf(names))), [
      404,
      'there is no such own code: source, type, component and code name it',
    ]);
    const { entries } = await world().operate('GET', '/operator/audit?subject=returns');
    const { source: _, ...others } = names;
    assert.deepEqual(
      entries.map(({ action, detail }: { action: string; detail: object }) => [action, detail]),
      [
        ['deleteFinanceCode', { ...others, line: 'balance' }],
        ['saveFinanceCode', { ...others, line: 'balance' }],
        ['saveFinanceCode', { ...others, line: 'cogs' }],
      ],
    );
  });

  test('409: a shipped code stays; another line saved for its names goes before it, and can be deleted', async () => {
    const names = { source: 'reimbursements', type: '*', component: '*', code: '*' };
    const refused = [
      409,
      'shipped codes cannot be deleted: save the same names with another line, which takes precedence',
    ];
    assert.deepEqual(refusal(await world().operator('DELETE', path + queryOf(names))), refused);
    await world().operate('PUT', path, { ...names, line: 'otherIncome' });
    assert.equal((await booking({ source: 'reimbursements' })).line, 'otherIncome');
    assert.equal((await world().operator('DELETE', path + queryOf(names))).status, 200);
    assert.equal((await booking({ source: 'reimbursements' })).line, 'reimbursements');
    assert.deepEqual(refusal(await world().operator('DELETE', path + queryOf(names))), refused);
  });

  test('200: what no code fits has no line', async () => {
    assert.deepEqual(
      await booking({ source: 'settlement', type: 'Order', component: 'Unheard', code: 'Of' }),
      { line: null, entry: null },
    );
    assert.deepEqual(await booking({ source: 'settlement' }), { line: null, entry: null });
  });

  test('200: the list is that of a source or a line, page by page, own codes in the order of their names', async () => {
    const shipped = await list({ source: 'economics', line: 'advertisingSpend' });
    assert.deepEqual(
      shipped.financeCodes.map(({ component, origin }) => [component, origin]),
      [['ads', 'shipped']],
    );
    for (const [type, code] of [
      ['b', 'a'],
      ['a', 'b'],
      ['B', 'c'],
      ['a', 'a'],
    ]) {
      await world().operate('PUT', path, {
        source: 'economics',
        type,
        code,
        line: 'advertisingSpend',
      });
    }
    await world().operate('PUT', path, { source: 'economics', type: 'a', code: 'c', line: 'cogs' });
    const page = async (pageIndex: string) => {
      const { financeCodes, total } = await list({
        source: 'economics',
        line: 'advertisingSpend',
        pageSize: '3',
        pageIndex,
      });
      return [financeCodes.map(({ type, code, origin }) => `${type}/${code} ${origin}`), total];
    };
    assert.deepEqual(await page('0'), [['B/c own', 'a/a own', 'a/b own'], 5]);
    assert.deepEqual(await page('1'), [['b/a own', '*/* shipped'], 5]);
    assert.deepEqual(await page('2'), [[], 5]);
    // All sources: the own ones stand before all that are shipped.
    const { financeCodes } = await list({ pageSize: '1000' });
    const origins = financeCodes.map(({ origin }) => origin);
    assert.deepEqual(origins, [...origins].sort());
  });

  test('400: names that can fit nothing are refused', async () => {
    const wrong =
      'must be a name or several separated by | without spaces around it and with * only at the end of a name';
    for (const code of ['a*b', '*a', 'a||b', '|a', 'a|', 'a| b', 'a |b', '**', 'a**']) {
      assert.deepEqual(
        refusal(await world().operator('PUT', path, { source: 'settlement', code, line: 'sales' })),
        [400, `code ${wrong}`],
        code,
      );
    }
    const right = ['a', '*', 'a*', 'a *', 'a b|c*|d', 'FBA Inventory - *|x'];
    for (const code of right) {
      assert.equal(
        (await world().operate('PUT', path, { source: 'economics', code, line: 'sales' })).code,
        code,
      );
      await world().operator('DELETE', path + queryOf({ source: 'economics', code }));
    }
    assert.deepEqual(
      refusal(
        await world().operator('PUT', path, {
          source: 'bank',
          type: ' ',
          component: 'a|',
          line: 'profit',
        }),
      ),
      [
        400,
        'source must be settlement or transactions or financialEvents or economics or reimbursements or returns, type must not be empty, ' +
          `component ${wrong}, code is required, line must be sales or promotions or refunds or reimbursements or otherIncome or advertisingSpend or ` +
          'sellingFees or shippingFees or refundsAndReturnsOverheads or cogs or otherExpenses or balance or sales.tax or refunds.tax',
      ],
    );
  });

  test('200: names as long as they may be are kept by both stores; beyond that 400', async () => {
    // Not to be compressed: PostgreSQL bounds what a key has in bytes.
    const text = (bytes: number) => randomBytes(bytes).toString('hex').slice(0, bytes);
    const names = { source: 'settlement', type: text(600), component: text(600), code: text(600) };
    await world().operate('PUT', path, { ...names, line: 'sales' });
    assert.equal((await booking({ source: 'settlement' })).line, null);
    assert.equal((await world().operator('DELETE', path + queryOf(names))).status, 200);
    const wide = () =>
      Array.from({ length: 201 }, () => String.fromCodePoint(0x1_0000 + randomInt(0xf_0000))).join(
        '',
      );
    const [type, component, code] = [wide(), wide(), wide()];
    assert.deepEqual(
      refusal(
        await world().operator('PUT', path, {
          source: 'settlement',
          type,
          component,
          code,
          line: 'sales',
        }),
      ),
      [400, 'type and component and code must have at most 2400 bytes together'],
    );
    const held = {
      source: 'settlement',
      type: type.slice(0, 400),
      component: component.slice(0, 400),
      code: code.slice(0, 400),
    };
    await world().operate('PUT', path, { ...held, line: 'sales' });
    assert.equal((await list({ source: 'settlement' })).financeCodes[0]!.code, held.code);
    assert.equal(
      (await world().operator('DELETE', path + queryOf({ ...names, code: text(601) }))).status,
      400,
    );
  });
});
