/** Tags of channels, groups of products and of brands, and a group of campaigns. */
import type { RecordsTransaction } from '../src/engine/registry.ts';
import { campaignsOf } from './campaigns.ts';
import { offersOf } from './catalogue.ts';
import { plans } from './plans.ts';

/** Tags by channel: those of the organisation begin with org://, the others are the owner's. */
const tags: Readonly<Record<string, readonly string[]>> = {
  'northwind-us': ['org://north-america', 'org://core'],
  'northwind-uk': ['org://europe', 'org://core'],
  'northwind-de': ['org://europe', 'org://core'],
  'northwind-jp': ['org://asia-pacific'],
  'northwind-au': ['org://asia-pacific', 'watch'],
  'northwind-vendor-us': ['org://north-america', 'wholesale'],
};
const groupsChannelId = 'northwind-us';
/** Identifier of the group of all campaigns for kitchen products. */
export const kitchenGroupId = 'northwind-kitchen';
/** The brand of most products, which the organisation is named after. */
const ownName = 'Northwind';
const secondsPerDay = 86_400;

/** Adds tags, a custom group of products and a campaign group; `now` is in epoch milliseconds. */
export async function addGroups(
  transaction: RecordsTransaction,
  {
    organisationId,
    ownerId,
    now,
  }: { readonly organisationId: string; readonly ownerId: string; readonly now: number },
): Promise<void> {
  const channels = await transaction
    .selectFrom('channel')
    .select(['channelId', 'channelNumber'])
    .where('organisationId', '=', organisationId)
    .execute();
  for (const { channelId, channelNumber } of channels) {
    const rows = (tags[channelId] ?? []).map((tag) => ({
      channelNumber,
      userId: tag.startsWith('org://') ? null : ownerId,
      tag,
    }));
    if (rows.length > 0) await transaction.insertInto('channelTag').values(rows).execute();
    if (channelId !== groupsChannelId) continue;
    const offers = offersOf(plans.find((plan) => plan.channelId === channelId)!);
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
  await transaction
    .insertInto('campaignGroup')
    .values({
      campaignGroupId: kitchenGroupId,
      organisationId,
      name: 'Kitchen, all channels',
      createdAt: now,
      updatedAt: now,
    })
    .execute();
  const kitchen = plans
    .flatMap((plan) => campaignsOf(plan, Math.floor(now / 1000 / secondsPerDay)))
    .filter(({ group }) => group === 'Kitchen');
  await transaction
    .insertInto('campaignGroupCampaign')
    .values(kitchen.map(({ campaignId }) => ({ campaignGroupId: kitchenGroupId, campaignId })))
    .execute();
}
