/** Gives facts of provisional campaigns, ad groups and keywords their own ids. */
import type { Amendment } from '../engine/amendment.ts';
import { questionFile } from '../engine/question.ts';
import type { Warehouse } from '../engine/warehouse.ts';
import type { Renaming, Renamings } from './documents/advertising/provisional.ts';

/** The maximum number of ids in a statement. */
const renamingsPerChange = 200;

/** Renames the ids of a channel's facts. The caller holds the channel's lock. */
export async function rename(
  warehouse: Warehouse,
  channel: number,
  { campaigns, adGroups, keywords }: Renamings,
  timezone: string,
): Promise<void> {
  const changes = [
    ...portions(campaigns).map(campaignRenaming),
    ...portions(adGroups).map(adGroupRenaming),
    ...portions(keywords).map(keywordRenaming),
  ];
  for (const amendments of changes)
    await warehouse.amend({ importId: 0, channel }, amendments, timezone);
}

/** Rows that the known campaign has, too, are removed. */
function campaignRenaming(renamings: readonly Renaming[]): Amendment[] {
  const parameters = idsOf(renamings);
  const { isOld, newId } = termsOf('campaign_id');
  const moved = { parameters, changed: isOld, set: { campaign_id: newId } };
  return [
    { table: 'campaign', parameters, removed: isOld },
    { table: 'ad_group', ...moved },
    { table: 'ad_group_day', ...moved },
    { table: 'keyword', ...moved },
    { table: 'keyword_day', ...moved },
    { table: 'campaign_day', ...moved, removed: isDouble('campaign_day', 'campaign_id') },
  ];
}

function adGroupRenaming(renamings: readonly Renaming[]): Amendment[] {
  const parameters = idsOf(renamings);
  const { isOld, newId } = termsOf('ad_group_id');
  const moved = { parameters, changed: isOld, set: { ad_group_id: newId } };
  return [
    { table: 'ad_group', parameters, removed: isOld },
    { table: 'keyword', ...moved },
    { table: 'keyword_day', ...moved },
    { table: 'ad_group_day', ...moved, removed: isDouble('ad_group_day', 'ad_group_id') },
  ];
}

function keywordRenaming(renamings: readonly Renaming[]): Amendment[] {
  const parameters = idsOf(renamings);
  const { isOld, newId } = termsOf('keyword_id');
  const moved = { parameters, changed: isOld, set: { keyword_id: newId } };
  return [
    { table: 'keyword', parameters, removed: isOld },
    { table: 'keyword_day', ...moved, removed: isDouble('keyword_day', 'keyword_id') },
  ];
}

function idsOf(renamings: readonly Renaming[]) {
  return { oldIds: renamings.map(([from]) => from), newIds: renamings.map(([, to]) => to) };
}

function termsOf(column: string): { readonly isOld: string; readonly newId: string } {
  return {
    isOld: `one_of(${column}, {oldIds:Array(String)})`,
    newId: `{newIds:Array(String)}[index_of({oldIds:Array(String)}, ${column})]`,
  };
}

/** The condition that the same day has a row under the new id. */
function isDouble(table: string, column: string): string {
  const { isOld, newId } = termsOf(column);
  const renamed = questionFile(import.meta.url, 'renamedRows.sql', { table, id: column });
  return `${isOld} AND (day, ${newId}) IN (${renamed.sql})`;
}

function portions(renamings: readonly Renaming[]): Renaming[][] {
  const count = Math.ceil(renamings.length / renamingsPerChange);
  return Array.from({ length: count }, (_, at) =>
    renamings.slice(at * renamingsPerChange, (at + 1) * renamingsPerChange),
  );
}
