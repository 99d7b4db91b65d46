/** A deprecated operation: the headers of its answers, and the description. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import { type Contract, contract } from '../src/contract/endpoint.ts';
import { publicIntroduction } from '../src/contract/introductions.ts';
import { describeContracts } from '../src/contract/openapi.ts';
import { Text } from '../src/contract/shapes.ts';
import type { Endpoint } from '../src/endpoints/handler.ts';
import { openWorld } from './harness.ts';

const words = { summary: 'An example', description: 'It exists only here.' };
const shape = { ...words, access: 'key', method: 'GET', answer: Type.Object({}) } as const;
const deprecated = { since: '2027-01-01', sunset: '2027-10-01', instead: 'readNew' } as const;
const contracts = [
  contract({
    ...shape,
    deprecated,
    operation: 'readOld',
    path: '/channels/old',
    query: Type.Object({ name: Text() }),
  }),
  contract({
    ...shape,
    deprecated: { since: '2027-01-01' },
    operation: 'readOlder',
    path: '/channels/older',
  }),
  contract({ ...shape, operation: 'readNew', path: '/channels/new' }),
];
const headersOf = ({ headers }: { headers: Readonly<Record<string, unknown>> }) => [
  headers.deprecation,
  headers.sunset,
  headers.link,
];

test('every answer of a deprecated operation says since when, and when it ends', async () => {
  const endpoints: Endpoint[] = contracts.map((one) => ({
    contract: one,
    handler: async () => ({}),
  }));
  const world = await openWorld('embedded', { endpoints });
  try {
    const { key } = await world.tenant();
    const link = '</guides/versions>; rel="deprecation"; type="text/html"';
    // 2027-01-01T00:00:00Z is 1798761600.
    const announced = ['@1798761600', 'Fri, 01 Oct 2027 00:00:00 GMT', link];
    for (const [status, sender, path] of [
      [200, key, '/channels/old?name=a'],
      [400, key, '/channels/old'],
      [403, 'vit_live_mistyped', '/channels/old?name=a'],
    ] as const) {
      const answer = await world.ask(sender, 'GET', path);
      assert.equal(answer.status, status);
      assert.deepEqual(headersOf(answer), announced, `${status}`);
      const exposed = await world.ask(sender, 'GET', path, undefined, { origin: 'http://a.test' });
      const names = String(exposed.headers['access-control-expose-headers']).toLowerCase();
      for (const name of ['deprecation', 'sunset', 'link']) assert.ok(names.includes(name), name);
    }
    const older = await world.ask(key, 'GET', '/channels/older');
    assert.deepEqual(headersOf(older), ['@1798761600', undefined, link]);
    const current = await world.ask(key, 'GET', '/channels/new');
    assert.deepEqual(headersOf(current), [undefined, undefined, undefined]);
  } finally {
    await world.close();
  }
});

test('the description marks a deprecated operation and names the next one', () => {
  const { paths } = describeContracts(contracts as readonly Contract[], publicIntroduction);
  type Operation = {
    readonly deprecated?: boolean;
    readonly description: string;
    readonly responses: Readonly<Record<string, { readonly headers: object }>>;
  };
  const operation = (path: string) => paths[path]!.get as Operation;
  const old = operation('/channels/old');
  assert.equal(old.deprecated, true);
  assert.ok(
    old.description.endsWith(
      'Deprecated since 2027-01-01; it answers at least until 2027-10-01. Call readNew instead.',
    ),
  );
  for (const { headers } of Object.values(old.responses))
    assert.ok('Deprecation' in headers && 'Sunset' in headers);
  assert.ok(!('Sunset' in operation('/channels/older').responses[200]!.headers));
  assert.equal(operation('/channels/new').deprecated, undefined);
});
