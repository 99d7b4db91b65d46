import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, test } from 'node:test';
import {
  type Answer,
  hardlyLimited,
  type Method,
  onEachPair,
  type Tenant,
  testOnOnePair,
} from '../../../test/harness.ts';
import { entriesMax } from './contract.ts';

const products = (...skus: string[]) => skus.map((sellerSku) => ({ sellerSku }));
const numbered = (count: number, first = 0) =>
  Array.from({ length: count }, (_, position) => `sku ${first + position}`);
const unknown = { status: 'error', error: 'there is no such group' };

onEachPair('custom groups', (world, pair) => {
  const testOnce = testOnOnePair(pair);
  let acme: Tenant;
  /** The two names of the channel that most tests use. */
  let us: { channelId: string; merchantId: string };

  before(async () => {
    acme = await world().tenant();
    us = { channelId: acme.channelId, merchantId: acme.merchantId };
  });

  const ask = (method: Method, path: string, body?: unknown, key = acme.key) =>
    world().ask(key, method, path, body);
  const read = (groupId: number | string) => ask('GET', `/customGroups/${groupId}`);
  const change = (groupId: number | string, body: object) =>
    ask('PATCH', `/customGroups/${groupId}`, { ...us, ...body });

  async function save(body: object): Promise<number> {
    const answer = await ask('POST', '/customGroups', { ...us, groupName: 'Group', ...body });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    assert.deepEqual(Object.keys(answer.body), ['groupId']);
    assert.ok(Number.isSafeInteger(answer.body.groupId));
    return answer.body.groupId;
  }

  async function skusOf(groupId: number): Promise<string[]> {
    const { body } = await read(groupId);
    assert.deepEqual(body.group.brands, []);
    return body.group.products.map(({ sellerSku }: { sellerSku: string }) => sellerSku);
  }

  async function changed(groupId: number, body: object): Promise<void> {
    const answer = await change(groupId, body);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    assert.equal(answer.body, '');
  }

  function refused({ status, body }: Answer, error: string): void {
    assert.equal(status, 400, JSON.stringify(body));
    assert.deepEqual(body, { status: 'error', error });
  }

  function missing({ status, body }: Answer): void {
    assert.equal(status, 404, JSON.stringify(body));
    assert.deepEqual(body, unknown);
  }

  /** Another channel of the organisation. */
  async function otherChannel(merchantId = 'M2 @ DE') {
    return {
      channelId: await world().channel(acme.organisationId, randomUUID(), { merchantId }),
      merchantId,
    };
  }

  /** The key of an administrator who may reach one channel alone. */
  async function restrictedTo(channelId: string): Promise<string> {
    const { organisationId } = acme;
    const email = `${randomUUID()}@example.com`;
    const { userId } = await world().operate('POST', '/operator/users', {
      organisationId,
      email,
      role: 'administrator',
    });
    await world().operate('PUT', `/operator/users/${userId}/channels`, { channelIds: [channelId] });
    const { key } = await world().operate('POST', '/operator/keys', {
      userId,
      limits: hardlyLimited,
    });
    return key;
  }

  test('200: a group of products is created, and read in the order in which they were given', async () => {
    const groupId = await save({ groupName: ' Best sellers ', products: products('b', 'a', 'c') });
    const { status, body } = await read(groupId);
    assert.equal(status, 200);
    assert.deepEqual(body, {
      group: { groupId, groupName: 'Best sellers', products: products('b', 'a', 'c'), brands: [] },
    });
  });

  test('200: a group of brands is created, and its products are an empty list', async () => {
    const groupId = await save({ groupName: 'Ours', brands: ['Nord', 'Ost'] });
    assert.deepEqual((await read(groupId)).body, {
      group: { groupId, groupName: 'Ours', products: [], brands: ['Nord', 'Ost'] },
    });
  });

  test('200: entries are trimmed, letter case matters, and the first of duplicates keeps its place', async () => {
    assert.deepEqual(await skusOf(await save({ products: products(' b', 'a', 'b ', 'B', 'a') })), [
      'b',
      'a',
      'B',
    ]);
    const groupId = await save({ brands: ['Ost', ' Nord ', 'Ost', 'nord', 'Nord'] });
    assert.deepEqual((await read(groupId)).body.group.brands, ['Ost', 'Nord', 'nord']);
  });

  test('200: without groupId every call creates a group, even of the same name', async () => {
    const body = { groupName: 'Twice', products: products('a') };
    assert.notEqual(await save(body), await save(body));
  });

  test('200: with groupId a group is replaced completely, and its kind may change', async () => {
    const groupId = await save({ groupName: 'Before', products: products('a', 'b', 'c') });
    assert.equal(
      await save({ groupId, groupName: 'After', products: products('d', 'b') }),
      groupId,
    );
    assert.deepEqual((await read(groupId)).body.group, {
      groupId,
      groupName: 'After',
      products: products('d', 'b'),
      brands: [],
    });
    assert.equal(
      await save({ groupId: String(groupId), groupName: 'Brands', brands: ['b'] }),
      groupId,
    );
    assert.deepEqual((await read(groupId)).body.group, {
      groupId,
      groupName: 'Brands',
      products: [],
      brands: ['b'],
    });
    assert.equal(await save({ groupId, products: products('b') }), groupId);
    assert.deepEqual(await skusOf(groupId), ['b']);
  });

  testOnce('200: a group may hold as many entries as the limit says, in their order', async () => {
    const skus = numbered(entriesMax);
    const groupId = await save({ products: products(...skus) });
    assert.deepEqual(await skusOf(groupId), skus);
    refused(
      await change(groupId, { addProducts: products('one more') }),
      'addProducts would give the group 10001 products and it may hold at most 10000',
    );
    await changed(groupId, {
      addProducts: products('one more', 'sku 7'),
      removeProducts: products(...skus.slice(0, 9_000)).filter(
        ({ sellerSku }) => sellerSku !== 'sku 7',
      ),
    });
    assert.deepEqual(await skusOf(groupId), ['sku 7', ...skus.slice(9_000), 'one more']);
    await save({ groupId, products: products(...skus.toReversed()) });
    assert.deepEqual(await skusOf(groupId), skus.toReversed());
  });

  test('200: names and entries of the greatest length are taken, a character outside the basic plane being one', async () => {
    const [groupName, brand] = ['😀'.repeat(100), '😀'.repeat(200)];
    const groupId = await save({ groupName, brands: [brand] });
    assert.deepEqual((await read(groupId)).body.group, {
      groupId,
      groupName,
      products: [],
      brands: [brand],
    });
  });

  test('200: what is read of a group can be sent again', async () => {
    const groupId = await save({ products: products('b', 'a') });
    const { group } = (await read(groupId)).body;
    assert.equal(await save(group), groupId);
    assert.deepEqual((await read(groupId)).body.group, group);
  });

  const one = 'exactly one of products and brands must be given and not be empty';
  for (const [body, error] of [
    [{}, one],
    [{ products: products('a'), brands: ['b'] }, one],
    [{ products: [] }, one],
    [{ brands: [] }, one],
    [{ products: [], brands: [] }, one],
    [{ products: ['a'] }, 'products[0] must be an object'],
    [{ products: [{ sku: 'a' }] }, 'products[0].sellerSku is required'],
    [{ products: products('a', ' ') }, 'products[1].sellerSku must not be empty'],
    [
      { products: products('x'.repeat(201)) },
      'products[0].sellerSku must have at most 200 characters',
    ],
    [
      { brands: ['x'.repeat(201), 7] },
      'brands[0] must have at most 200 characters, brands[1] must be a string',
    ],
    [
      { products: products(...numbered(entriesMax + 1)) },
      'products must have at most 10000 entries',
    ],
    [{ brands: numbered(entriesMax + 1) }, 'brands must have at most 10000 entries'],
    [{ brands: ['a'], groupName: ' ' }, 'groupName must not be empty'],
    [{ brands: ['a'], groupName: undefined }, 'groupName is required'],
    [{ brands: ['a'], groupName: 'x'.repeat(101) }, 'groupName must have at most 100 characters'],
    [{ brands: ['a'], groupId: 'seven' }, 'groupId must be an integer'],
    [{ brands: ['a'], groupId: '' }, 'groupId must be an integer'],
    [{ brands: ['a'], groupId: 1.5 }, 'groupId must be an integer'],
    [
      { groupName: '', products: [{}], brands: [''] },
      `groupName must not be empty, products[0].sellerSku is required, ${one}, brands[0] must not be empty`,
    ],
    [{ brands: ['a'], groupId: '1e3' }, 'groupId must be an integer'],
  ] as const) {
    testOnce(
      `400: a group of ${JSON.stringify(body).slice(0, 60)} is refused because ${error}`,
      async () => {
        refused(await ask('POST', '/customGroups', { ...us, groupName: 'Group', ...body }), error);
      },
    );
  }

  testOnce('400: every failing rule is listed, that of the channel among them', async () => {
    refused(
      await ask('POST', '/customGroups', {
        channelId: 'unknown',
        merchantId: 'M',
        groupId: 'x',
        products: [{}],
      }),
      'channelId and merchantId do not match a connected store, groupId must be an integer, groupName is required, products[0].sellerSku is required',
    );
  });

  testOnce('400: what was refused leaves the group as it was', async () => {
    const groupId = await save({ products: products('a') });
    refused(await ask('POST', '/customGroups', { ...us, groupId, groupName: 'Other' }), one);
    refused(
      await change(groupId, { groupName: 'Other', removeProducts: products('a') }),
      'removeProducts would leave the group without products: delete the group instead',
    );
    assert.deepEqual((await read(groupId)).body.group, {
      groupId,
      groupName: 'Group',
      products: products('a'),
      brands: [],
    });
  });

  test('200: a deleted group is gone, and deleting it again answers 404', async () => {
    const groupId = await save({ products: products('a', 'b') });
    const { status, body } = await ask('DELETE', `/customGroups/${groupId}`);
    assert.equal(status, 200);
    assert.equal(body, '');
    missing(await ask('DELETE', `/customGroups/${groupId}`));
    missing(await read(groupId));
    missing(await change(groupId, { groupName: 'Again' }));
    missing(
      await ask('POST', '/customGroups', {
        ...us,
        groupId,
        groupName: 'Again',
        products: products('a'),
      }),
    );
    assert.notEqual(await save({ products: products('a') }), groupId);
  });

  test('200: reading and deleting take the names of the channel, and answer 404 where one belongs to another', async () => {
    const groupId = await save({ products: products('a') });
    const other = await otherChannel();
    const path = (names: Record<string, string>) =>
      `/customGroups/${groupId}?${new URLSearchParams(names)}`;
    const { channelId, merchantId } = us;
    for (const method of ['GET', 'DELETE'] as const) {
      for (const names of [
        { channelId, merchantId: 'M' },
        { channelId: 'unknown', merchantId },
        other,
        { channelId: other.channelId },
        { merchantId: other.merchantId },
      ]) {
        missing(await ask(method, path(names)));
      }
    }
    for (const names of [us, { channelId }, { merchantId }])
      assert.equal((await ask('GET', path(names))).body.group.groupId, groupId);
    assert.equal((await ask('DELETE', path(us))).status, 200);
    missing(await read(groupId));
  });

  testOnce(
    '400: an identifier that is no number is refused, and one that is too large is of no group',
    async () => {
      for (const id of ['abc', '1.5', '1e3', '0x1', '%20']) {
        refused(await read(id), 'id must be an integer');
        refused(await ask('DELETE', `/customGroups/${id}`), 'id must be an integer');
        refused(await change(id, { groupName: 'A' }), 'id must be an integer');
      }
      for (const id of [
        '0',
        '-1',
        '999999999',
        '9007199254740991',
        '9007199254740993',
        '99999999999999999999',
        '9'.repeat(100),
      ]) {
        missing(await read(id));
        missing(await ask('DELETE', `/customGroups/${id}`));
        missing(await change(id, { groupName: 'A' }));
        missing(
          await ask('POST', '/customGroups', { ...us, groupName: 'A', brands: ['a'], groupId: id }),
        );
      }
      missing(
        await ask('POST', '/customGroups', {
          ...us,
          groupName: 'A',
          brands: ['a'],
          groupId: 1e300,
        }),
      );
    },
  );

  test('404: groups that are unknown, of another organisation and out of reach are answered in the same bytes', async () => {
    const here = await otherChannel();
    const key = await restrictedTo(here.channelId);
    const outOfReach = await save({ products: products('a') });
    const foreignTenant = await world().tenant();
    const { channelId, merchantId, key: foreignKey } = foreignTenant;
    const foreign = await ask(
      'POST',
      '/customGroups',
      { channelId, merchantId, groupName: 'Foreign', brands: ['a'] },
      foreignKey,
    );
    const requests = (groupId: number): [Method, string, object?][] => [
      ['GET', `/customGroups/${groupId}`],
      ['DELETE', `/customGroups/${groupId}`],
      ['PATCH', `/customGroups/${groupId}`, { ...here, groupName: 'Taken' }],
      ['PATCH', `/customGroups/${groupId}`, { ...here, addBrands: ['b'] }],
      ['POST', '/customGroups', { ...here, groupId, groupName: 'Taken', products: products('b') }],
    ];
    for (const groupId of [foreign.body.groupId, outOfReach, 999_999_999]) {
      for (const [method, url, body] of requests(groupId)) {
        const headers = { 'x-api-key': key, 'content-type': 'application/json' };
        const answer = await world().server.inject({
          method,
          url,
          headers,
          ...(body && { payload: JSON.stringify(body) }),
        });
        assert.equal(answer.statusCode, 404);
        assert.equal(answer.body, '{"status":"error","error":"there is no such group"}');
        assert.equal(answer.headers['content-length'], String(answer.body.length));
      }
    }
    assert.equal((await read(outOfReach)).body.group.groupName, 'Group');
    assert.equal(
      (await ask('GET', `/customGroups/${foreign.body.groupId}`, undefined, foreignKey)).body.group
        .groupName,
      'Foreign',
    );
  });

  test('200: a restricted administrator has the groups of the channels that were granted', async () => {
    const here = await otherChannel();
    const key = await restrictedTo(here.channelId);
    const { groupId } = (
      await ask(
        'POST',
        '/customGroups',
        { ...here, groupName: 'Here', products: products('a') },
        key,
      )
    ).body;
    assert.equal(
      (await ask('PATCH', `/customGroups/${groupId}`, { ...here, addProducts: products('b') }, key))
        .status,
      200,
    );
    assert.deepEqual(
      (await ask('GET', `/customGroups/${groupId}`, undefined, key)).body,
      (await read(groupId)).body,
    );
    assert.deepEqual(
      (await ask('GET', `/customGroups?${new URLSearchParams(here)}`, undefined, key)).body,
      {
        groups: [{ groupId, groupName: 'Here' }],
        total: 1,
      },
    );
    const text = 'channelId and merchantId do not match a connected store';
    refused(
      await ask(
        'POST',
        '/customGroups',
        { ...us, groupName: 'There', products: products('a') },
        key,
      ),
      text,
    );
    refused(await ask('GET', `/customGroups?${new URLSearchParams(us)}`, undefined, key), text);
    assert.equal((await ask('DELETE', `/customGroups/${groupId}`, undefined, key)).status, 200);
  });

  test('404: a group is not overwritten or changed by the names of another channel that the caller may reach', async () => {
    const groupId = await save({ products: products('a') });
    const other = await otherChannel(us.merchantId);
    missing(
      await ask('POST', '/customGroups', {
        ...other,
        groupId,
        groupName: 'Other',
        products: products('b'),
      }),
    );
    missing(await ask('PATCH', `/customGroups/${groupId}`, { ...other, groupName: 'Other' }));
    refused(
      await ask('PATCH', `/customGroups/${groupId}`, {
        ...us,
        merchantId: 'M',
        groupName: 'Other',
      }),
      'channelId and merchantId do not match a connected store',
    );
    assert.deepEqual(await skusOf(groupId), ['a']);
  });

  test('200: the groups of a channel are listed by name and then identifier, in pages', async () => {
    const here = await otherChannel();
    const list = async (page: Record<string, string> = {}) => {
      const { status, body } = await ask(
        'GET',
        `/customGroups?${new URLSearchParams({ ...here, ...page })}`,
      );
      assert.equal(status, 200, JSON.stringify(body));
      return body;
    };
    assert.deepEqual(await list(), { groups: [], total: 0 });
    const groups: { groupId: number; groupName: string }[] = [];
    // In the order of their bytes capitals come first and letters with accents last.
    for (const groupName of ['a', 'B', 'é', 'b', 'B'])
      groups.push({ groupId: await save({ ...here, groupName, brands: ['x'] }), groupName });
    const [a, firstB, accent, b, secondB] = groups;
    assert.deepEqual(await list(), { groups: [firstB, secondB, a, b, accent], total: 5 });
    assert.deepEqual(await list({ pageSize: '2' }), { groups: [firstB, secondB], total: 5 });
    assert.deepEqual(await list({ pageSize: '2', pageIndex: '2' }), { groups: [accent], total: 5 });
    assert.deepEqual(await list({ pageIndex: '1' }), { groups: [], total: 5 });
    await ask('DELETE', `/customGroups/${a!.groupId}`);
    await ask('PATCH', `/customGroups/${b!.groupId}`, { ...here, groupName: 'A' });
    assert.deepEqual(await list(), {
      groups: [{ ...b, groupName: 'A' }, firstB, secondB, accent],
      total: 4,
    });
  });

  test('200: ten groups are listed unless another number is asked for', async () => {
    const here = await otherChannel();
    for (let position = 0; position < 12; position++) await save({ ...here, brands: ['x'] });
    const { groups, total } = (await ask('GET', `/customGroups?${new URLSearchParams(here)}`)).body;
    assert.equal(groups.length, 10);
    assert.equal(total, 12);
  });

  testOnce(
    '400: a listing needs both names of a channel and a page within the limits',
    async () => {
      refused(
        await ask('GET', '/customGroups?pageIndex=-1&pageSize=101'),
        'channelId is required, merchantId is required, pageIndex must be at least 0, pageSize must be at most 100',
      );
      refused(
        await ask('GET', `/customGroups?channelId=${us.channelId}&merchantId=M`),
        'channelId and merchantId do not match a connected store',
      );
    },
  );

  test('200: a change renames, adds after what is there, and removes', async () => {
    const groupId = await save({ groupName: 'Before', products: products('b', 'a') });
    await changed(groupId, {
      groupName: ' After ',
      addProducts: products('d', 'c', 'd'),
      removeProducts: products('b'),
    });
    assert.deepEqual((await read(groupId)).body.group, {
      groupId,
      groupName: 'After',
      products: products('a', 'd', 'c'),
      brands: [],
    });
    await changed(groupId, { groupName: 'Again' });
    assert.deepEqual((await read(groupId)).body.group, {
      groupId,
      groupName: 'Again',
      products: products('a', 'd', 'c'),
      brands: [],
    });
    const ofBrands = await save({ brands: ['Nord', 'Ost'] });
    await changed(ofBrands, {
      addBrands: ['West '],
      removeBrands: [' Ost'],
      addProducts: [],
      removeProducts: [],
    });
    assert.deepEqual((await read(ofBrands)).body.group.brands, ['Nord', 'West']);
  });

  test('200: adding what is there and removing what is not change nothing', async () => {
    const groupId = await save({ products: products('a', 'b') });
    await changed(groupId, { addProducts: products('b', 'a'), removeProducts: products('c', 'A') });
    assert.deepEqual(await skusOf(groupId), ['a', 'b']);
  });

  test('200: all that a group holds may be changed for something else at once', async () => {
    const groupId = await save({ products: products('a', 'b') });
    await changed(groupId, { addProducts: products('c'), removeProducts: products('a', 'b') });
    assert.deepEqual(await skusOf(groupId), ['c']);
  });

  const none =
    'at least one change must be given: groupName or addProducts or removeProducts or addBrands or removeBrands';
  const mixed =
    'products and brands must not be changed together: a group holds products or brands';
  const kept = (field: string) => `${field} must not be given: the group holds products`;
  for (const [body, error] of [
    [{}, none],
    [{ addProducts: [], removeProducts: [], addBrands: [], removeBrands: [] }, none],
    [{ addProducts: products('b'), addBrands: ['b'] }, `${mixed}, ${kept('addBrands')}`],
    [{ removeProducts: products('b'), removeBrands: ['b'] }, `${mixed}, ${kept('removeBrands')}`],
    [
      { addProducts: products('b ', 'c'), removeProducts: products(' b') },
      'removeProducts must not hold a product that addProducts holds',
    ],
    [
      { addBrands: ['b'], removeBrands: ['c', 'b'] },
      `removeBrands must not hold a brand that addBrands holds, ${kept('addBrands')}, ${kept('removeBrands')}`,
    ],
    [{ addBrands: ['b'] }, kept('addBrands')],
    [{ removeBrands: ['b'] }, kept('removeBrands')],
    [
      { removeProducts: products('a', 'b') },
      'removeProducts would leave the group without products: delete the group instead',
    ],
    [
      { groupName: '', removeProducts: products('a') },
      'groupName must not be empty, removeProducts would leave the group without products: delete the group instead',
    ],
    [{ groupName: '' }, 'groupName must not be empty'],
    [{ groupName: null }, none],
    [{ addProducts: products(' ') }, 'addProducts[0].sellerSku must not be empty'],
    [{ removeBrands: [''] }, `removeBrands[0] must not be empty, ${kept('removeBrands')}`],
    [
      { addProducts: products(...numbered(entriesMax + 1)) },
      'addProducts must have at most 10000 entries',
    ],
    [
      { addProducts: products(...numbered(entriesMax)) },
      'addProducts would give the group 10001 products and it may hold at most 10000',
    ],
  ] as const) {
    testOnce(
      `400: a change of ${JSON.stringify(body).slice(0, 60)} is refused because ${error}`,
      async () => {
        const groupId = await save({ products: products('a') });
        refused(await change(groupId, body), error);
        assert.deepEqual((await read(groupId)).body.group, {
          groupId,
          groupName: 'Group',
          products: products('a'),
          brands: [],
        });
      },
    );
  }

  testOnce('400: a group of brands takes no products and keeps at least one brand', async () => {
    const groupId = await save({ brands: ['Nord'] });
    const text = (field: string) => `${field} must not be given: the group holds brands`;
    refused(await change(groupId, { addProducts: products('a') }), text('addProducts'));
    refused(await change(groupId, { removeProducts: products('Nord') }), text('removeProducts'));
    refused(
      await change(groupId, { removeBrands: ['Nord'] }),
      'removeBrands would leave the group without brands: delete the group instead',
    );
    assert.deepEqual((await read(groupId)).body.group.brands, ['Nord']);
  });

  test('200: changes at the same moment lose nothing', async () => {
    const groupId = await save({ products: products('a', ...numbered(20)) });
    // Each shares one product with another.
    const added = numbered(20).map(
      (_, number) => [`new ${number}`, `shared ${number % 10}`] as const,
    );
    await Promise.all(
      added.map((skus, number) =>
        changed(groupId, {
          addProducts: products(...skus),
          removeProducts: products(`sku ${number}`),
        }),
      ),
    );
    const [first, ...others] = await skusOf(groupId);
    assert.equal(first, 'a');
    assert.deepEqual(others.toSorted(), [...new Set(added.flat())].toSorted());
  });

  test('400: changes at the same moment do not empty a group together', async () => {
    const skus = numbered(8);
    const groupId = await save({ products: products(...skus) });
    const answers = await Promise.all(
      skus.map((sku) => change(groupId, { removeProducts: products(sku) })),
    );
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted(),
      [200, 200, 200, 200, 200, 200, 200, 400],
    );
    assert.equal((await skusOf(groupId)).length, 1);
  });

  test('200: a group that several overwrite at the same moment is always seen as one of them left it', async () => {
    const versions = Array.from({ length: 10 }, (_, version) => {
      const entries = numbered(5, version);
      const content = version % 2 === 0 ? { products: products(...entries) } : { brands: entries };
      return { groupName: `Version ${version}`, ...content };
    });
    const groupId = await save(versions[0]!);
    const calls = versions.map(async (version) => {
      await save({ groupId, ...version });
      return read(groupId);
    });
    const seen = await Promise.all([...calls, ...versions.map(() => read(groupId))]);
    for (const { body } of seen) {
      const version = versions.find(({ groupName }) => groupName === body.group.groupName)!;
      assert.deepEqual(body.group, { groupId, products: [], brands: [], ...version });
    }
  });

  test('200: of two simultaneous deletions one answers that the group is gone', async () => {
    const groupId = await save({ products: products('a') });
    const answers = await Promise.all([1, 2].map(() => ask('DELETE', `/customGroups/${groupId}`)));
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 404]);
  });

  test('200: a repeated call with the same Idempotency-Key changes nothing more and gets the first answer', async () => {
    const here = await otherChannel();
    const once = (method: Method, path: string, body: object, key: string) =>
      world().ask(acme.key, method, path, body, { 'idempotency-key': key });
    const [posting, patching] = [randomUUID(), randomUUID()];
    const created = await once(
      'POST',
      '/customGroups',
      { ...here, groupName: 'Once', products: products('a') },
      posting,
    );
    const again = await once(
      'POST',
      '/customGroups',
      { ...here, groupName: 'Once', products: products('a') },
      posting,
    );
    assert.equal(created.headers['idempotency-replayed'], undefined);
    assert.equal(again.headers['idempotency-replayed'], 'true');
    assert.equal(again.status, 200);
    assert.deepEqual(again.body, created.body);
    assert.equal((await ask('GET', `/customGroups?${new URLSearchParams(here)}`)).body.total, 1);
    const path = `/customGroups/${created.body.groupId}`;
    const add = { ...here, addProducts: products('b') };
    assert.equal((await once('PATCH', path, add, patching)).status, 200);
    assert.equal(
      (await ask('PATCH', path, { ...here, removeProducts: products('b') })).status,
      200,
    );
    const repeated = await once('PATCH', path, add, patching);
    assert.equal(repeated.headers['idempotency-replayed'], 'true');
    assert.equal(repeated.status, 200);
    assert.equal(repeated.body, '');
    assert.deepEqual(await skusOf(created.body.groupId), ['a']);
  });

  test('200: a deleted channel takes its groups with it', async () => {
    const here = await otherChannel();
    const groupId = await save({ ...here, products: products('a') });
    await world().operate('DELETE', `/operator/channels/${here.channelId}`);
    missing(await read(groupId));
  });

  test('405: a refusal lists the methods of its path', async () => {
    assert.equal((await ask('PUT', '/customGroups')).headers.allow, 'GET, HEAD, OPTIONS, POST');
    assert.equal(
      (await ask('POST', '/customGroups/1', {})).headers.allow,
      'DELETE, GET, HEAD, OPTIONS, PATCH',
    );
  });
});
