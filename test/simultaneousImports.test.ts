/**
 * Imports at the same time: none holds another up, readers see the facts of one moment, and how
 * each stands can be read, also when its sender or its process has gone.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { defaultLimits } from '../src/config.ts';
import { openImport } from '../src/engine/registry.ts';
import { type Answer, onEachPair, testOnOnePair, until } from './harness.ts';
import { counted, importRows, lines, postImport } from './imports.ts';
import { deepTest } from './level.ts';
import { changeRecords, channelNumberOf, recordsOf } from './records.ts';
import { StoredChannel } from './storedChannel.ts';
import { fieldsOf } from './world.ts';

const ndjson = 'application/x-ndjson';
const csv = 'text/csv';
const megabyte = 1_000_000;
const utc = { timezone: 'UTC', merchantId: 'A1MERCHANT' };

onEachPair('Imports at the same time', (world, pair) => {
  const reads = testOnOnePair(pair);
  /** A node that listens, as another suite may have the server of the world listen. */
  let node: FastifyInstance | undefined;
  after(async () => node?.server.closeAllConnections());

  async function listen(): Promise<number> {
    if (node === undefined) {
      node = await world().node();
      await node.listen({ host: '127.0.0.1', port: 0 });
    }
    return (node.server.address() as AddressInfo).port;
  }

  /** The beginning of an upload, on a socket that the caller may break. */
  async function beginUpload(path: string, body: string) {
    const socket = connect(await listen(), '127.0.0.1');
    const head = `POST ${path} HTTP/1.1\r\nhost: vitrine.test\r\nauthorization: Bearer ${world().operatorToken}\r\ncontent-type: application/x-ndjson\r\ncontent-length: 100000000\r\n\r\n`;
    await new Promise<void>((resolve) => socket.write(head + body, () => resolve()));
    return socket;
  }

  async function states({ tenant }: StoredChannel): Promise<string[]> {
    const channelNumber = await channelNumberOf(world(), tenant.channelId);
    const found = await recordsOf(world(), 'import', { channelNumber }, 'importId');
    return found.map(({ state, error }) => `${state}${error === null ? '' : `: ${error}`}`);
  }

  /** The path of an import of a dataset's rows into a channel. */
  const pathOf = (dataset: string, { tenant }: StoredChannel) =>
    `/operator/imports/${dataset}?channelId=${tenant.channelId}`;

  test('a document on its way holds no other up; where its connection breaks, its import fails and facts stay', async () => {
    const channel = await StoredChannel.open(world(), utc);
    await channel.importRows('traffic', [{ date: '2025-03-01', pageViews: 5 }]);
    const Items = [{ OrderItemId: '1', ItemPrice: 9 }];
    const order = JSON.stringify({ OrderId: 'o', PurchaseDate: '2025-03-01T10:00:00Z', Items });
    const sockets = [
      await beginUpload(pathOf('traffic', channel), '{"date":"2025-03-01","pageViews":99}\n{"da'),
      await beginUpload(pathOf('orders', channel), `${order}\n`),
    ];
    await until(async () => (await states(channel)).length === 3);
    const [running] = await recordsOf(world(), 'import', { state: 'running' });
    const found = (await world().operate('GET', `/operator/imports/${running!.importId}`)).state;
    assert.equal(found, 'running');
    // As many documents as are imported at a time are on their way, and hold no other up.
    assert.equal(sockets.length, defaultLimits.imports);
    const meanwhile = channel.post('orders', order);
    await until(async () => (await states(channel)).at(-1) === 'done');
    assert.deepEqual(counted(await meanwhile).slice(0, 3), [1, 1, 0]);
    for (const socket of sockets) socket.destroy();
    await until(async () => !(await states(channel)).includes('running'));
    const abandoned = 'failed: the request was abandoned by its sender';
    assert.deepEqual(await states(channel), ['done', abandoned, abandoned, 'done']);
    assert.deepEqual(readdirSync(world().warehouse.stagingFolder), []);
    assert.deepEqual(await channel.figures('2025-03-01', '2025-03-02'), [['9.00', 5, '0.00']]);
  });

  reads('a document that arrives in many pieces is read whole, and so is the next', async () => {
    const channel = await StoredChannel.open(world(), utc);
    const url = `http://127.0.0.1:${await listen()}${pathOf('products', channel)}`;
    for (const rows of [700, 30]) {
      const products = Array.from({ length: rows }, (_, number) => ({
        sku: `SKU-${number}`,
        title: 'x'.repeat(1_900),
      }));
      const sent = await fetch(url, {
        method: 'POST',
        headers: { authorization: `Bearer ${world().operatorToken}`, 'content-type': ndjson },
        body: lines(products),
      });
      const found = [sent.status, ((await sent.json()) as Answer['body']).rowsAccepted];
      assert.deepEqual(found, [200, rows]);
    }
  });

  reads('a client that goes on sending after a refusal still gets the answer', async () => {
    const channel = await StoredChannel.open(world(), utc);
    const socket = await beginUpload(pathOf('traffic', channel), '');
    socket.setEncoding('utf8');
    let answer = '';
    socket.on('data', (text) => {
      answer += text;
    });
    // Bytes after the compressed data are damage, and most of the document is still in transit.
    const gzipped = Buffer.concat([gzipSync('x'), Buffer.alloc(2 * megabyte, 0x1f)]);
    socket.write(gzipped);
    const filler = Buffer.alloc(megabyte, 0x20);
    for (let sent = gzipped.length; sent < 100_000_000; sent += filler.length) {
      if (socket.destroyed) break;
      if (!socket.write(filler.subarray(0, Math.min(filler.length, 100_000_000 - sent))))
        await new Promise((resolve) => socket.once('drain', resolve));
    }
    await until(() => answer !== '');
    assert.match(answer, /^HTTP\/1\.1 400 /);
    socket.destroy();
  });

  deepTest('readers see one generation of the facts or another, never parts of two', async () => {
    const channel = await StoredChannel.open(world(), utc);
    const days = ['2025-03-01', '2025-03-02', '2025-03-03'];
    const generations = 4;
    const order = (generation: number) => {
      const sold = { lineId: '1', sku: 'A', quantity: generation, itemPrice: generation };
      return days.map((date) => ({ orderId: date, purchasedAt: `${date}T12:00:00Z`, ...sold }));
    };
    const traffic = (generation: number) =>
      days.flatMap((date) => [
        { date, pageViews: generation, sessions: generation },
        { date, sku: 'A', pageViews: generation, sessions: generation },
      ]);
    await channel.importRows('orderLines', order(1));
    await channel.importRows('traffic', traffic(1));
    let isOver = false;
    let answers = 0;
    const paths: readonly [string, object][] = [
      ['UTC', {}],
      ['Asia/Kolkata', {}],
      ['UTC', { sellerSkus: ['A'] }],
    ];
    const reading = paths.map(async ([zone, more]) => {
      while (!isOver) {
        const rows = await channel.view('2025-03-01T00:00', '2025-03-04T00:00', zone, more);
        answers++;
        const sold = rows.filter((row) => row.lineItemCount !== 0);
        const sales = new Set(sold.map((row) => `${row.unitsSold}.00`));
        assert.deepEqual([...sales], [...new Set(sold.map((row) => row.sales))]);
        assert.equal(sales.size, 1, JSON.stringify(rows));
        const seen = rows.filter((row) => row.pageViews !== 0);
        const views = new Set(seen.flatMap((row) => [row.pageViews, row.totalSessions]));
        assert.equal(views.size, 1, JSON.stringify(rows));
      }
    });
    const writing = (async () => {
      try {
        for (let generation = 2; generation <= generations; generation++) {
          await Promise.all([
            channel.importRows('orderLines', order(generation)),
            channel.importRows('traffic', traffic(generation)),
          ]);
        }
      } finally {
        isOver = true;
      }
    })();
    await Promise.all([...reading, writing]);
    assert.ok(answers > 3 * generations, `only ${answers} answers`);
    assert.deepEqual((await channel.figures('2025-03-01', '2025-03-02'))[0], ['4.00', 4, '0.00']);
  });

  deepTest('simultaneous imports while the time zone changes leave the same facts', async () => {
    const channel = await StoredChannel.open(world(), utc);
    const other = await StoredChannel.open(world(), utc);
    /** Twenty order lines, two hours apart, each dearer by one. */
    const rows = (start: number) =>
      Array.from({ length: 20 }, (_, place) => start + place).map((number) => ({
        orderId: `o${number}`,
        lineId: '1',
        sku: 'A',
        quantity: 1,
        itemPrice: number + 1,
        purchasedAt: 1_740_787_200 + number * 7200,
      }));
    const { organisationId, channelId } = channel.tenant;
    const zone = (timezone: string) =>
      world().channel(organisationId, channelId, { ...utc, timezone });
    const PurchaseDate = '2025-03-01T10:00:00Z';
    const Items = [{ OrderItemId: '1', SellerSKU: 'A', ItemPrice: 1000 }];
    await channel.importRows('traffic', [{ date: '2025-03-01', pageViews: 1 }]);
    await Promise.all([
      ...[0, 20, 40].map((start) => channel.importRows('orderLines', rows(start))),
      zone('Pacific/Auckland'),
      other.importRows('orderLines', rows(0)),
      zone('America/New_York'),
      channel.post('orders', JSON.stringify({ OrderId: 'z', PurchaseDate, Items })),
    ]);
    for (const one of [channel, other])
      assert.ok((await states(one)).every((state) => state === 'done'));
    // The stored days of the channel equal those added up from its lines.
    const { timezone } = await world().operate('GET', `/operator/channels/${channelId}`);
    const [from, to] =
      timezone === 'America/New_York'
        ? ['2025-02-28T05:00', '2025-03-08T05:00']
        : ['2025-02-27T11:00', '2025-03-07T11:00'];
    const own = await channel.view(from, to, timezone);
    const added = await channel.view(from, to, timezone, { sellerSkus: ['A'] });
    const salesOf = (days: typeof own) => days.map((row) => row.sales);
    assert.deepEqual(salesOf(own), salesOf(added));
    const sumOf = (days: typeof own) => days.reduce((sum, row) => sum + Number(row.sales), 0);
    assert.equal(sumOf(own), 1000 + (60 * 61) / 2);
    const theirs = await other.view('2025-03-01T00:00', '2025-03-04T00:00');
    assert.equal(sumOf(theirs), (20 * 21) / 2);
  });

  reads(
    "how an import stands can be read, with the operator's token alone; what is not there or not taken is said",
    async () => {
      const channel = await StoredChannel.open(world(), utc);
      const { key, channelId } = channel.tenant;
      const { body } = await channel.importRows('traffic', [{ date: '2025-03-01', pageViews: 5 }]);
      const summary = await world().operate('GET', `/operator/imports/${body.importId}`);
      const { startedAt, finishedAt, document, ...rest } = summary;
      const text = '{"date":"2025-03-01","pageViews":5}';
      assert.deepEqual(document, {
        sha256: createHash('sha256').update(text).digest('hex'),
        bytes: text.length,
        mediaType: ndjson,
        fileName: null,
      });
      const counts = fieldsOf(`
        state, dataset, encoding, error, from,       to,         otherStores, rounded
        done,  traffic, utf-8,    null,  2025-03-01, 2025-03-01, 0,           0
        rowsRead, rowsAccepted, rowsRejected, rowsMerged, rowsSkipped, rowsCoarse
        1,        1,            0,            0,          0,           0`);
      assert.deepEqual(rest, { importId: body.importId, channelId, ...counts });
      assert.ok(finishedAt >= startedAt && startedAt > 1_700_000_000);
      for (const path of [
        `/operator/imports/${body.importId}`,
        `/operator/imports/${body.importId}/rejected`,
        '/operator/freshness',
      ]) {
        assert.equal((await world().ask(key, 'GET', path)).status, 401);
      }
      for (const path of ['/operator/imports/traffic', '/operator/documents']) {
        const stranger = await world().ask(key, 'POST', `${path}?channelId=${channelId}`, 'x', {
          'content-type': ndjson,
        });
        assert.equal(stranger.status, 401);
      }
      const status = async (path: string, type = ndjson) =>
        (await postImport(world(), `/operator/imports/${path}`, '{}', type)).status;
      for (const [path, expected, type] of [
        ['traffic?channelId=unknown', 404],
        ['traffic', 400],
        [`exchangeRates?channelId=${channelId}`, 400],
        [`weather?channelId=${channelId}`, 400],
        [`traffic?channelId=${channelId}`, 415, 'application/json'],
        [`orders?channelId=${channelId}`, 415, csv],
      ] as const)
        assert.equal(await status(path, type), expected, path);
      for (const [path, expected] of [
        ['999999999', 404],
        ['999999999/rejected', 404],
        ['first/rejected', 400],
      ] as const) {
        const answer = await world().operator('GET', `/operator/imports/${path}`);
        assert.equal(answer.status, expected, path);
      }
    },
  );

  test('an import whose process has died is settled once it is old enough, and one that has landed is done', async () => {
    // One of its imports runs for ever.
    world().spoil();
    const { channelId } = await world().tenant();
    const views = [{ date: '2026-01-01', pageViews: 1 }];
    const { body } = await importRows(world(), 'traffic', channelId, views);
    const importId = body.importId as number;
    const channelNumber = await channelNumberOf(world(), channelId);
    const dead = await openImport(world().registry, 'traffic', channelNumber, 1_000);
    const recent = await openImport(world().registry, 'traffic', channelNumber, 3_000);
    const crashed = { state: 'running', startedAt: 1_500, finishedAt: null } as const;
    await changeRecords(world(), 'import', { importId }, crashed);
    await world().importer.settleInterrupted(2_000);
    const stateOf = async (id: number) =>
      (await world().operate('GET', `/operator/imports/${id}`)).state;
    const settled = await Promise.all([importId, dead, recent].map(stateOf));
    assert.deepEqual(settled, ['done', 'failed', 'running']);
  });
});
