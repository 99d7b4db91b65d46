/** The organisation of the demonstration with its channels, tags and groups. */
import type { Insertable } from 'kysely';
import {
  type ChannelRecord,
  drawChannelNumber,
  type RecordsTransaction,
} from '../src/engine/registry.ts';
import { addSchedules, addWebhooks } from './activity.ts';
import { campaignsOf } from './campaigns.ts';
import { offersOf } from './catalogue.ts';
import { namedCode } from './newCharges.ts';
import { type Plan, plans } from './plans.ts';

/** The owner's id, the installation's secret, and the time in epoch milliseconds. */
type Parts = {
  readonly organisationId: string;
  readonly userId: string;
  readonly secret: string;
  readonly now: number;
};

/** Tags by channel: the organisation's begin with org://, the others are the owner's. */
const tags: Readonly<Record<string, readonly string[]>> = {
  'northwind-us': ['org://north-america', 'org://core'],
  'northwind-uk': ['org://europe', 'org://core'],
  'northwind-de': ['org://europe', 'org://core'],
  'northwind-jp': ['org://asia-pacific'],
  'northwind-au': ['org://asia-pacific', 'watch'],
  'northwind-vendor-us': ['org://north-america', 'wholesale'],
};
/** Identifier of the group of all campaigns for kitchen products. */
export const kitchenGroupId = 'northwind-kitchen';
/** The brand of most products, which the organisation is named after. */
const ownName = 'Northwind';

/** Adds all records of the organisation, which exists with its owner, except users and keys. */
export async function addRecords(transaction: RecordsTransaction, parts: Parts): Promise<void> {
  const { organisationId, now } = parts;
  await transaction
    .insertInto('channel')
    .values(plans.map((plan) => channelOf(plan, parts)))
    .onConflict((conflict) => conflict.column('channelId').doNothing())
    .execute();
  await addTagsAndGroups(transaction, parts);
  await addCampaignGroup(transaction, parts);
  await addWebhooks(transaction, parts);
  await addSchedules(transaction, parts);
  const named = { source: 'financialEvents', code: namedCode, line: 'shippingFees' };
  await transaction
    .insertInto('namedCode')
    .values({ organisationId, ...named, updatedAt: now })
    .execute();
}

function channelOf(
  { channelId, merchantId, marketplace, kind, countryCode, adShare, ...plan }: Plan,
  { organisationId, now }: Parts,
): Insertable<ChannelRecord> {
  const { displayName, currency, timezone } = plan;
  return {
    channelNumber: drawChannelNumber(),
    channelId,
    organisationId,
    merchantId,
    marketplace,
    kind,
    countryCode,
    displayName,
    currency,
    timezone,
    hasAdvertisingConnected: adShare > 0 ? 1 : 0,
    leadTimeDays: 30,
    safetyStockDays: 14,
    targetCoverDays: 60,
    createdAt: now,
    updatedAt: now,
  };
}

/** Adds tags, and the groups of products and of brands of the first channel. */
async function addTagsAndGroups(
  transaction: RecordsTransaction,
  { organisationId, userId, now }: Parts,
): Promise<void> {
  const channels = await transaction
    .selectFrom('channel')
    .select(['channelId', 'channelNumber'])
    .where('organisationId', '=', organisationId)
    .execute();
  const rows = channels.flatMap(({ channelId, channelNumber }) =>
    (tags[channelId] ?? []).map((tag) => ({
      channelNumber,
      userId: tag.startsWith('org://') ? null : userId,
      tag,
    })),
  );
  if (rows.length > 0) await transaction.insertInto('channelTag').values(rows).execute();
  const first = channels.find(({ channelId }) => channelId === plans[0]!.channelId);
  if (first === undefined) return;
  const { channelNumber } = first;
  const offers = offersOf(plans[0]!);
  const bottles = offers.map(({ sku }) => sku).filter((sku) => sku.startsWith('NW-BOTTLE'));
  const brands = [...new Set(offers.map(({ brand }) => brand))].filter((one) => one !== ownName);
  for (const [groupName, kind, entries] of [
    ['Bottles', 'products', bottles],
    ['Brands besides our own', 'brands', brands],
  ] as const) {
    const { groupId } = await transaction
      .insertInto('customGroup')
      .values({ channelNumber, groupName, kind, createdAt: now, updatedAt: now })
      .returning('groupId')
      .executeTakeFirstOrThrow();
    await transaction
      .insertInto('customGroupEntry')
      .values(entries.map((entry) => ({ groupId, entry })))
      .execute();
  }
}

/** Adds the group of the campaigns for kitchen products on all channels. */
async function addCampaignGroup(
  transaction: RecordsTransaction,
  { organisationId, now }: Parts,
): Promise<void> {
  const [campaignGroupId, name] = [kitchenGroupId, 'Kitchen, all channels'];
  await transaction
    .insertInto('campaignGroup')
    .values({ campaignGroupId, organisationId, name, createdAt: now, updatedAt: now })
    .execute();
  const kitchen = plans
    .flatMap((plan) => campaignsOf(plan, Math.floor(now / 86_400_000)))
    .filter(({ group }) => group === 'Kitchen');
  await transaction
    .insertInto('campaignGroupCampaign')
    .values(kitchen.map(({ campaignId }) => ({ campaignGroupId, campaignId })))
    .execute();
}
