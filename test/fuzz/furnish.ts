/** The organisations that the requests are about, and all that the stores hold of one. */
import { dumpRegistry, dumpWarehouse, type StoredRow } from '../dump.ts';
import type { Tenant, World } from '../harness.ts';
import { importRows } from '../imports.ts';
import { addRecords, channelNumberOf, recordOf } from '../records.ts';
import { rowsOf } from '../table.ts';
import { makePerson, signIn } from '../visitors.ts';
import { importFacts } from '../world.ts';
import { marker, record, type Target } from './answers.ts';
import { firstDay, secondsPerDay, wordsOf } from './values.ts';

/** An organisation with facts and, where there are such operations, with tags and groups. */
export async function furnish(
  world: World,
  name: string,
  { channelId = `channel-${name}`, merchantId = 'M1 @ US' },
): Promise<Tenant> {
  const searchQueryPerformance = { plan: 'enterprise', searchQueryPerformance: true };
  const tenant = await world.tenant({
    organisation: { name, ...searchQueryPerformance },
    channelId,
    channel: { merchantId, displayName: name, timezone: 'America/New_York' },
  });
  const days = Array.from({ length: 30 }, (_, day) => day);
  const named = (text: string) => (name === marker ? `${text}-${marker}` : text);
  const lines = days.flatMap((day) =>
    ['A', 'B'].map((sku, line) => ({
      orderId: named(`order-${day}`),
      lineId: String(line),
      purchasedAt: firstDay + day * secondsPerDay + line * 10_000,
      sku: named(sku),
      quantity: 1 + line,
      itemPrice: 10.5 + day,
      itemTax: 0.75,
      currency: line === 0 ? 'USD' : 'EUR',
      buyerEmail: `${named('buyer')}@example.com`,
    })),
  );
  const date = (day: number) =>
    new Date((firstDay + day * secondsPerDay) * 1000).toISOString().slice(0, 10);
  /** Rows of every day, in the columns of a line of names. */
  const daily = (names: string, rowOf: (day: number) => string) =>
    rowsOf([names, ...days.map((day) => `${date(day)}, ${rowOf(day)}`)].join('\n'));
  await importFacts(world, channelId, {
    orderLines: lines,
    traffic: daily(
      'date, sku, productId, pageViews, sessions, buyBoxPercentage',
      (day) => `${named('A')}, PA, ${40 + day}, 20, 90`,
    ),
    campaignDays: daily(
      'date, campaignId, impressions, clicks, cost, sales',
      () => '"1", 1000, 20, "6.50", "26.00"',
    ),
  });
  const rates = ['USD, 1.05', 'JPY, 161.5'].flatMap((rate) =>
    daily('date, currency, perEuro', () => rate),
  );
  await importRows(world, 'exchangeRates', undefined, rates);
  const channelNumber = await channelNumberOf(world, channelId);
  const times = { createdAt: world.clock.now, updatedAt: world.clock.now };
  await addRecords(world, 'channelTag', { channelNumber, userId: null, tag: `org://${name}` });
  const group = { channelNumber, groupName: name, kind: 'brands' } as const;
  await addRecords(world, 'customGroup', { ...group, ...times });
  const { groupId } = await recordOf(world, 'customGroup', group);
  await addRecords(world, 'customGroupEntry', { groupId, entry: named('Brand') });
  return tenant;
}

/** Gives the operator's requests something to work on again, after others have deleted or changed it. */
export async function refurnish(world: World, own: Tenant, known: Target['known'], round: number) {
  await world.operator('DELETE', '/operator/channels/imported');
  await world.channel(own.organisationId, 'imported', { merchantId: own.merchantId });
  record(known, 'channelId', 'imported');
  record(known, 'merchantId', own.merchantId);
  const playground = { name: 'Playground' };
  const { organisationId } = await world.operate('POST', '/operator/organisations', playground);
  for (const person of ['a', 'b', 'c']) {
    const email = `${person}-${round}@playground.example`;
    const user = { organisationId, email, role: 'owner' };
    const { userId } = await world.operate('POST', '/operator/users', user);
    record(known, 'userId', userId);
    record(known, 'keyId', (await world.operate('POST', '/operator/keys', { userId })).keyId);
  }
  record(known, 'organisationId', organisationId);
  record(known, 'channelId', await world.channel(organisationId, `playground-${round}`));
}

/** A person of an organisation, newly signed in. */
export async function visitor(world: World, { organisationId }: Tenant, known: Target['known']) {
  const { email, userId } = await makePerson(world, organisationId);
  const { cookie } = await signIn(world, email);
  known.set('cookie', [cookie!]);
  record(known, 'email', email);
  const link = await world.operate('POST', `/operator/users/${userId}/passwordLinks`, {});
  record(known, 'token', link.url.split('#').at(-1)!);
}

/** Columns with the owner of a record. */
const ownerColumns = wordsOf(
  'organisation_id user_id channel_number key_id group_id campaign_group_id import_id',
);

/** Everything that the stores hold of an organisation, a text for each record. */
export async function recordsOf(world: World, { organisationId }: Tenant): Promise<string[]> {
  const dump = await dumpRegistry(world.registry);
  const owned = new Set([`organisation_id ${organisationId}`]);
  const held = new Set<StoredRow>();
  // Only another record may show whose a record is.
  for (let size = -1; size !== held.size; ) {
    size = held.size;
    for (const row of Object.values(dump).flat()) {
      const names = ownerColumns.flatMap((column) =>
        row[column] === undefined || row[column] === null ? [] : [`${column} ${row[column]}`],
      );
      if (held.has(row) || !names.some((name) => owned.has(name))) continue;
      held.add(row);
      for (const name of names) owned.add(name);
    }
  }
  const facts = Object.values(await dumpWarehouse(world.warehouse))
    .flat()
    .filter((line) => line.includes(marker));
  return [...[...held].map((row) => JSON.stringify(row)), ...facts];
}
