/** Codes that no list knows are listed, and booked at once on the line that an owner names. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onOnePair } from '../../../../test/harness.ts';
import { importDocument } from '../../../../test/imports.ts';
import { auditOf, refusalOf } from '../../../../test/records.ts';
import { commission, principal, row, settlementOf } from '../../../../test/settlements.ts';

const path = '/profitability/codes';
// March 2025 in UTC.
const range = { fromDate: 1_740_787_200, toDate: 1_743_465_599 };
const novel = 'Order/ItemFees/Novel / Fee';
const document = (id: string) =>
  settlementOf(
    '10.50',
    principal('20.00'),
    commission('-3.00'),
    row('Order|ItemFees|Novel / Fee', '-1.50', { 'order-id': id }),
    row('other-transaction|other-transaction|Moon money', '-5.00'),
  );

onOnePair('codes that nobody knows', (world) => {
  test('an owner names them, and what is there and what comes later is booked so', async () => {
    const tenant = await world().tenant();
    const { channelId, merchantId, key } = tenant;
    const ask = (method: 'GET' | 'PATCH' | 'POST', address: string, body?: object) =>
      world().ask(key, method, address, body && { channelId, merchantId, ...body });
    const query = new URLSearchParams({ channelId, merchantId, ...texts(range) });
    const listed = async () => {
      const { status, body } = await ask('GET', `${path}?${query}`);
      assert.equal(status, 200, JSON.stringify(body));
      return body.codes.map((one: Record<string, unknown>) => [one.code, one.line, one.amount]);
    };
    const profit = async (includeTax = false) => {
      const reportOptions = { ...range, timezone: 'UTC', includeTax };
      const { body } = await ask('POST', '/profitability/storeProfitAndLoss', { reportOptions });
      const { sales, sellingFees, shippingFees, otherExpenses } = body;
      return [sales, sellingFees, shippingFees, otherExpenses].map(Number);
    };
    const name = async (code: string, line?: string, source = 'settlement') =>
      ask('PATCH', path, { source, code, ...(line && { line }) });
    await importDocument(world(), channelId, document('1'));
    const moon = 'other-transaction/Moon money';
    assert.deepEqual(await listed(), [
      [moon, null, -5],
      [novel, null, -1.5],
    ]);
    assert.deepEqual(await profit(), [20, 3, 0, 6.5]);
    const { status, body } = await name(novel, 'shippingFees');
    assert.deepEqual(
      [status, body],
      [200, { source: 'settlement', code: novel, line: 'shippingFees' }],
    );
    assert.deepEqual(await profit(), [20, 3, 1.5, 5]);
    assert.equal((await name(moon, 'balance')).status, 200);
    assert.deepEqual(await profit(), [20, 3, 1.5, 0]);
    // Documents that come later follow, and the list still has what was named.
    await importDocument(world(), channelId, document('2'));
    assert.deepEqual(await profit(), [20, 3, 1.5, 0]);
    assert.deepEqual(await listed(), [
      [moon, 'balance', -5],
      [novel, 'shippingFees', -1.5],
    ]);
    await name(novel, 'sales.tax');
    assert.deepEqual(
      [await profit(), await profit(true)],
      [
        [20, 3, 0, 0],
        [18.5, 3, 0, 0],
      ],
    );
    await name(novel);
    assert.deepEqual(await profit(), [20, 3, 0, 1.5]);
    const known = 'the code is known: only codes that GET /profitability/codes lists can be named';
    assert.deepEqual(refusalOf(await name('Order/ItemFees/Commission', 'cogs')), [409, known]);
    const audit = await auditOf(world(), tenant.organisationId);
    assert.deepEqual(audit.map(([action]) => action).filter((one) => one === 'saveCode').length, 4);
  });

  test('other organisations and members change nothing', async () => {
    const [one, other] = [await world().tenant(), await world().tenant()];
    await importDocument(world(), one.channelId, document('1'));
    const naming = { source: 'settlement', code: novel, line: 'cogs' };
    const { channelId, merchantId } = other;
    const theirs = { channelId, merchantId, ...naming };
    const none = 'code must name a code of a financial event: GET /profitability/codes lists them';
    assert.deepEqual(refusalOf(await world().ask(other.key, 'PATCH', path, theirs)), [400, none]);
    const of = { channelId: one.channelId, merchantId: one.merchantId };
    const query = new URLSearchParams({ ...of, ...texts(range) });
    const { body } = await world().ask(one.key, 'GET', `${path}?${query}`);
    assert.deepEqual(
      body.codes.map(({ line }: { line: unknown }) => line),
      [null, null],
    );
  });
});

function texts(numbers: Readonly<Record<string, number>>): Record<string, string> {
  return Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, String(value)]));
}
