/**
 * Answers as CSV: who gets them, what their cells and headers hold, and which answers stay JSON.
 */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import Type from 'typebox';
import { onOnePair, type Tenant } from '../../test/harness.ts';
import { contract } from '../contract/endpoint.ts';
import { rowShapeOf } from '../contract/rowShape.ts';
import { Figure } from '../contract/shapes.ts';
import { publicContracts } from '../endpoints/contracts.ts';
import type { Endpoint } from '../endpoints/handler.ts';
import { endpoints } from '../endpoints/handlers.ts';

const words = { summary: 'An example', description: 'It exists only here.' };
const Side = Type.Object({ units: Type.Integer(), rate: Type.Union([Type.Number(), Type.Null()]) });
const Row = Type.Object({
  title: Type.String(),
  sales: Figure('Sales.'),
  isSold: Type.Boolean(),
  current: Side,
  tags: Type.Array(Type.String()),
  note: Type.Optional(Type.String()),
});
const answer = Type.Object({
  data: Type.Object({ items: Type.Array(Row), count: Type.Integer() }),
  meta: Type.Object({ currency: Type.String(), key: Type.String() }),
});
const items = [
  {
    title: '=1+1, "ä"',
    sales: '-3.20',
    isSold: true,
    tags: ['a', 'b'],
    note: '-',
    current: { units: 7, rate: 0.0000001 },
  },
  {
    title: '-5',
    sales: '-',
    isSold: false,
    tags: [],
    secret: 'never answered',
    current: { units: 0, rate: null },
  },
];
const listing = { ...words, operation: 'listExamples', answer };
const listExamples: Endpoint = {
  contract: contract({ ...listing, access: 'key', method: 'GET', path: '/examples' }),
  handler: async () => ({ data: { items, count: 12 }, meta: { currency: 'EUR', key: 'a+b&c' } }),
};

onOnePair(
  'Answers as CSV',
  (world) => {
    let tenant: Tenant;
    before(async () => {
      tenant = await world().tenant({ channelId: 'us', channel: { displayName: '=cmd' } });
    });
    const get = (path: string, headers: Record<string, string>) =>
      world().ask(tenant.key, 'GET', path, undefined, headers);

    test('200: columns, numbers, texts, lists, and the fields beside the rows', async () => {
      const { status, body, headers } = await get('/examples', { accept: 'text/csv' });
      assert.equal(status, 200);
      assert.equal(headers['content-type'], 'text/csv; charset=utf-8');
      assert.equal(headers.vary, 'x-api-key, accept');
      assert.deepEqual(body.split('\r\n'), [
        'title,sales,isSold,current.units,current.rate,tags,note',
        `"'=1+1, ""ä""",-3.20,true,7,0.0000001,"[""a"",""b""]",'-`,
        `'-5,,false,0,,[],`,
        '',
      ]);
      const beside = new URLSearchParams(String(headers['vitrine-envelope']));
      const expected = { 'data.count': '12', 'meta.currency': 'EUR', 'meta.key': 'a+b&c' };
      assert.deepEqual(Object.fromEntries(beside), expected);
    });

    test('200: CSV where it is accepted above JSON, else JSON', async () => {
      const csv = ['text/csv', 'TEXT/CSV;charset=utf-8', 'text/*', 'text/csv, */*'];
      csv.push('text/csv, application/json;q=0.9', 'text/csv, application/json');
      const others = ['text/csv;q=0', 'text/html, */*;q=0.8', '*/*', 'image/png', ''];
      others.push('application/json, text/csv', 'text/csv;q=0.5, application/json');
      for (const accept of [...csv, ...others]) {
        const isCsv = csv.includes(accept);
        const { headers } = await get('/examples', { accept });
        assert.equal(String(headers['content-type']).startsWith('text/csv'), isCsv, accept);
        assert.equal(headers.vary, 'x-api-key, accept', accept);
      }
      const { headers } = await get('/examples', {});
      assert.equal(headers['content-type'], 'application/json; charset=utf-8');
      assert.equal(headers['vitrine-envelope'], undefined);
    });

    test('304: each form has an entity tag of its own', async () => {
      const csv = await get('/examples', { accept: 'text/csv' });
      const json = await get('/examples', {});
      const [csvTag, jsonTag] = [String(csv.headers.etag), String(json.headers.etag)];
      assert.notEqual(csvTag, jsonTag);
      for (const [accept, tag, status] of [
        ['text/csv', csvTag, 304],
        ['text/csv', jsonTag, 200],
        ['*/*', jsonTag, 304],
        ['*/*', csvTag, 200],
      ] as const) {
        const again = await get('/examples', { accept, 'if-none-match': tag });
        assert.equal(again.status, status);
        assert.equal(again.headers.vary, 'x-api-key, accept');
      }
    });

    test('200: cached answers, answers without a tag, and compressed ones', async () => {
      const reportOptions = { fromDate: 0, toDate: 86_400 * 40, timezone: 'UTC' };
      const view = { channelId: 'us', merchantId: tenant.merchantId, reportOptions };
      const ask = (path: string, body: object, headers: Record<string, string> = {}) =>
        world().ask(tenant.key, 'POST', path, body, { accept: 'text/csv', ...headers });
      for (let time = 0; time < 3; time++) {
        const sales = await ask('/reports/view/salesByPeriod', view);
        const [header, first] = sales.body.split('\r\n');
        assert.match(header, /^startTime,endTime,currency,unitsSold,priorUnitsSold,/);
        const day = '1970-01-01T00:00:00.000+00:00,1970-01-01T23:59:59.000+00:00,USD,0,';
        assert.ok(first.startsWith(day), first);
        assert.equal(sales.headers['vitrine-envelope'], 'status=success&currency=USD');
      }
      const channels = await ask('/channels', {});
      assert.equal(channels.headers.etag, undefined);
      assert.equal(channels.headers['vitrine-envelope'], undefined);
      assert.match(channels.body, /^channelId,merchantId,.*\r\nus,.*,'=cmd,true,+\r\n$/s);
      const { rawPayload, headers } = await world().server.inject({
        method: 'POST',
        url: '/reports/view/salesByPeriod',
        payload: view,
        headers: { 'x-api-key': tenant.key, accept: 'text/csv', 'accept-encoding': 'gzip' },
      });
      assert.equal(headers.vary, 'x-api-key, accept, accept-encoding');
      assert.match(String(gunzipSync(rawPayload)), /^startTime,/);
    });

    test('200: cached answers in each encoding, with one tag', async () => {
      const reportOptions = { fromDate: 0, toDate: 86_400 * 50, timezone: 'UTC' };
      const payload = { channelId: 'us', merchantId: tenant.merchantId, reportOptions };
      const url = '/reports/view/salesByPeriod';
      const found = new Set<string>();
      for (const [encoding, unpacked] of [
        [undefined, (bytes: Buffer) => bytes],
        ['gzip', gunzipSync],
        ['br', brotliDecompressSync],
        ['zstd', zstdDecompressSync],
      ] as const)
        for (let time = 0; time < 3; time++) {
          const { rawPayload, headers } = await world().server.inject({
            method: 'POST',
            url,
            payload,
            headers: {
              'x-api-key': tenant.key,
              ...(encoding && { 'accept-encoding': `${encoding}, deflate` }),
            },
          });
          assert.equal(headers['content-encoding'], encoding);
          assert.match(String(headers.vary), encoding ? /accept-encoding/ : /^x-api-key/);
          found.add(`${headers.etag} ${unpacked(rawPayload)}`);
        }
      assert.equal(found.size, 1);
    });

    test('400: errors and answers that are no rows stay JSON', async () => {
      const json = 'application/json; charset=utf-8';
      const ask = (path: string, body: object) =>
        world().ask(tenant.key, 'POST', path, body, { accept: 'text/csv' });
      const refused = await ask('/reports/view/salesByPeriod', {});
      assert.deepEqual([refused.status, refused.headers['content-type']], [400, json]);
      const reportOptions = { fromDate: 0, toDate: 1 };
      const input = { channelId: 'us', merchantId: tenant.merchantId, reportOptions };
      const store = await ask('/profitability/storeProfitAndLoss', input);
      assert.deepEqual([store.status, store.headers['content-type']], [200, json]);
      assert.equal(store.headers.vary, 'x-api-key');
    });
  },
  { endpoints: [...endpoints.filter(isOfKey), listExamples] },
);

function isOfKey({ contract: { access } }: { readonly contract: { readonly access: string } }) {
  return access === 'key';
}

test('Every view and list answers rows', () => {
  const others = Object.values(publicContracts).filter((one) => rowShapeOf(one) === undefined);
  const verbs = /^(change|save|read|create|delete|convert|rotate|test|replay|run)/;
  for (const { operation } of others) assert.match(operation, verbs);
});
