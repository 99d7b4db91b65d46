/**
 * Groups of products or brands: saved, read, listed, changed and deleted by users who reach their
 * channel, and whole despite simultaneous requests.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, test } from 'node:test';
import {
  type Answer,
  type Method,
  onEachPair,
  type Tenant,
  testOnOnePair,
} from '../../../test/harness.ts';
import { administratorOf } from '../../../test/world.ts';
import { entriesMax } from './contract.ts';

const products = (...skus: string[]) => skus.map((sellerSku) => ({ sellerSku }));
const numbered = (count: number, first = 0) =>
  Array.from({ length: count }, (_, position) => `sku ${first + position}`);
const tooMany = 'addProducts would give the group 10001 products and it may hold at most 10000';
const noneLeft = 'removeProducts would leave the group without products: delete the group instead';
const unknown = { status: 'error', error: 'there is no such group' };

onEachPair('custom groups', (world, pair) => {
  const testOnce = testOnOnePair(pair);
  type Names = Pick<Tenant, 'channelId' | 'merchantId'>;
  let acme: Tenant;
  /** The two names of the channel that most tests use. */
  let us: Names;

  before(async () => {
    acme = await world().tenant();
    us = { channelId: acme.channelId, merchantId: acme.merchantId };
  });

  const ask = (method: Method, path: string, body?: unknown, key = acme.key) =>
    world().ask(key, method, path, body);
  const post = (body: object, key?: string) =>
    ask('POST', '/customGroups', { ...us, groupName: 'Group', ...body }, key);
  const read = (groupId: number | string, key?: string) =>
    ask('GET', `/customGroups/${groupId}`, undefined, key);
  const groupOf = async (groupId: number) => (await read(groupId)).body.group;
  const change = (groupId: number | string, body: object, key?: string) =>
    ask('PATCH', `/customGroups/${groupId}`, { ...us, ...body }, key);
  const remove = (groupId: number | string, key?: string) =>
    ask('DELETE', `/customGroups/${groupId}`, undefined, key);
  const list = (query: Record<string, string>, key?: string) =>
    ask('GET', `/customGroups?${new URLSearchParams(query)}`, undefined, key);

  async function save(body: object): Promise<number> {
    const answer = await post(body);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    assert.deepEqual(Object.keys(answer.body), ['groupId']);
    assert.ok(Number.isSafeInteger(answer.body.groupId));
    return answer.body.groupId;
  }

  async function skusOf(groupId: number): Promise<string[]> {
    const group = await groupOf(groupId);
    assert.deepEqual(group.brands, []);
    return group.products.map(({ sellerSku }: { sellerSku: string }) => sellerSku);
  }

  async function changed(groupId: number, body: object): Promise<void> {
    const answer = await change(groupId, body);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    assert.equal(answer.body, '');
  }

  function refused({ status, body }: Answer, error: string, input?: object): void {
    const words = { status: 'error', error };
    assert.deepEqual([status, body], [400, words], JSON.stringify(input ?? body).slice(0, 60));
  }

  function missing({ status, body }: Answer): void {
    assert.deepEqual([status, body], [404, unknown]);
  }

  /** Another channel of the organisation. */
  async function otherChannel(merchantId = 'M2 @ DE'): Promise<Names> {
    const channelId = await world().channel(acme.organisationId, randomUUID(), { merchantId });
    return { channelId, merchantId };
  }

  /** The key of an administrator who may reach one channel alone. */
  async function restrictedTo(channelId: string): Promise<string> {
    const { key, grant } = await administratorOf(world(), acme.organisationId);
    await grant([channelId]);
    return key;
  }

  test('200: a group is created and read, trimmed and without duplicates, in the order in which its entries were given', async () => {
    const skus = products(' b', 'a', 'b ', 'B', 'a');
    const ofProducts = await save({ groupName: ' Best sellers ', products: skus });
    const { status, body } = await read(ofProducts);
    const group = { groupId: ofProducts, groupName: 'Best sellers', brands: [] };
    // Letter case matters, and the first of duplicates stays in its place.
    const expected = { group: { ...group, products: products('b', 'a', 'B') } };
    assert.deepEqual([status, body], [200, expected]);
    const brands = ['Ost', ' Nord ', 'Ost', 'nord', 'Nord'];
    const groupId = await save({ groupName: 'Ours', brands });
    const ofBrands = { groupName: 'Ours', products: [], brands: ['Ost', 'Nord', 'nord'] };
    assert.deepEqual((await read(groupId)).body, { group: { groupId, ...ofBrands } });
  });

  testOnce('200: without groupId every call creates a group, even of the same name', async () => {
    const body = { groupName: 'Twice', products: products('a') };
    const [one, other] = [await save(body), await save(body)];
    // Consecutive numbers would reveal how many groups others make.
    assert.ok(Math.abs(one - other) > 1_000, `${one}, ${other}`);
  });

  test('200: with groupId a group is replaced completely, and its kind may change', async () => {
    const groupId = await save({ groupName: 'Before', products: products('a', 'b', 'c') });
    const after = { groupId, groupName: 'After', products: products('d', 'b') };
    assert.equal(await save(after), groupId);
    assert.deepEqual(await groupOf(groupId), { ...after, brands: [] });
    const ofBrands = { groupName: 'Brands', brands: ['b'] };
    assert.equal(await save({ groupId: String(groupId), ...ofBrands }), groupId);
    assert.deepEqual(await groupOf(groupId), { groupId, ...ofBrands, products: [] });
    assert.equal(await save({ groupId, products: products('b') }), groupId);
    assert.deepEqual(await skusOf(groupId), ['b']);
  });

  testOnce('200: a group may hold as many entries as the limit says, in their order', async () => {
    const skus = numbered(entriesMax);
    const groupId = await save({ products: products(...skus) });
    assert.deepEqual(await skusOf(groupId), skus);
    refused(await change(groupId, { addProducts: products('one more') }), tooMany);
    refused(await post({ products: products('one more', ...skus) }), `products ${many}`);
    const removed = skus.slice(0, 9_000).filter((sku) => sku !== 'sku 7');
    const addProducts = products('one more', 'sku 7');
    await changed(groupId, { addProducts, removeProducts: products(...removed) });
    assert.deepEqual(await skusOf(groupId), ['sku 7', ...skus.slice(9_000), 'one more']);
    await save({ groupId, products: products(...skus.toReversed()) });
    assert.deepEqual(await skusOf(groupId), skus.toReversed());
  });

  testOnce('200: names and entries are as long as they may, in whole characters', async () => {
    const [groupName, brand] = ['😀'.repeat(100), '😀'.repeat(200)];
    const groupId = await save({ groupName, brands: [brand] });
    const group = { groupId, groupName, products: [], brands: [brand] };
    assert.deepEqual(await groupOf(groupId), group);
  });

  testOnce('200: what is read of a group can be sent again', async () => {
    const groupId = await save({ products: products('b', 'a') });
    const group = await groupOf(groupId);
    assert.equal(await save(group), groupId);
    assert.deepEqual(await groupOf(groupId), group);
  });

  const one = 'exactly one of products and brands must be given and not be empty';
  const many = 'must have at most 10000 entries';
  const unconnected = 'channelId and merchantId do not match a connected store';

  testOnce('400: what was refused leaves the group as it was', async () => {
    const groupId = await save({ products: products('a') });
    refused(await post({ groupId, groupName: 'Other' }), one);
    const emptied = { groupName: 'Other', removeProducts: products('a') };
    refused(await change(groupId, emptied), noneLeft);
    const group = { groupId, groupName: 'Group', products: products('a'), brands: [] };
    assert.deepEqual(await groupOf(groupId), group);
  });

  test('200: a deleted group is gone, and deleting it again answers 404', async () => {
    const groupId = await save({ products: products('a', 'b') });
    const { status, body } = await remove(groupId);
    assert.deepEqual([status, body], [200, '']);
    missing(await remove(groupId));
    missing(await read(groupId));
    missing(await change(groupId, { groupName: 'Again' }));
    missing(await post({ groupId, groupName: 'Again', products: products('a') }));
    assert.notEqual(await save({ products: products('a') }), groupId);
  });

  testOnce('404: a group is read and deleted by the names of its channel alone', async () => {
    const groupId = await save({ products: products('a') });
    const other = await otherChannel();
    const path = (names: Record<string, string>) =>
      `/customGroups/${groupId}?${new URLSearchParams(names)}`;
    const { channelId, merchantId } = us;
    const half = [
      { channelId, merchantId: 'M' },
      { channelId: 'unknown', merchantId },
    ];
    const others: Record<string, string>[] = [
      other,
      { channelId: other.channelId },
      { merchantId: other.merchantId },
    ];
    for (const method of ['GET', 'DELETE'] as const)
      for (const names of [...half, ...others]) missing(await ask(method, path(names)));
    for (const names of [us, { channelId }, { merchantId }])
      assert.equal((await ask('GET', path(names))).body.group.groupId, groupId);
    assert.equal((await ask('DELETE', path(us))).status, 200);
    missing(await read(groupId));
  });

  testOnce('404: identifiers that are too large for any group', async () => {
    const safe = 9_007_199_254_740_991n;
    const large = [999_999_999, safe, safe + 2n, '99999999999999999999', '9'.repeat(100)];
    for (const id of ['0', '-1', ...large.map(String)]) {
      missing(await read(id));
      missing(await remove(id));
      missing(await change(id, { groupName: 'A' }));
      missing(await post({ brands: ['a'], groupId: id }));
    }
    missing(await post({ brands: ['a'], groupId: 1e300 }));
  });

  testOnce(
    '404: unknown and foreign groups and those out of reach are answered alike',
    async () => {
      const here = await otherChannel();
      const key = await restrictedTo(here.channelId);
      const outOfReach = await save({ products: products('a') });
      const { channelId, merchantId, key: foreignKey } = await world().tenant();
      const ofOthers = { channelId, merchantId, groupName: 'Foreign', brands: ['a'] };
      const foreign = await post(ofOthers, foreignKey);
      const taken = { ...here, groupName: 'Taken' };
      const requests = (groupId: number): [Method, string, object?][] => [
        ['GET', `/customGroups/${groupId}`],
        ['DELETE', `/customGroups/${groupId}`],
        ['PATCH', `/customGroups/${groupId}`, taken],
        ['PATCH', `/customGroups/${groupId}`, { ...here, addBrands: ['b'] }],
        ['POST', '/customGroups', { ...taken, groupId, products: products('b') }],
      ];
      for (const groupId of [foreign.body.groupId, outOfReach, 999_999_999]) {
        for (const [method, url, body] of requests(groupId)) {
          const headers = { 'x-api-key': key, 'content-type': 'application/json' };
          const payload = body && { payload: JSON.stringify(body) };
          const answer = await world().server.inject({ method, url, headers, ...payload });
          assert.equal(answer.statusCode, 404);
          assert.equal(answer.body, '{"status":"error","error":"there is no such group"}');
          assert.equal(answer.headers['content-length'], String(answer.body.length));
        }
      }
      assert.equal((await groupOf(outOfReach)).groupName, 'Group');
      const { group } = (await read(foreign.body.groupId, foreignKey)).body;
      assert.equal(group.groupName, 'Foreign');
    },
  );

  test('200: a restricted administrator has the groups of the channels that were granted', async () => {
    const here = await otherChannel();
    const key = await restrictedTo(here.channelId);
    const group = { ...here, groupName: 'Here', products: products('a') };
    const { groupId } = (await post(group, key)).body;
    const added = await change(groupId, { ...here, addProducts: products('b') }, key);
    assert.equal(added.status, 200);
    assert.deepEqual((await read(groupId, key)).body, (await read(groupId)).body);
    const groups = [{ groupId, groupName: 'Here' }];
    assert.deepEqual((await list(here, key)).body, { groups, total: 1 });
    refused(await post({ groupName: 'There', products: products('a') }, key), unconnected);
    refused(await list(us, key), unconnected);
    assert.equal((await remove(groupId, key)).status, 200);
  });

  testOnce('404: a group is not changed by the names of another channel', async () => {
    const groupId = await save({ products: products('a') });
    const other = await otherChannel(us.merchantId);
    missing(await post({ ...other, groupId, groupName: 'Other', products: products('b') }));
    missing(await change(groupId, { ...other, groupName: 'Other' }));
    refused(await change(groupId, { merchantId: 'M', groupName: 'Other' }), unconnected);
    assert.deepEqual(await skusOf(groupId), ['a']);
  });

  test('200: the groups of a channel are listed by name and then identifier, in pages', async () => {
    const here = await otherChannel();
    const listed = async (page: Record<string, string> = {}) => {
      const { status, body } = await list({ ...here, ...page });
      assert.equal(status, 200, JSON.stringify(body));
      return body;
    };
    assert.deepEqual(await listed(), { groups: [], total: 0 });
    const groups: { groupId: number; groupName: string }[] = [];
    // In the order of their bytes capitals come first and letters with accents last.
    for (const groupName of ['a', 'B', 'é', 'b', 'B'])
      groups.push({ groupId: await save({ ...here, groupName, brands: ['x'] }), groupName });
    const [a, , accent, b] = groups;
    const ofB = groups.filter(({ groupName }) => groupName === 'B');
    const [firstB, secondB] = ofB.sort((one, other) => one.groupId - other.groupId);
    assert.deepEqual(await listed(), { groups: [firstB, secondB, a, b, accent], total: 5 });
    assert.deepEqual(await listed({ pageSize: '2' }), { groups: [firstB, secondB], total: 5 });
    const last = await listed({ pageSize: '2', pageIndex: '2' });
    assert.deepEqual(last, { groups: [accent], total: 5 });
    assert.deepEqual(await listed({ pageIndex: '1' }), { groups: [], total: 5 });
    await remove(a!.groupId);
    await change(b!.groupId, { ...here, groupName: 'A' });
    const groupsLeft = [{ ...b, groupName: 'A' }, firstB, secondB, accent];
    assert.deepEqual(await listed(), { groups: groupsLeft, total: 4 });
  });

  testOnce('200: ten groups are listed by default', async () => {
    const here = await otherChannel();
    for (let position = 0; position < 12; position++) await save({ ...here, brands: ['x'] });
    const { groups, total } = (await list(here)).body;
    assert.deepEqual([groups.length, total], [10, 12]);
  });

  test('200: a change renames, adds after what is there, and removes', async () => {
    const groupId = await save({ groupName: 'Before', products: products('b', 'a') });
    const lists = { addProducts: products('d', 'c', 'd'), removeProducts: products('b') };
    await changed(groupId, { groupName: ' After ', ...lists });
    const group = { groupId, groupName: 'After', products: products('a', 'd', 'c'), brands: [] };
    assert.deepEqual(await groupOf(groupId), group);
    await changed(groupId, { groupName: 'Again' });
    assert.deepEqual(await groupOf(groupId), { ...group, groupName: 'Again' });
    const ofBrands = await save({ brands: ['Nord', 'Ost'] });
    const none = { addProducts: [], removeProducts: [] };
    await changed(ofBrands, { addBrands: ['West '], removeBrands: [' Ost'], ...none });
    assert.deepEqual((await groupOf(ofBrands)).brands, ['Nord', 'West']);
  });

  testOnce('200: adding what is there and removing what is not change nothing', async () => {
    const groupId = await save({ products: products('a', 'b') });
    await changed(groupId, { addProducts: products('b', 'a'), removeProducts: products('c', 'A') });
    assert.deepEqual(await skusOf(groupId), ['a', 'b']);
  });

  testOnce('200: all that a group holds may be changed for something else at once', async () => {
    const groupId = await save({ products: products('a', 'b') });
    await changed(groupId, { addProducts: products('c'), removeProducts: products('a', 'b') });
    assert.deepEqual(await skusOf(groupId), ['c']);
  });

  const mixed =
    'products and brands must not be changed together: a group holds products or brands';
  const refusalOf = (field: string) => `${field} must not be given: the group holds products`;
  const refusedChanges = [
    [{ addProducts: products('b'), addBrands: ['b'] }, `${mixed}, ${refusalOf('addBrands')}`],
    [
      { removeProducts: products('b'), removeBrands: ['b'] },
      `${mixed}, ${refusalOf('removeBrands')}`,
    ],
    [
      { addBrands: ['b'], removeBrands: ['c', 'b'] },
      `removeBrands must not hold a brand that addBrands holds, ${refusalOf('addBrands')}, ${refusalOf('removeBrands')}`,
    ],
    [{ addBrands: ['b'] }, refusalOf('addBrands')],
    [{ removeBrands: ['b'] }, refusalOf('removeBrands')],
    [{ removeProducts: products('a', 'b') }, noneLeft],
    [{ groupName: '', removeProducts: products('a') }, `groupName must not be empty, ${noneLeft}`],
    [{ removeBrands: [''] }, `removeBrands[0] must not be empty, ${refusalOf('removeBrands')}`],
    [{ addProducts: products(...numbered(entriesMax + 1)) }, `addProducts ${many}`],
    [{ addProducts: products(...numbered(entriesMax)) }, tooMany],
  ] as const;
  testOnce('400: a change is refused with every rule that fails, and changes nothing', async () => {
    const groupId = await save({ products: products('a') });
    for (const [body, error] of refusedChanges) refused(await change(groupId, body), error, body);
    const group = { groupId, groupName: 'Group', products: products('a'), brands: [] };
    assert.deepEqual(await groupOf(groupId), group);
  });

  testOnce(
    '400: a group of brands takes no products and always has at least one brand',
    async () => {
      const groupId = await save({ brands: ['Nord'] });
      const text = (field: string) => `${field} must not be given: the group holds brands`;
      refused(await change(groupId, { addProducts: products('a') }), text('addProducts'));
      refused(await change(groupId, { removeProducts: products('Nord') }), text('removeProducts'));
      const emptied = 'removeBrands would leave the group without brands: delete the group instead';
      refused(await change(groupId, { removeBrands: ['Nord'] }), emptied);
      assert.deepEqual((await groupOf(groupId)).brands, ['Nord']);
    },
  );

  test('200: changes at the same moment lose nothing', async () => {
    const groupId = await save({ products: products('a', ...numbered(20)) });
    // Each shares one product with another.
    const added = numbered(20).map((_, number) => [`new ${number}`, `shared ${number % 10}`]);
    const addAndRemove = (skus: readonly string[], number: number) => {
      const removeProducts = products(`sku ${number}`);
      return changed(groupId, { addProducts: products(...skus), removeProducts });
    };
    await Promise.all(added.map(addAndRemove));
    const [first, ...others] = await skusOf(groupId);
    assert.equal(first, 'a');
    assert.deepEqual(others.toSorted(), [...new Set(added.flat())].toSorted());
  });

  test('400: changes at the same moment do not empty a group together', async () => {
    const skus = numbered(8);
    const groupId = await save({ products: products(...skus) });
    const empty = (sku: string) => change(groupId, { removeProducts: products(sku) });
    const answers = await Promise.all(skus.map(empty));
    const statuses = answers.map(({ status }) => status).toSorted();
    assert.deepEqual(statuses, [200, 200, 200, 200, 200, 200, 200, 400]);
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
    const answers = await Promise.all([1, 2].map(() => remove(groupId)));
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 404]);
  });

  test('200: a deleted channel takes its groups with it', async () => {
    const here = await otherChannel();
    const groupId = await save({ ...here, products: products('a') });
    await world().operate('DELETE', `/operator/channels/${here.channelId}`);
    missing(await read(groupId));
  });
});
