/**
 * Campaigns and ad groups that documents name without an id. Each counts under a provisional id,
 * made of its type and name, until a document has its own id.
 */
import { createHash } from 'node:crypto';
import type { Row } from '../../../engine/warehouse.ts';
import type { Cells } from '../../datasets/dataset.ts';

const digits = 24;

/** The provisional id of a name: digits with a leading 0, with which no other id begins. */
export function provisionalId(...names: readonly string[]): string {
  const hash = createHash('sha256').update(names.join('\0')).digest('hex').slice(0, 32);
  const number = BigInt(`0x${hash}`) % 10n ** BigInt(digits);
  return `0${String(number).padStart(digits, '0')}`;
}

/** Whether an id is provisional. */
export function isProvisional(id: string): boolean {
  return id.length === digits + 1 && /^0\d+$/.test(id);
}

/** A provisional id, and the id that takes its place. */
export type Renaming = readonly [from: string, to: string];

/** The provisional ids whose own ids a document has. */
export type Renamings = {
  readonly campaigns: readonly Renaming[];
  readonly adGroups: readonly Renaming[];
};

/** How existing campaigns and ad groups are looked up. */
export type NameLookups = {
  readonly provisionalCampaigns: () => Promise<readonly Row[]>;
  readonly provisionalAdGroups: () => Promise<readonly Row[]>;
  readonly adGroupsOf: (
    campaignIds: readonly string[],
  ) => Promise<
    ReadonlyMap<string, readonly { readonly adGroupId: string; readonly name: string }[]>
  >;
};

/** The ids by name that a document has. */
export class NamesWithIds {
  /** Undefined for names that several ids have. */
  readonly #campaigns = new Map<string, string | undefined>();
  readonly #adGroups = new Map<string, string | undefined>();

  /** Notes a staged row of the dataset `campaigns` or `adGroups`. */
  note({ name, adType, campaignId, adGroupId }: Cells): void {
    if (name === '') return;
    if (adGroupId === undefined) add(this.#campaigns, [adType, name], campaignId as string);
    else add(this.#adGroups, [campaignId, name], adGroupId as string);
  }

  /** Finds the existing provisional ids whose own ids the document has. */
  async renamings(lookUp: NameLookups): Promise<Renamings> {
    if (this.#campaigns.size === 0 && this.#adGroups.size === 0)
      return { campaigns: [], adGroups: [] };
    const campaigns = new Map<string, string>();
    for (const row of await lookUp.provisionalCampaigns()) {
      const id = this.#campaigns.get(keyOf([row.ad_type, row.name]));
      if (id !== undefined) campaigns.set(row.campaign_id as string, id);
    }
    const adGroups: Renaming[] = [];
    const provisional = await lookUp.provisionalAdGroups();
    const existing =
      provisional.length === 0 ? new Map() : await lookUp.adGroupsOf([...campaigns.values()]);
    for (const [campaignId, groups] of existing)
      for (const { adGroupId, name } of groups) add(this.#adGroups, [campaignId, name], adGroupId);
    for (const { ad_group_id: from, campaign_id: parent, name } of provisional) {
      const to = this.#adGroups.get(keyOf([campaigns.get(parent as string) ?? parent, name]));
      if (to !== undefined) adGroups.push([from as string, to]);
    }
    return { campaigns: [...campaigns], adGroups };
  }
}

function add(ids: Map<string, string | undefined>, names: readonly unknown[], id: string): void {
  if (isProvisional(id)) return;
  const key = keyOf(names);
  ids.set(key, ids.has(key) && ids.get(key) !== id ? undefined : id);
}

/** No name contains a NUL. */
function keyOf(names: readonly unknown[]): string {
  return names.join('\0');
}
