/** The campaigns and ad groups that the fixtures of the advertising console name. */
import { rowsOf } from './table.ts';

/** A channel that takes rows. */
type Taking = { importRows(dataset: string, rows: readonly object[]): Promise<unknown> };

/** A channel whose rows can be read. */
type Held = { held(table: string, columns: string): unknown[][] | Promise<unknown[][]> };

/** Lists the campaigns and ad groups in a channel. */
export async function list(channel: Taking): Promise<void> {
  await channel.importRows(
    'campaigns',
    rowsOf(`
      campaignId, name,  adType
      "11",       Lamps,
      "12",       Twins,
      "13",       Twins,
      "14",       Lamps, SB
      "15",       Brand, SB`),
  );
  await channel.importRows(
    'adGroups',
    rowsOf(`
      adGroupId, campaignId, name
      "111",     "11",       Group A
      "112",     "11",       Group B
      "121",     "12",       Group A`),
  );
}

/** The ids of campaigns by name, and of ad groups by the names of both. */
export async function idsByName(channel: Held): Promise<Record<string, string>> {
  const campaigns = await channel.held('campaign', 'campaign_id, name');
  const nameOf = new Map(campaigns as [string, string][]);
  const adGroups = await channel.held('ad_group', 'ad_group_id, campaign_id, name');
  return Object.fromEntries([
    ...campaigns.map(([id, name]) => [name, id]),
    ...adGroups.map(([id, parent, name]) => [`${nameOf.get(parent as string)}/${name}`, id]),
  ]);
}
