/**
 * Access rules: every operation, every kind of caller, every kind of channel. In deep tests every
 * caller sends every request to every operation; at other levels callers and requests take turns,
 * except for operations that need a grant.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, test } from 'node:test';
import Type from 'typebox';
import { mintKey } from '../src/access/keys.ts';
import { type Contract, contract } from '../src/contract/endpoint.ts';
import { channelFields, Text } from '../src/contract/shapes.ts';
import { operatorContracts, publicContracts } from '../src/endpoints/contracts.ts';
import type { Endpoint } from '../src/endpoints/handler.ts';
import { endpoints } from '../src/endpoints/handlers.ts';
import { namedCode, type Row, rows } from './accessRows.ts';
import { hardlyLimited, type Method, onOnePair, type Tenant, type World } from './harness.ts';
import { importRows } from './imports.ts';
import { level } from './level.ts';
import { addRecords } from './records.ts';
import { type Fields, type Request, requestOf } from './requests.ts';

type Names = { readonly channelId: string; readonly merchantId: string };

type Operation = { readonly contract: Contract; readonly row: Row };

const words = { summary: 'An example', description: 'It exists only here.' };
const answer = Type.Object({ found: Type.Boolean() });
const shared = { ...words, access: 'key', channel: true, answer } as const;
const ofOrders = { ...shared, operation: 'exampleOfOrders', needs: 'orders:read' } as const;
const needs = 'searchQueryPerformance:read';
const ofQueries = { ...shared, operation: 'exampleOfQueries', needs } as const;
const input = Type.Object({ ...channelFields, text: Text() });

/** Operations that need a grant, as many as the interface has. */
const examples: readonly Endpoint[] = [
  contract({ ...ofOrders, method: 'POST', path: '/examples/orders', body: input }),
  contract({ ...ofQueries, method: 'GET', path: '/examples/queries', query: input }),
].map((one) => ({ contract: one, handler: async () => ({ found: true }) }));
const ofExamples: Row = { fields: { text: 'a' }, wrong: { text: undefined } };

/** Every operation with its row, those made up here included. */
const operations: readonly Operation[] = [
  ...Object.values<Contract>(publicContracts).flatMap((one) => {
    const row = rows[one.operation];
    return row === undefined ? [] : [{ contract: one, row }];
  }),
  ...examples.map((one) => ({ contract: one.contract, row: ofExamples })),
];

/** Names of records that do not exist. */
const recordNames = ['id', 'reportId', 'jobId', 'scheduleId', 'webhookId', 'deliveryId'];
const unknownRecord: Fields = Object.fromEntries(recordNames.map((name) => [name, '999999999']));

test('every operation has its row in this table, and every row its operation', () => {
  assert.deepEqual(Object.keys(rows).sort(), Object.keys(publicContracts).sort());
});

/** A caller of the API. */
type Caller = {
  readonly name: string;
  readonly key: string | undefined;
  /** The key is invalid. */
  readonly isRefused?: true;
  /** The user or the organisation may not use the interface. */
  readonly isShutOut?: true;
  readonly isEnterprise?: true;
  readonly isEntitled?: true;
  /** The owner of the channels within reach; without it there are none. */
  readonly tenant?: Tenant;
};

type Headers = Readonly<Record<string, string>>;

let sends = 0;

async function send(world: World, method: string, { path, body }: Request, headers: Headers) {
  sends++;
  const response = await world.server.inject({
    method: method as 'GET',
    url: path,
    // Another address each time, because the failures of one are counted.
    remoteAddress: `10.${sends >> 16}.${(sends >> 8) & 255}.${sends & 255}`,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: response.statusCode, text: response.body, headers: response.headers };
}

/** The status that refuses every request of a caller, or undefined if it depends on the request. */
function refusalOf(caller: Caller, { needs }: Contract): number | undefined {
  if (caller.isRefused) return 403;
  if (caller.isShutOut) return 401;
  if (needs === 'orders:read' && !caller.isEnterprise) return 401;
  if (needs === 'searchQueryPerformance:read' && !caller.isEntitled) return 403;
  return undefined;
}

const refusalText = (error: string) => JSON.stringify({ status: 'error', error });

const unentitledName = 'without the Search Query Performance entitlement';
/** A caller without an entitlement, by what needs it, and what the answer advises. */
const advices: Readonly<Record<string, readonly [string, string]>> = {
  'orders:read': ['of the standard plan', 'this endpoint needs the enterprise plan'],
  'searchQueryPerformance:read': [
    unentitledName,
    'your organisation has no access to Search Query Performance: please contact sales to have it enabled',
  ],
};

const namesOf = ({ channelId, merchantId }: Tenant): Names => ({ channelId, merchantId });

/** Every case in deep tests, otherwise as many as given, whose turn it is. */
const inTurn = <Case>(cases: readonly Case[], turn: number, count: number): readonly Case[] =>
  level === 'deep'
    ? cases
    : Array.from({ length: count }, (_, at) => cases[(turn * count + at) % cases.length]!);

onOnePair(
  'access',
  (world) => {
    const everything = { plan: 'enterprise', searchQueryPerformance: true };
    let acme: Tenant;
    let foreign: Tenant;
    let callers: Caller[];
    let outOfReach: string;

    const operate = (method: Method, path: string, body?: unknown) =>
      world().operate(method, `/operator/${path}`, body);
    const keyOf = async (userId: string): Promise<{ keyId: string; key: string }> =>
      operate('POST', 'keys', { userId, limits: hardlyLimited });
    const owner = async (organisationId: string): Promise<string> => {
      const email = `person-${randomUUID()}@example.com`;
      return (await operate('POST', 'users', { organisationId, email, role: 'owner' })).userId;
    };
    const tenantWith = (organisation: object, merchantId = 'M1 @ US') =>
      world().tenant({ organisation: { ...everything, ...organisation }, channel: { merchantId } });

    before(async () => {
      acme = await tenantWith({});
      const rate = { date: '2025-02-03', currency: 'USD', perEuro: 1.05 };
      await importRows(world(), 'exchangeRates', undefined, [rate]);
      foreign = await tenantWith({}, 'M2 @ US');
      const revoked = await keyOf(acme.userId);
      await operate('DELETE', `keys/${revoked.keyId}`);
      const expired = await keyOf(acme.userId);
      await operate('POST', `keys/${expired.keyId}/rotate`, {});
      const memberId = await owner(acme.organisationId);
      const member = await keyOf(memberId);
      await operate('PATCH', `users/${memberId}`, { role: 'member' });
      const restrictedId = await owner(acme.organisationId);
      await operate('PATCH', `users/${restrictedId}`, { role: 'administrator' });
      await operate('PUT', `users/${restrictedId}/channels`, { channelIds: [] });
      outOfReach = (await keyOf(restrictedId)).key;
      const off = await tenantWith({});
      await operate('PATCH', `organisations/${off.organisationId}`, { apiAccess: false });
      const standard = await tenantWith({ plan: 'standard' });
      const unentitled = await tenantWith({ searchQueryPerformance: false });
      const least = await tenantWith({ plan: 'standard', searchQueryPerformance: false });
      const mayAll = { isEnterprise: true, isEntitled: true } as const;
      const unissued = mintKey('another secret', 'x', 'production').key;
      callers = [
        { name: 'without a key', key: undefined, isRefused: true },
        { name: 'with an empty key', key: '', isRefused: true },
        { name: 'with a malformed key', key: `${acme.key.slice(0, -1)}_`, isRefused: true },
        { name: 'with a well-formed key that was never issued', key: unissued, isRefused: true },
        { name: 'with a revoked key', key: revoked.key, isRefused: true },
        { name: 'with an expired key', key: expired.key, isRefused: true },
        { name: "with the operator's token", key: world().operatorToken, isRefused: true },
        { name: 'who has become a member', key: member.key, isShutOut: true },
        { name: 'whose organisation has lost API access', key: off.key, isShutOut: true },
        { name: 'without any grant', key: least.key, tenant: least },
        { name: 'of the standard plan', key: standard.key, isEntitled: true, tenant: standard },
        { name: unentitledName, key: unentitled.key, isEnterprise: true, tenant: unentitled },
        { name: 'of another organisation', key: foreign.key, ...mayAll, tenant: foreign },
        { name: 'without access to the channel', key: outOfReach, ...mayAll },
        { name: 'who may do everything', key: acme.key, ...mayAll, tenant: acme },
      ];
      for (const { tenant } of callers) {
        const ofTenant = {
          organisationId: tenant?.organisationId ?? '',
          line: 'cogs',
          updatedAt: 0,
        };
        if (tenant) await addRecords(world(), 'namedCode', { ...ofTenant, ...namedCode });
      }
    });

    const as = (key: string | undefined, more: Headers = {}) => ({
      ...(key !== undefined && { 'x-api-key': key }),
      ...more,
    });
    const own = () => namesOf(acme);
    const sendAs = (key: string | undefined, { method }: Contract, request: Request) =>
      send(world(), method, request, as(key));

    for (const [place, { contract, row }] of operations.entries()) {
      const { operation, method } = contract;
      const advised = advices[contract.needs ?? ''];
      const made = async (tenant = acme) => (await row.make?.(world(), tenant)) ?? {};
      // Made once: only the last test of an operation deletes it.
      let reusable: Promise<Fields> | undefined;
      const sharedRecord = () => (reusable ??= made());
      const right = (names: Names, record: Fields) =>
        requestOf(contract, { ...row.fields, ...names, ...record });
      const wrong = (record: Fields) =>
        requestOf(contract, { ...row.fields, ...own(), ...record, ...row.wrong });

      test(`403 and 401: ${operation} refuses callers before it looks at what they ask`, async () => {
        const record = await sharedRecord();
        const valid = right(own(), record);
        const requests: [Request, Headers][] = [
          [valid, {}],
          [right({ channelId: 'unknown', merchantId: acme.merchantId }, unknownRecord), {}],
          [wrong(record), {}],
          [{ ...valid, body: '{' }, {}],
          [{ ...valid, body: 'x'.repeat(1_100_000) }, { 'content-type': 'text/plain' }],
        ];
        const refused = callers.filter((caller) => refusalOf(caller, contract) !== undefined);
        const cases = requests.flatMap((request) =>
          refused.map((caller) => [caller, ...request] as const),
        );
        const refusals = new Map<string, Set<string>>();
        for (const [caller, request, headers] of advised ? cases : inTurn(cases, place, 6)) {
          const answer = await send(world(), method, request, as(caller.key, headers));
          const said = `${operation} ${caller.name}: ${answer.text}`;
          assert.equal(answer.status, refusalOf(caller, contract), said);
          const kind = caller.isRefused ? 'key' : caller.name;
          refusals.set(kind, (refusals.get(kind) ?? new Set()).add(answer.text));
        }
        for (const [kind, texts] of refusals)
          assert.equal(texts.size, 1, `${kind}: ${[...texts].join('\n')}`);
        const error = 'the x-api-key header must hold a valid key';
        assert.deepEqual(refusals.get('key'), new Set([refusalText(error)]));
        if (advised !== undefined) {
          const [caller, advice] = advised;
          assert.deepEqual(refusals.get(caller), new Set([refusalText(advice)]));
        }
      });

      test(`200: ${operation} answers everybody who may ask it, and a repeated call once`, async () => {
        const entitled = callers.filter(
          (caller) => caller.tenant !== undefined && refusalOf(caller, contract) === undefined,
        );
        assert.ok(entitled.length >= 2);
        // Callers without a grant come first.
        const [least] = entitled;
        for (const { name, key, tenant } of level === 'deep' || advised ? entitled : [least!]) {
          const { organisationId, channelId, merchantId } = tenant!;
          const kind = row.channelKind ?? 'seller';
          if (kind !== 'seller')
            await world().channel(organisationId, channelId, { merchantId, kind });
          const request = right(namesOf(tenant!), await made(tenant));
          const headers = as(key, { 'idempotency-key': randomUUID() });
          const answer = await send(world(), method, request, headers);
          if (contract.idempotencyKey === true) {
            const again = await send(world(), method, request, headers);
            assert.equal(answer.headers['idempotency-replayed'], undefined, operation);
            assert.equal(again.headers['idempotency-replayed'], 'true', operation);
            assert.deepEqual([again.status, again.text], [200, answer.text]);
          }
          if (kind !== 'seller') await world().channel(organisationId, channelId, { merchantId });
          assert.equal(answer.status, 200, `${operation} ${name}: ${answer.text}`);
        }
      });

      test(`400: ${operation} says what is wrong with a request before it looks for what the request names`, async () => {
        const answer = await sendAs(acme.key, contract, wrong(unknownRecord));
        assert.equal(answer.status, 400, answer.text);
      });

      const fields = { ...contract.query?.properties, ...contract.body?.properties };
      const status = contract.channel === true ? 400 : (row.unreachable ?? 404);
      if ('channelId' in fields)
        test(`${status}: ${operation} answers for others' channels as for unknown ones`, async () => {
          const texts = new Set<string>();
          const mine = own();
          const record = await sharedRecord();
          const others: [string, Names][] = [
            [acme.key, namesOf(foreign)],
            [acme.key, { ...mine, channelId: foreign.channelId }],
            [acme.key, { ...mine, channelId: 'unknown' }],
            [acme.key, { ...mine, merchantId: foreign.merchantId }],
            [acme.key, { ...mine, merchantId: 'nobody' }],
            [outOfReach, mine],
            [foreign.key, mine],
          ];
          // An operation that takes no merchant cannot be requested with the wrong one.
          const possible = others.filter(
            ([, names]) =>
              'merchantId' in fields || names.channelId !== acme.channelId || names === mine,
          );
          const chosen = contract.channel === true ? inTurn(possible, place, 3) : possible;
          for (const [key, names] of chosen) {
            const answer = await sendAs(key, contract, right(names, record));
            assert.equal(answer.status, status, `${JSON.stringify(names)}: ${answer.text}`);
            texts.add(answer.text);
          }
          assert.equal(texts.size, 1, [...texts].join('\n'));
          const noStore = 'channelId and merchantId do not match a connected store';
          if (contract.channel === true) assert.equal(JSON.parse([...texts].join()).error, noStore);
        });

      if (row.make)
        test(`404: ${operation} answers for others' records as for unknown ones`, async () => {
          const record = await sharedRecord();
          const texts = new Set<string>();
          for (const [key, names, one] of [
            [acme.key, own(), await made(foreign)],
            [acme.key, own(), unknownRecord],
            [foreign.key, namesOf(foreign), record],
          ] as const) {
            const answer = await sendAs(key, contract, right(names, one));
            assert.equal(answer.status, 404, answer.text);
            texts.add(answer.text);
          }
          assert.equal(texts.size, 1, [...texts].join('\n'));
          assert.equal((await sendAs(acme.key, contract, right(own(), record))).status, 200);
        });
    }

    for (const [place, contract] of Object.values<Contract>(operatorContracts).entries()) {
      test(`401: ${contract.operation} is the operator's alone`, async () => {
        const path = contract.path.replaceAll(/\{\w+\}/g, 'x');
        const texts = new Set<string>();
        const { operatorToken } = world();
        const wrong = [undefined, '', 'Bearer', 'Bearer wrong', `Bearer ${acme.key}`];
        const others = [operatorToken, `Basic ${operatorToken}`, `x Bearer ${operatorToken}`];
        const cases = [...wrong, ...others].flatMap((authorization) =>
          [undefined, '{', '{}'].map((body) => [authorization, body] as const),
        );
        for (const [authorization, body] of inTurn(cases, place, 4)) {
          const headers = as(acme.key, authorization === undefined ? {} : { authorization });
          const answer = await send(world(), contract.method, { path, body }, headers);
          assert.equal(
            answer.status,
            401,
            `${contract.operation} ${authorization}: ${answer.text}`,
          );
          assert.equal(answer.headers['www-authenticate'], 'Bearer');
          texts.add(answer.text);
        }
        const error = 'the authorization header must hold the operator token: Bearer <token>';
        assert.deepEqual(texts, new Set([refusalText(error)]));
      });
    }

    test("403: the operator's token lets nobody in to the public interface", async () => {
      for (const { contract, row } of operations) {
        const request = requestOf(contract, { ...unknownRecord, ...row.fields, ...own() });
        const authorization = `Bearer ${world().operatorToken}`;
        const { status } = await send(world(), contract.method, request, { authorization });
        assert.equal(status, 403, contract.operation);
      }
    });
  },
  { endpoints: [...endpoints, ...examples] },
);
