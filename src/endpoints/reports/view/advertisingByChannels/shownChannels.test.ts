/**
 * advertisingByChannels shows the channels within reach that a filter and a search find, sorted by
 * any field and page by page; its refusals state why.
 */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { onOnePair, type Tenant, type World } from '../../../../../test/harness.ts';
import { level } from '../../../../../test/level.ts';
import { barsOf, listsOf, rowsOf, tablesBeside, textBeside } from '../../../../../test/table.ts';
import {
  administratorOf,
  askView,
  compared,
  days,
  importFacts,
} from '../../../../../test/world.ts';

const tables = tablesBeside(import.meta.url, 'shownChannels.tables.txt');

const name = 'advertisingByChannels';
const march = days('2025-03-01', '2025-03-31');

type Data = {
  readonly items: { readonly store: string }[];
  readonly pageIndex: number;
  readonly pageSize: number;
  readonly totalItems: number;
  readonly totalPages: number;
};

async function view(world: World, key: string, input: object): Promise<Data> {
  const body = { reportOptions: march, currentCurrency: 'USD', ...input };
  return (await askView(world, key, name, body)).data;
}

const stores = ({ items }: Data) => items.map((item) => item.store);

/** Connects channels of an organisation: channelId, displayName, merchantId, countryCode. */
async function connect(world: World, organisationId: string, csv: string, more: object = {}) {
  for (const [channelId, displayName, merchantId, countryCode] of listsOf(csv))
    await world.channel(organisationId, channelId, {
      displayName,
      merchantId,
      countryCode,
      ...more,
    });
}

onOnePair('Which channels advertisingByChannels shows', (world) => {
  const [us, de, uk] = ['M1 @ ATVPDKIKX0DER', 'M2 @ A1PA6795UKMFR9', 'M2ATV @ A1F83G8C2ARO7P'];
  let tenant: Tenant;
  let colleague: string;

  before(async () => {
    tenant = await world().tenant({
      channelId: 'shown-c-us',
      channel: { displayName: 'Harbour Goods', countryCode: 'US', merchantId: us! },
    });
    const { organisationId } = tenant;
    await connect(world(), organisationId, `shown-b-de, ÄPFEL, ${de}, DE`);
    const elsewhere = { marketplace: 'otherMarket' };
    await connect(world(), organisationId, `shown-a-uk, Harbour Tools, ${uk}, GB`, elsewhere);
    const off = { hasAdvertisingConnected: false };
    await connect(world(), organisationId, 'shown-d-off, Harbour Off, M3, US', off);
    colleague = (await administratorOf(world(), organisationId)).key;
    for (const [key, channelId, merchantId, addTags] of [
      [tenant.key, 'shown-c-us', us, ['mine', 'org://core']],
      [colleague, 'shown-b-de', de, ['mine', 'theirs', 'org://europe']],
      [tenant.key, 'shown-a-uk', uk, ['org://europe']],
    ] as const) {
      const body = { channelId, merchantId, addTags };
      const { status } = await world().ask(key, 'PATCH', '/tags/channel', body);
      assert.equal(status, 200);
    }
    await world().tenant({ channel: { displayName: 'Harbour of others' } });
  });

  const all = ['Harbour Tools', 'ÄPFEL', 'Harbour Goods'];
  const shown = async (input: object, key = tenant.key) => stores(await view(world(), key, input));

  test('200: every channel within reach with advertising, equal ones by channelId; an empty filter restricts nothing', async () => {
    const empty = { filter: { marketplaces: [], countries: [], tags: [] }, searchText: '' };
    for (const input of [{}, { filter: {} }, empty, { searchText: '   ' }])
      assert.deepEqual(await shown(input), all, JSON.stringify(input));
  });

  for (const [filter = '', expected] of barsOf(textBeside(import.meta.url, 'filters.txt'))) {
    test(`200: the filter ${filter}`, async () => {
      assert.equal((await shown({ filter: JSON.parse(filter) })).join(', '), expected);
    });
  }

  test('200: plain tags belong to one user, shared tags to all', async () => {
    assert.deepEqual(await shown({ filter: { tags: ['mine'] } }, colleague), ['ÄPFEL']);
    const tags = ['theirs', 'org://core'];
    assert.deepEqual(await shown({ filter: { tags } }, colleague), ['ÄPFEL', 'Harbour Goods']);
  });

  for (const [searchText, expected] of [
    ['harBOUR', ['Harbour Tools', 'Harbour Goods']],
    ['äpf', ['ÄPFEL']],
    ['OTHER', ['Harbour Tools']],
    ['atvpd', ['Harbour Goods']],
    // Part of a seller's identifier, which is not searched.
    ['M2', []],
    ['100%', []],
    ['_', []],
  ] as const) {
    test(`200: the search for ${searchText}`, async () => {
      assert.deepEqual(await shown({ searchText }), expected);
    });
  }

  test('200: filter and search restrict together', async () => {
    const input = { searchText: 'harbour', filter: { tags: ['org://europe'] } };
    assert.deepEqual(await shown(input), ['Harbour Tools']);
  });

  test('200: a restricted administrator sees the granted channels, and no tags of others', async () => {
    const { key, grant } = await administratorOf(world(), tenant.organisationId);
    await grant(['shown-b-de', 'shown-d-off']);
    assert.deepEqual(await shown({}, key), ['ÄPFEL']);
    assert.deepEqual(await shown({ filter: { tags: ['org://europe'] } }, key), ['ÄPFEL']);
    assert.deepEqual(await shown({ searchText: 'harbour' }, key), []);
    await grant([]);
    const none = { pageIndex: 0, pageSize: 10, totalItems: 0, totalPages: 0 };
    assert.deepEqual(await view(world(), key, { currentCurrency: 'EUR' }), { items: [], ...none });
  });
});

onOnePair('Order and pages of advertisingByChannels', (world) => {
  let tenant: Tenant;

  before(async () => {
    tenant = await world().tenant({ channel: { hasAdvertisingConnected: false } });
    // Connected in an order other than that of their identifiers.
    const channels = tables.channels!;
    await connect(world(), tenant.organisationId, channels, { timezone: 'UTC' });
    // The fourth has no facts, and the second and the fifth have equal ones.
    for (const { place, ...figures } of rowsOf(tables.figures!)) {
      const dates = ['2025-03-02', '2025-02-02'];
      await importFacts(world(), `sorted-${place}`, {
        campaignDays: dates.map((date) => ({ date, campaignId: '1', adType: 'SB', ...figures })),
        orderLines: `
          orderId, lineId, purchasedAt,          quantity, itemPrice
          "1",     "1",    2025-03-02T10:00:00Z, 1,        ${place + 1}00
          "2",     "1",    2025-02-02T10:00:00Z, 1,        ${place + 1}00
        `,
      });
    }
  });

  const names = ['beta', 'Alpha', 'gamma', 'Delta', 'alpha'];
  const reportOptions = compared('2025-03-01', '2025-03-31', ['2025-02-01', '2025-02-28']);
  const order = async (input: object) =>
    stores(await view(world(), tenant.key, { reportOptions, ...input }))
      .map((store) => names.indexOf(store))
      .join('');

  // Fields that sort alike, the channels' numbers in the order expected, and what is compared: "-"
  // last, and equal ones by channelId.
  const ordersByFields = barsOf(textBeside(import.meta.url, 'orders.txt')).map(
    ([fields = '', expected]) => [fields.split(' '), expected] as const,
  );

  test('200: by every field, descending, numbers by their size', async () => {
    const [item] = (await view(world(), tenant.key, {})).items;
    const fields = ordersByFields.flatMap(([alike]) => alike);
    assert.deepEqual(fields.toSorted(), Object.keys(item!).toSorted());
    for (const [alike, expected] of ordersByFields)
      for (const orderBy of level === 'deep' ? alike : alike.slice(0, 1))
        assert.equal(await order({ orderBy }), expected, orderBy);
    assert.equal(await order({}), '14023', 'by impressions, by default');
  });

  test('200: pages follow one another, and one past the end is empty', async () => {
    for (const [pageIndex, pageSize, shown, totalPages] of listsOf(tables.pages!)) {
      const { items, ...page } = await view(world(), tenant.key, { pageIndex, pageSize });
      assert.deepEqual(page, { pageIndex, pageSize, totalItems: 5, totalPages });
      assert.equal(items.map(({ store }) => names.indexOf(store)).join(''), shown);
    }
  });

  test('200: ten items a page by default', async () => {
    const { key, organisationId } = await world().tenant({ channelId: 'many-00' });
    const many = Array.from({ length: 11 }, (_, place) => String(place + 1));
    for (const displayName of many) {
      const channelId = `many-${displayName.padStart(2, '0')}`;
      await world().channel(organisationId, channelId, { displayName });
    }
    const { items, ...page } = await view(world(), key, {});
    assert.deepEqual(page, { pageIndex: 0, pageSize: 10, totalItems: 12, totalPages: 2 });
    assert.equal(items.length, 10);
    assert.deepEqual(stores(await view(world(), key, { pageIndex: 1 })), ['10', '11']);
  });
});
