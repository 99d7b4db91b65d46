import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { type Answer, eachPair, onEachPair, testOnOnePair } from '../../../test/harness.ts';
import { importDocument, importRows, postImport } from '../../../test/imports.ts';

const refusal = ({ status, body }: Answer) => [status, body.error];
const day = 86_400_000;

eachPair(
  '200: usage is listed by day, key and operation, with all that this node has counted',
  async (world) => {
    const acme = await world.tenant({ limits: { perDay: 3 } });
    const bravo = await world.tenant();
    const bravoSecond = await world.operate('POST', '/operator/keys', { userId: bravo.userId });
    const list = async (query = '') => {
      const { usage, total } = await world.operate('GET', `/operator/usage?${query}`);
      assert.equal(total, usage.length);
      return usage;
    };
    const row = ({ organisationId, userId, keyId }: typeof acme, date: string, counts: object) => ({
      date,
      organisationId,
      userId,
      keyId,
      operation: 'listChannels',
      requests: 1,
      refused: 0,
      limited: 0,
      failed: 0,
      ...counts,
    });
    assert.deepEqual(await list(), []);

    // 2026-01-15: two are answered, one is refused as the third of three, two come beyond the
    // limit.
    for (const body of [{}, {}, { filter: { marketplaces: 1 } }, {}, {}])
      await world.ask(acme.key, 'POST', '/channels', body);
    const first = row(acme, '2026-01-15', { requests: 5, refused: 1, limited: 2 });
    assert.deepEqual(await list(), [first]);
    await world.ask(acme.key, 'POST', '/channels', {});
    assert.deepEqual(await list(), [{ ...first, requests: 6, limited: 3 }]);

    world.clock.now += day;
    await world.ask(acme.key, 'POST', '/channels', {});
    await world.ask(bravo.key, 'POST', '/channels', {});
    await world.ask(bravoSecond.key, 'POST', '/channels', {});
    const [before, after] = [{ ...first, requests: 6, limited: 3 }, row(acme, '2026-01-16', {})];
    const bravos = [
      row(bravo, '2026-01-16', {}),
      row({ ...bravo, keyId: bravoSecond.keyId }, '2026-01-16', {}),
    ];
    const byKey = (rows: { keyId: string }[]) => rows.sort((a, b) => (a.keyId < b.keyId ? -1 : 1));
    assert.deepEqual(await list(), [...byKey([after, ...bravos]), before]);
    assert.deepEqual(await list(`organisationId=${acme.organisationId}`), [after, before]);
    assert.deepEqual(await list(`userId=${bravo.userId}`), byKey(bravos));
    assert.deepEqual(await list(`keyId=${bravo.keyId}`), [
      bravos.find((one) => one.keyId === bravo.keyId),
    ]);
    assert.deepEqual(await list('to=2026-01-15'), [before]);
    assert.deepEqual(await list(`from=2026-01-16&organisationId=${acme.organisationId}`), [after]);
    assert.deepEqual(await list('from=2026-01-17'), []);

    const page = await world.operate(
      'GET',
      `/operator/usage?organisationId=${acme.organisationId}&pageSize=1&pageIndex=1`,
    );
    assert.deepEqual(page, { usage: [before], total: 2 });
    const { lastUsedAt } = await world.operate('GET', `/operator/keys/${acme.keyId}`);
    assert.equal(lastUsedAt, Math.floor(world.clock.now / 1000));

    // Thirty days, today included: the 15th of January is the first of those that end on the 13th
    // of February.
    world.clock.now = Date.UTC(2026, 1, 13);
    assert.deepEqual(await list(`keyId=${acme.keyId}`), [after, before]);
    world.clock.now += day;
    assert.deepEqual(await list(`keyId=${acme.keyId}`), [after]);
    assert.deepEqual(await list(`keyId=${acme.keyId}&from=2026-01-01`), [after, before]);
  },
);

onEachPair('overviews of the operator', (world, pair) => {
  const testOnce = testOnOnePair(pair);

  testOnce('400: the days of usage are checked', async () => {
    assert.deepEqual(
      refusal(
        await world().operator('GET', '/operator/usage?from=2026-02-30&to=today&pageSize=1001'),
      ),
      [
        400,
        'from must be a date (YYYY-MM-DD), to must be a date (YYYY-MM-DD), pageSize must be at most 1000',
      ],
    );
    assert.deepEqual(
      refusal(await world().operator('GET', '/operator/usage?from=2026-01-02&to=2026-01-01')),
      [400, 'to must not be before from'],
    );
  });

  test('200: the rates that hold on a day are the last ones published until then, without the euro; pegs follow the dollar', async () => {
    const rates = (query: string) => world().operate('GET', `/operator/rates${query}`);
    assert.deepEqual(await rates(''), { date: '2026-01-15', rates: [] });
    const rows = [
      { date: '2026-01-05', currency: 'USD', perEuro: 1.25 },
      { date: '2026-01-09', currency: 'USD', perEuro: 1.125 },
      { date: '2026-01-20', currency: 'USD', perEuro: 2 },
      { date: '2026-01-09', currency: 'JPY', perEuro: 160.5 },
      { date: '2026-01-12', currency: 'GBP', perEuro: 0.875 },
      { date: '2026-01-12', currency: 'EUR', perEuro: 1 },
    ];
    await importRows(world(), 'exchangeRates', undefined, rows);
    const gbp = { currency: 'GBP', perEuro: 0.875, publishedOn: '2026-01-12' };
    const jpy = { currency: 'JPY', perEuro: 160.5, publishedOn: '2026-01-09' };
    const usd = { currency: 'USD', perEuro: 1.125, publishedOn: '2026-01-09' };
    // 1.125 dollars by the units of each currency for a dollar.
    const pegged = { AED: 4.1315625, BHD: 0.423, JOD: 0.797625, OMR: 0.4325625, QAR: 4.095 };
    const [aed, bhd, jod, omr, qar] = Object.entries(pegged).map(([currency, perEuro]) => ({
      ...{ currency, perEuro, publishedOn: '2026-01-09' },
    }));
    const sar = { currency: 'SAR', perEuro: 4.21875, publishedOn: '2026-01-09' };
    const fixed = [omr, qar, sar];
    assert.deepEqual(await rates(''), {
      date: '2026-01-15',
      rates: [aed, bhd, gbp, jod, jpy, ...fixed, usd],
    });
    assert.deepEqual(await rates('?date=2026-01-11'), {
      date: '2026-01-11',
      rates: [aed, bhd, jod, jpy, ...fixed, usd],
    });
    assert.deepEqual(await rates('?date=2026-01-08&currency=usd'), {
      date: '2026-01-08',
      rates: [{ currency: 'USD', perEuro: 1.25, publishedOn: '2026-01-05' }],
    });
    assert.deepEqual((await rates('?currency=sar')).rates, [sar]);
    assert.deepEqual(await rates('?date=2026-01-04'), { date: '2026-01-04', rates: [] });
    assert.deepEqual(await rates('?date=2026-01-20&currency=usd'), {
      date: '2026-01-20',
      rates: [{ currency: 'USD', perEuro: 2, publishedOn: '2026-01-20' }],
    });
    assert.deepEqual((await rates('?currency=EUR')).rates, []);
    const own = { date: '2026-01-09', currency: 'SAR', perEuro: 5 };
    await importRows(world(), 'exchangeRates', undefined, [own]);
    assert.equal((await rates('?currency=SAR')).rates[0].perEuro, 5);
    assert.deepEqual((await rates('?currency=XXX')).rates, []);
    assert.deepEqual(
      refusal(await world().operator('GET', '/operator/rates?date=1.1.2026&currency=US')),
      [400, 'date must be a date (YYYY-MM-DD), currency must be a currency code of three letters'],
    );
  });

  testOnce('200: what can be imported is listed with its fields', async () => {
    const { documents, datasets } = await world().operate('GET', '/operator/documents');
    const reference = documents.find((one: { type: string }) => one.type === 'referenceRates');
    assert.equal(
      reference.about,
      "The ECB's history of euro reference rates (CSV, or its zip archive)",
    );
    const named = (name: string) =>
      datasets.find((one: { dataset: string }) => one.dataset === name);
    assert.deepEqual(named('exchangeRates'), {
      dataset: 'exchangeRates',
      about: 'Reference exchange rates of the euro. They do not belong to a channel.',
      ofChannel: false,
      fields: [
        {
          name: 'date',
          kind: 'a date (YYYY-MM-DD)',
          required: true,
          about: 'The date for which the rate was published.',
        },
        {
          name: 'currency',
          kind: named('exchangeRates').fields[1].kind,
          required: true,
          about: 'ISO 4217.',
        },
        {
          name: 'perEuro',
          kind: named('exchangeRates').fields[2].kind,
          required: true,
          about: 'Units of the currency that one euro buys.',
        },
      ],
    });
    assert.equal(named('traffic').ofChannel, true);
    assert.equal(
      named('traffic').fields.find((field: { name: string }) => field.name === 'sku').required,
      false,
    );
    const orders = new Map(
      named('orders').fields.map((field: { name: string }) => [field.name, field]),
    );
    assert.deepEqual(orders.get('OrderTotal.Amount'), {
      name: 'OrderTotal.Amount',
      kind: (orders.get('Items[].ItemPrice') as { kind: string }).kind,
      required: false,
      about: 'As the marketplace gives it.',
    });
    const required = [...orders.values()].filter(
      (field) => (field as { required: boolean }).required,
    );
    assert.deepEqual(
      required.map((field) => (field as { name: string }).name),
      ['PlatformOrderId', 'PurchaseDate', 'Items[].OrderItemId'],
    );
  });

  testOnce('200: whatever is listed as required is indeed required', async () => {
    const { channelId } = await world().tenant();
    const { datasets } = await world().operate('GET', '/operator/documents');
    for (const { dataset, ofChannel, fields } of datasets) {
      const path = `/operator/imports/${dataset}${ofChannel ? `?channelId=${channelId}` : ''}`;
      const { body } = await postImport(
        world(),
        path,
        dataset === 'orders' ? '{"Items":[{}]}' : '{}',
        'application/x-ndjson',
      );
      const said = `${body.error ?? ''} ${body.rejected?.[0]?.reason ?? ''}`;
      for (const { name, required } of fields as { name: string; required: boolean }[]) {
        // Items are read only when their order has been.
        if (required && !name.startsWith('Items'))
          assert.ok(said.includes(`${name} is required`), `${dataset}.${name}: ${said}`);
      }
    }
  });
});

eachPair(
  '200: imports are listed newest first, by channel, dataset and state, page by page',
  async (world) => {
    const acme = await world.tenant();
    const bravo = await world.tenant();
    const product = { sku: 'A-1', title: 'A' };
    const done = (await importRows(world, 'products', acme.channelId, [product])).body.importId;
    const traffic = (
      await importRows(world, 'traffic', bravo.channelId, [{ date: '2026-01-01', sku: 'A-1' }])
    ).body.importId;
    const failing = await postImport(
      world,
      `/operator/imports/products?channelId=${acme.channelId}&onError=abort`,
      '{}',
      'application/x-ndjson',
    );
    assert.equal(failing.status, 400);
    const rates = (
      await importDocument(
        world,
        undefined,
        'Date,USD,JPY,BGN,GBP,CZK\n2026-01-02,1.5,160,1.9,0.8,25\n',
      )
    ).body.importId;
    const running = await world.registry.records
      .insertInto('import')
      .values({
        dataset: 'products',
        channelNumber: null,
        state: 'running',
        startedAt: world.clock.now,
        rowsRead: 7,
        rowsAccepted: 0,
        rowsRejected: 0,
        rowsMerged: 0,
        rowsSkipped: 0,
        rowsCoarse: 0,
        rounded: 0,
        firstDate: null,
        lastDate: null,
        finishedAt: null,
        error: null,
      })
      .returning('importId')
      .executeTakeFirstOrThrow();

    const list = async (query = '') => {
      const { imports, total } = await world.operate('GET', `/operator/imports?${query}`);
      assert.equal(total, imports.length);
      return imports;
    };
    const ids = async (query: string) =>
      (await list(query)).map((one: { importId: number }) => one.importId);
    const all = await list();
    const failed = all[2].importId;
    assert.deepEqual(
      all.map((one: { importId: number }) => one.importId),
      [running.importId, rates, failed, traffic, done],
    );
    for (const one of all)
      assert.deepEqual(one, await world.operate('GET', `/operator/imports/${one.importId}`));
    assert.deepEqual([all[0].finishedAt, all[0].rowsRead, all[0].channelId], [null, 7, null]);
    assert.deepEqual(
      [all[1].dataset, all[1].channelId, all[1].from],
      ['referenceRates', null, '2026-01-02'],
    );
    assert.deepEqual(
      [all[2].state, all[2].channelId, all[2].rowsRejected],
      ['failed', acme.channelId, 1],
    );

    assert.deepEqual(await ids(`channelId=${acme.channelId}`), [failed, done]);
    assert.deepEqual(await ids(`channelId=${acme.channelId}&state=done`), [done]);
    assert.deepEqual(await ids(`channelId=${bravo.channelId}&state=failed`), []);
    assert.deepEqual(await ids(`channelId=${randomUUID()}`), []);
    assert.deepEqual(await ids('dataset=products'), [running.importId, failed, done]);
    assert.deepEqual(await ids('dataset=referenceRates'), [rates]);
    assert.deepEqual(await ids('state=running'), [running.importId]);
    const page = await world.operate(
      'GET',
      '/operator/imports?dataset=products&pageSize=2&pageIndex=1',
    );
    assert.deepEqual(
      [page.imports.map((one: { importId: number }) => one.importId), page.total],
      [[done], 3],
    );
    assert.deepEqual(refusal(await world.operator('GET', '/operator/imports?state=over')), [
      400,
      'state must be running or done or failed or undone',
    ]);
  },
);
