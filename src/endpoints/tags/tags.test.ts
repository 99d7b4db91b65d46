/**
 * The tags of a channel: plain ones of each user and shared ones of the organisation, changed
 * together and bounded.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, test } from 'node:test';
import { type Answer, onEachPair, type Tenant, testOnOnePair } from '../../../test/harness.ts';
import { addRecords, channelNumberOf } from '../../../test/records.ts';
import { refusal } from '../../../test/visitors.ts';
import { administratorOf } from '../../../test/world.ts';
import { tagsMax } from './contract.ts';

onEachPair('PATCH /tags/channel', (world, pair) => {
  const testOnce = testOnOnePair(pair);
  let acme: Tenant;
  /** The key of another user of the same organisation, who may reach all its channels. */
  let colleague: string;

  before(async () => {
    acme = await world().tenant({ channelId: 'tags-us', channel: { merchantId: 'M1 @ US' } });
    colleague = (await administratorOf(world(), acme.organisationId)).key;
  });

  /** Connects a channel of its own for a test, and returns how to change its tags. */
  async function untagged() {
    const merchantId = 'M1 @ US';
    const channelId = await world().channel(acme.organisationId, randomUUID(), { merchantId });
    const change = (body: object, key = acme.key, headers: Record<string, string> = {}) =>
      world().ask(key, 'PATCH', '/tags/channel', { channelId, merchantId, ...body }, headers);
    /** Reads the visible tags and changes nothing. */
    const seen = async (key = acme.key) =>
      tagsOf(await change({ removeTags: ['no such tag'] }, key));
    /** Changes the tags, and expects the whole set. */
    const gives = async (body: object, tags: readonly string[], key = acme.key) =>
      assert.deepEqual(tagsOf(await change(body, key)), tags);
    return { channelId, merchantId, change, seen, gives };
  }

  function tagsOf({ status, body }: Answer): string[] {
    assert.equal(status, 200, JSON.stringify(body));
    return body.tags;
  }

  test('200: the answer holds both names of the channel and its whole tag set', async () => {
    const { channelId, merchantId, change, gives } = await untagged();
    const { status, body } = await change({ addTags: ['premium'] });
    assert.equal(status, 200);
    assert.deepEqual(body, { channelId, merchantId, tags: ['premium'] });
    await gives({ addTags: ['org://eu', 'fragile'] }, ['fragile', 'org://eu', 'premium']);
    const changed = { addTags: ['new'], removeTags: ['org://eu'] };
    await gives(changed, ['fragile', 'new', 'premium']);
    await gives({ removeTags: ['fragile', 'new', 'premium'] }, []);
  });

  testOnce(
    '200: tags are trimmed, letter case matters, and duplicates are stored once',
    async () => {
      const { gives } = await untagged();
      await gives({ addTags: ['  sale ', ...Array(6).fill('sale'), 'Sale\n'] }, ['Sale', 'sale']);
      await gives({ removeTags: [' sale '] }, ['Sale']);
      // A tag may be removed and added in different letter case, and six may be removed at once.
      await gives({ addTags: ['SALE'], removeTags: ['Sale'] }, ['SALE']);
      await gives({ removeTags: several }, ['SALE']);
    },
  );

  testOnce('200: the set is in the order of its bytes', async () => {
    // In UTF-8 these begin with 42, 61, C3, EE and F0; UTF-16 would put the last one before the one
    // before it.
    const ordered = ['B', 'a', 'é', '\ue000', '😀'];
    await (await untagged()).gives({ addTags: ordered.toReversed() }, ordered);
  });

  testOnce('200: adding what is there and removing what is not change nothing', async () => {
    const { gives } = await untagged();
    const tags = ['a', 'org://b'];
    await gives({ addTags: tags }, tags);
    await gives({ addTags: tags, removeTags: ['c', 'org://d'] }, tags);
    // A list may be empty when the other one is not.
    await gives({ addTags: ['e'], removeTags: [] }, ['a', 'e', 'org://b']);
    await gives({ addTags: [], removeTags: ['e'] }, tags);
  });

  testOnce('200: five tags of 1 to 100 whole characters may be added at once', async () => {
    const longest = '😀'.repeat(100);
    const addTags = ['x', longest, 'b', 'c', `  ${'y'.repeat(100)}  `];
    await (await untagged()).gives({ addTags }, ['b', 'c', 'x', 'y'.repeat(100), longest]);
  });

  test('200: shared tags are seen and removed by everybody in the organisation, plain ones by their user alone', async () => {
    const { change, gives, seen } = await untagged();
    await change({ addTags: ['mine', 'both', 'org://ours'] });
    assert.deepEqual(await seen(colleague), ['org://ours']);
    const added = ['both', 'org://ours', 'theirs'];
    await gives({ addTags: ['both', 'theirs', 'org://ours'] }, added, colleague);
    assert.deepEqual(await seen(), ['both', 'mine', 'org://ours']);
    await gives({ removeTags: ['both', 'mine', 'org://ours'] }, ['theirs'], colleague);
    assert.deepEqual(await seen(), ['both', 'mine']);
  });

  testOnce('200: only the prefix as it is spelled makes a tag a shared one', async () => {
    const { change, seen } = await untagged();
    await change({ addTags: ['ORG://a', 'org:/b', 'an org://c', 'org://d'] });
    assert.deepEqual(await seen(colleague), ['org://d']);
  });

  testOnce('200: channels do not share their tags', async () => {
    const [one, other] = [await untagged(), await untagged()];
    await one.change({ addTags: ['a', 'org://a'] });
    assert.deepEqual(await other.seen(), []);
  });

  const numbered = (length: number) => Array.from({ length }, (_, position) => `tag ${position}`);
  const several = numbered(6);
  const unconnected = 'channelId and merchantId do not match a connected store';

  testOnce(
    '400: a refused change changes nothing, and names its channel among what fails',
    async () => {
      const { change, seen } = await untagged();
      const refused = await refusal(change({ addTags: ['a', 'org://'] }));
      const alone = 'addTags must not hold org:// alone: a name must follow it';
      assert.deepEqual([refused, await seen()], [[400, alone], []]);
      const wrong = { channelId: 'unknown', merchantId: 'M', addTags: ['', 1] };
      const error = `${unconnected}, addTags[0] must not be empty, addTags[1] must be a string`;
      const asking = world().ask(acme.key, 'PATCH', '/tags/channel', wrong);
      assert.deepEqual(await refusal(asking), [400, error]);
    },
  );

  testOnce('400: a channel that another node has just deleted is refused alike', async () => {
    const { channelId, change } = await untagged();
    assert.deepEqual(tagsOf(await change({ addTags: ['a'] })), ['a']);
    const { records } = world().registry;
    await records.deleteFrom('channel').where('channelId', '=', channelId).execute();
    assert.deepEqual(await refusal(change({ addTags: ['b'] })), [400, unconnected]);
  });

  /** Fills a channel with a number of the owner's tags. */
  async function fill(channelId: string, count: number): Promise<void> {
    const channelNumber = await channelNumberOf(world(), channelId);
    const { userId } = acme;
    const tags = numbered(count).map((tag) => ({ channelNumber, userId, tag }));
    await addRecords(world(), 'channelTag', ...tags);
  }

  testOnce(
    '400: a user may see a limited number of tags, and a change that adds none is always allowed',
    async () => {
      const { channelId, change, gives, seen } = await untagged();
      await fill(channelId, tagsMax - 1);
      const error =
        'addTags would give the channel 201 tags and it may have at most 200: remove some first';
      assert.deepEqual(await refusal(change({ addTags: ['one', 'two'] })), [400, error]);
      assert.equal((await seen()).length, 199);
      const taken = [{ addTags: ['one'] }, { addTags: ['one', 'tag 1'] }];
      for (const body of [...taken, { addTags: ['two'], removeTags: ['one'] }])
        assert.equal(tagsOf(await change(body)).length, 200, JSON.stringify(body));
      // Another user's shared tag leaves this one with more than the bound: nothing more can be
      // added, but tags can be taken away.
      const shared = ['org://a', 'org://b'];
      await gives({ addTags: shared }, shared, colleague);
      assert.equal((await change({ addTags: ['three'] })).status, 400);
      assert.equal(tagsOf(await change({ removeTags: ['two'] })).length, 201);
    },
  );

  test('200: changes at the same moment lose no tag, and each answers at least what it added', async () => {
    const { change, seen } = await untagged();
    const expected = ['org://same', 'same'];
    const calls = Array.from({ length: 20 }, async (_, number) => {
      const addTags = ['same', 'org://same', `tag ${number}`, `org://tag ${number}`];
      expected.push(...addTags.slice(2));
      const tags = tagsOf(await change({ addTags, removeTags: [`absent ${number}`] }));
      assert.ok(addTags.every((tag) => tags.includes(tag)));
      return tags.length;
    });
    const sizes = await Promise.all(calls);
    // One after the other, each found two tags more than the one before it.
    assert.deepEqual(
      sizes.toSorted((a, b) => a - b),
      Array.from({ length: 20 }, (_, turn) => 4 + 2 * turn),
    );
    assert.deepEqual(await seen(), expected.sort());
  });

  test('400: changes at the same moment do not pass the bound together', async () => {
    const { channelId, change, seen } = await untagged();
    await fill(channelId, tagsMax - 3);
    const changes = Array.from({ length: 8 }, (_, number) => ({ addTags: [`last ${number}`] }));
    const answers = await Promise.all(changes.map((one) => change(one)));
    const statuses = answers.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [200, 200, 200, 400, 400, 400, 400, 400]);
    assert.equal((await seen()).length, tagsMax);
  });
});
