/**
 * The operator's lists of the whole installation: usage, imports, exchange rates, and what can be
 * imported.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { casesOn, onEachPair, onOnePair, type Tenant } from '../../../test/harness.ts';
import { importDocument, importRows, postImport } from '../../../test/imports.ts';
import { changeRecords } from '../../../test/records.ts';
import { rowsOf, textBeside } from '../../../test/table.ts';
import { assertShown } from '../../../test/world.ts';
import { openImport } from '../../engine/registry.ts';

const day = 86_400_000;
type Import = { readonly importId: number };
const idsOf = (imports: readonly Import[]) => imports.map(({ importId }) => importId);

onEachPair(
  'lists of an installation',
  (world) => {
    test('200: imports are listed newest first, by channel, dataset and state, page by page', async () => {
      const acme = await world().tenant();
      const bravo = await world().tenant();
      const idOf = async (importing: ReturnType<typeof importRows>) =>
        (await importing).body.importId;
      const done = await idOf(importRows(world(), 'products', acme.channelId, [{ sku: 'A-1' }]));
      const visits = [{ date: '2026-01-01', sku: 'A-1' }];
      const traffic = await idOf(importRows(world(), 'traffic', bravo.channelId, visits));
      const aborting = `/operator/imports/products?channelId=${acme.channelId}&onError=abort`;
      const failing = await postImport(world(), aborting, '{}', 'application/x-ndjson');
      assert.equal(failing.status, 400);
      const document = 'Date,USD,JPY,BGN,GBP,CZK\n2026-01-02,1.5,160,1.9,0.8,25\n';
      const rates = await idOf(importDocument(world(), undefined, document));
      const running = await openImport(world().registry, 'products', null, world().clock.now);
      await changeRecords(world(), 'import', { importId: running }, { rowsRead: 7 });

      const list = async (query = '') => {
        const { imports, total } = await world().operate('GET', `/operator/imports?${query}`);
        assert.equal(total, imports.length);
        return imports;
      };
      const all = await list();
      const failed = all[2].importId;
      assert.deepEqual(idsOf(all), [running, rates, failed, traffic, done]);
      for (const one of all)
        assert.deepEqual(one, await world().operate('GET', `/operator/imports/${one.importId}`));
      const [first, second, third] = all;
      assert.deepEqual([first.finishedAt, first.rowsRead, first.channelId], [null, 7, null]);
      assertShown([second, third])`
        state,  dataset,        channelId,         from,       rowsRejected
        done,   referenceRates, null,              2026-01-02, 0
        failed, products,       ${acme.channelId}, null,       1`;
      for (const [query, ids] of [
        [`channelId=${acme.channelId}`, [failed, done]],
        [`channelId=${acme.channelId}&state=done`, [done]],
        [`channelId=${bravo.channelId}&state=failed`, []],
        [`channelId=${randomUUID()}`, []],
        ['dataset=products', [running, failed, done]],
        ['dataset=referenceRates', [rates]],
        ['state=running', [running]],
      ] as const)
        assert.deepEqual(idsOf(await list(query)), ids, query);
      const query = 'dataset=products&pageSize=2&pageIndex=1';
      const page = await world().operate('GET', `/operator/imports?${query}`);
      assert.deepEqual([idsOf(page.imports), page.total], [[done], 3]);
    });

    test('200: usage is listed by day, key and operation, with all that this node has counted', async () => {
      const acme = await world().tenant({ limits: { perDay: 3 } });
      const bravo = await world().tenant();
      const bravoSecond = await world().operate('POST', '/operator/keys', { userId: bravo.userId });
      const list = async (query = '') => {
        const { usage, total } = await world().operate('GET', `/operator/usage?${query}`);
        assert.equal(total, usage.length);
        return usage;
      };
      const send = (key: string, body = {}) => world().ask(key, 'POST', '/channels', body);
      const row = (of: Pick<Tenant, 'organisationId' | 'userId' | 'keyId'>, date: string) => ({
        date,
        organisationId: of.organisationId,
        userId: of.userId,
        keyId: of.keyId,
        operation: 'listChannels',
        requests: 1,
        refused: 0,
        limited: 0,
        failed: 0,
      });
      assert.deepEqual(await list(), []);

      // 2026-01-15: two are answered, one is refused as the third of three, two come beyond the
      // limit.
      for (const body of [{}, {}, { filter: { marketplaces: 1 } }, {}, {}])
        await send(acme.key, body);
      const first = { ...row(acme, '2026-01-15'), requests: 5, refused: 1, limited: 2 };
      assert.deepEqual(await list(), [first]);
      await send(acme.key);
      const before = { ...first, requests: 6, limited: 3 };
      assert.deepEqual(await list(), [before]);

      world().clock.now += day;
      for (const { key } of [acme, bravo, bravoSecond]) await send(key);
      const after = row(acme, '2026-01-16');
      const ofBravo = row(bravo, '2026-01-16');
      const bravos = [ofBravo, { ...ofBravo, keyId: bravoSecond.keyId }];
      const byKey = (rows: { keyId: string }[]) =>
        rows.sort((a, b) => (a.keyId < b.keyId ? -1 : 1));
      const acmes = `organisationId=${acme.organisationId}`;
      for (const [query, rows] of [
        ['', [...byKey([after, ...bravos]), before]],
        [acmes, [after, before]],
        [`userId=${bravo.userId}`, byKey(bravos)],
        [`keyId=${bravo.keyId}`, [ofBravo]],
        ['to=2026-01-15', [before]],
        [`from=2026-01-16&${acmes}`, [after]],
        ['from=2026-01-17', []],
      ] as const)
        assert.deepEqual(await list(query), rows, query);
      const page = `/operator/usage?${acmes}&pageSize=1&pageIndex=1`;
      assert.deepEqual(await world().operate('GET', page), { usage: [before], total: 2 });
      const { lastUsedAt } = await world().operate('GET', `/operator/keys/${acme.keyId}`);
      assert.equal(lastUsedAt, Math.floor(world().clock.now / 1000));

      // Thirty days, today included: the 15th of January is the first of those that end on the 13th
      // of February.
      world().clock.now = Date.UTC(2026, 1, 13);
      assert.deepEqual(await list(`keyId=${acme.keyId}`), [after, before]);
      world().clock.now += day;
      assert.deepEqual(await list(`keyId=${acme.keyId}`), [after]);
      assert.deepEqual(await list(`keyId=${acme.keyId}&from=2026-01-01`), [after, before]);
    });
  },
  { isOwn: true },
);

onOnePair('overviews of the operator', (world) => {
  test('200: the rates that hold on a day are the last ones published until then, without the euro; pegs follow the dollar', async () => {
    const rates = (query: string) => world().operate('GET', `/operator/rates${query}`);
    assert.deepEqual(await rates(''), { date: '2026-01-15', rates: [] });
    const published = textBeside(import.meta.url, 'overviews.published.csv');
    await importRows(world(), 'exchangeRates', undefined, rowsOf(published));
    const ofOwn = (rate: object) => ({ ...rate, source: 'own' });
    // 1.125 dollars by the units of each currency for a dollar: AED, BHD, JOD, OMR, QAR and SAR.
    const [aed, bhd, gbp, jod, jpy, omr, qar, sar, usd, earlier, later] = rowsOf(
      textBeside(import.meta.url, 'overviews.rates.csv'),
    ).map(ofOwn);
    for (const [query, date, expected] of casesOn(
      world(),
      [
        ['', '2026-01-15', [aed, bhd, gbp, jod, jpy, omr, qar, sar, usd]],
        ['?date=2026-01-11', '2026-01-11', [aed, bhd, jod, jpy, omr, qar, sar, usd]],
        ['?date=2026-01-04', '2026-01-04', []],
        ['?date=2026-01-08&currency=usd', '2026-01-08', [earlier]],
        ['?currency=sar', '2026-01-15', [sar]],
        ['?currency=EUR', '2026-01-15', []],
        ['?date=2026-01-20&currency=usd', '2026-01-20', [later]],
        ['?currency=XXX', '2026-01-15', []],
      ] as const,
      3,
    ))
      assert.deepEqual(await rates(query), { date, rates: expected }, query);
    const own = { date: '2026-01-09', currency: 'SAR', perEuro: 5 };
    await importRows(world(), 'exchangeRates', undefined, [own]);
    assert.equal((await rates('?currency=SAR')).rates[0].perEuro, 5);

    // Rates of one currency touch no other ones, and no published ones; on their dates they count.
    const ofTaiwan = { currency: 'TWD', perEuro: 37 };
    await importRows(world(), 'exchangeRates', undefined, [
      { ...ofTaiwan, date: '2026-01-01' },
      { ...ofTaiwan, date: '2026-01-31', perEuro: 38 },
    ]);
    const days = ['2026-01-13,3,161,25,7.5,0.9,1.9', '2026-01-09,4,162,25,7.5,0.9,1.9'];
    const history = ['Date,USD,JPY,CZK,DKK,GBP,BGN', ...days].join('\n');
    const shown = async (query: string) =>
      (await rates(query)).rates
        .map(({ currency, perEuro, source }: Record<string, unknown>) =>
          [currency, perEuro, source].join(' '),
        )
        .filter((text: string) => /^(USD|JPY|GBP|TWD|BGN)/.test(text));
    const before = ['GBP 0.875 own', 'JPY 160.5 own', 'TWD 37 own', 'USD 1.125 own'];
    assert.deepEqual(await shown(''), before);
    await importDocument(world(), undefined, Buffer.from(history));
    const after = ['BGN 1.9 published', 'GBP 0.9 published', 'JPY 161 published'];
    assert.deepEqual(await shown(''), [...after, 'TWD 37 own', 'USD 3 published']);
    assert.deepEqual(await shown('?date=2026-01-12'), ['BGN 1.9 published', ...before]);
    const ofDay = '/operator/facts?dataset=exchangeRates&from=2026-01-09&to=2026-01-09';
    assert.equal((await world().operate('DELETE', ofDay)).rows, 3);
    assert.deepEqual(await shown('?date=2026-01-09&currency=usd'), ['USD 4 published']);
  });

  test('200: what can be imported is listed with its fields', async () => {
    const { documents, datasets } = await world().operate('GET', '/operator/documents');
    const reference = documents.find((one: { type: string }) => one.type === 'referenceRates');
    const history = "The ECB's history of euro reference rates (CSV, or its zip archive)";
    assert.equal(reference.about, history);
    type Field = { readonly name: string; readonly kind: string; readonly required: boolean };
    type Dataset = { dataset: string; ofChannel: boolean; fields: Field[] };
    const named = (name: string): Dataset => datasets.find((one: Dataset) => one.dataset === name);
    const field = (dataset: string, name: string): Field =>
      named(dataset).fields.find((one) => one.name === name)!;
    const [, currency, perEuro] = named('exchangeRates').fields as [Field, Field, Field];
    assert.deepEqual(named('exchangeRates'), {
      dataset: 'exchangeRates',
      about:
        "Your own exchange rates of the euro. They belong to no channel. Kept by date and currency: a row replaces your earlier rate of both. It goes before the European Central Bank's of its date.",
      ofChannel: false,
      fields: rowsOf(`name, kind, required, about
        date,     a date (YYYY-MM-DD),   true, The date from which the rate is valid.
        currency, "${currency.kind}", true, ISO 4217.
        perEuro,  "${perEuro.kind}",  true, Units of the currency that one euro buys.`),
    });
    assert.equal(named('traffic').ofChannel, true);
    assert.equal(field('traffic', 'sku').required, false);
    const { kind } = field('orders', 'Items[].ItemPrice');
    const amount = { name: 'OrderTotal.Amount', kind, required: false };
    const asGiven = { ...amount, about: 'As the marketplace gives it.' };
    assert.deepEqual(field('orders', 'OrderTotal.Amount'), asGiven);
    const required = named('orders').fields.filter((one) => one.required);
    const names = required.map(({ name }) => name);
    assert.deepEqual(names, ['PlatformOrderId', 'PurchaseDate', 'Items[].OrderItemId']);
  });

  test('200: whatever is listed as required is indeed required', async () => {
    const { channelId } = await world().tenant();
    const { datasets } = await world().operate('GET', '/operator/documents');
    for (const { dataset, ofChannel, fields } of datasets) {
      const path = `/operator/imports/${dataset}${ofChannel ? `?channelId=${channelId}` : ''}`;
      const row = dataset === 'orders' ? '{"Items":[{}]}' : '{}';
      const { body } = await postImport(world(), path, row, 'application/x-ndjson');
      const said = `${body.error ?? ''} ${body.rejected?.[0]?.reason ?? ''}`;
      for (const { name, required } of fields as { name: string; required: boolean }[]) {
        // Items are read only when their order has been.
        if (required && !name.startsWith('Items'))
          assert.ok(said.includes(`${name} is required`), `${dataset}.${name}: ${said}`);
      }
    }
  });
});
