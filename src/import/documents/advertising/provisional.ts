/**
 * Campaigns, ad groups and keywords that documents name without an id. Each counts under a
 * provisional id, made from its type and name, until a document has its own id.
 */
import { createHash } from 'node:crypto';
import type { Row } from '../../../engine/warehouse.ts';
import { PackedTexts } from '../../cells/packedTexts.ts';
import { TextNumbers } from '../../cells/textNumbers.ts';
import type { Cells } from '../../datasets/dataset.ts';

const digits = 24;

/** The provisional id of a name: digits with a leading 0, which no other id has. */
export function provisionalId(...names: readonly string[]): string {
  const hash = createHash('sha256').update(names.join('\0')).digest('hex').slice(0, 32);
  const number = BigInt(`0x${hash}`) % 10n ** BigInt(digits);
  return `0${String(number).padStart(digits, '0')}`;
}

/** Whether an id is provisional. */
export function isProvisional(id: string): boolean {
  return id.length === digits + 1 && /^0\d+$/.test(id);
}

/** A provisional id, and the id that replaces it. */
export type Renaming = readonly [from: string, to: string];

/** The provisional ids for which a document has the own ids. */
export type Renamings = {
  readonly campaigns: readonly Renaming[];
  readonly adGroups: readonly Renaming[];
  readonly keywords: readonly Renaming[];
};

/** No renamings. */
export const noRenamings: Renamings = { campaigns: [], adGroups: [], keywords: [] };

/** How existing campaigns, ad groups and keywords are looked up. */
export type NameLookups = {
  readonly provisionalCampaigns: () => Promise<readonly Row[]>;
  readonly provisionalAdGroups: () => Promise<readonly Row[]>;
  readonly adGroupsOf: (
    campaignIds: readonly string[],
  ) => Promise<
    ReadonlyMap<string, readonly { readonly adGroupId: string; readonly name: string }[]>
  >;
  readonly provisionalKeywords: () => Promise<readonly Row[]>;
  readonly keywordsOf: (adGroupIds: readonly string[]) => Promise<
    ReadonlyMap<
      string,
      readonly {
        readonly keywordId: string;
        readonly keywordText: string;
        readonly matchType: string;
      }[]
    >
  >;
};

/** The ids by name that a document has. */
export class NamesWithIds {
  /** Undefined for names with several ids. */
  readonly #campaigns = new Map<string, string | undefined>();
  readonly #adGroups = new Map<string, string | undefined>();

  readonly #keywords = new PackedIds();

  /** Notes a staged row of the dataset `campaigns`, `adGroups` or `keywords`. */
  note({ name, adType, campaignId, adGroupId, keywordId, keywordText, matchType }: Cells): void {
    if (keywordId !== undefined) {
      const id = keywordId as string;
      if (!isProvisional(id)) this.#keywords.add(keyOf([adGroupId, matchType, keywordText]), id);
      return;
    }
    if (name === '') return;
    if (adGroupId === undefined) add(this.#campaigns, [adType, name], campaignId as string);
    else add(this.#adGroups, [campaignId, name], adGroupId as string);
  }

  /** Finds the existing provisional ids for which the document has the own ids. */
  async renamings(lookUp: NameLookups): Promise<Renamings> {
    if (this.#campaigns.size + this.#adGroups.size + this.#keywords.size === 0) return noRenamings;
    const campaigns = new Map<string, string>();
    for (const row of await lookUp.provisionalCampaigns()) {
      const id = this.#campaigns.get(keyOf([row.ad_type, row.name]));
      if (id !== undefined) campaigns.set(row.campaign_id as string, id);
    }
    const adGroups = new Map<string, string>();
    const provisional = await lookUp.provisionalAdGroups();
    const existing =
      provisional.length === 0 ? new Map() : await lookUp.adGroupsOf([...campaigns.values()]);
    for (const [campaignId, groups] of existing)
      for (const { adGroupId, name } of groups) add(this.#adGroups, [campaignId, name], adGroupId);
    for (const { ad_group_id: from, campaign_id: parent, name } of provisional) {
      const to = this.#adGroups.get(keyOf([campaigns.get(parent as string) ?? parent, name]));
      if (to !== undefined) adGroups.set(from as string, to);
    }
    const keywords = await this.#keywordRenamings(lookUp, adGroups);
    return { campaigns: [...campaigns], adGroups: [...adGroups], keywords };
  }

  async #keywordRenamings(
    lookUp: NameLookups,
    adGroups: ReadonlyMap<string, string>,
  ): Promise<Renaming[]> {
    const provisional = await lookUp.provisionalKeywords();
    const existing =
      provisional.length === 0 ? new Map() : await lookUp.keywordsOf([...adGroups.values()]);
    for (const [adGroupId, keywords] of existing)
      for (const { keywordId, keywordText, matchType } of keywords)
        this.note({ adGroupId, keywordId, keywordText, matchType });
    return provisional.flatMap((row) => {
      const parent = adGroups.get(row.ad_group_id as string) ?? row.ad_group_id;
      const to = this.#keywords.get(keyOf([parent, row.match_type, row.keyword_text]));
      return to === undefined ? [] : [[row.keyword_id as string, to] as const];
    });
  }
}

/** Ids by name, stored as bytes: a document may have a million keywords. */
class PackedIds {
  readonly #places = new TextNumbers();
  readonly #ids = new PackedTexts();

  get size(): number {
    return this.#places.size;
  }

  /** The id of a name; undefined for names with several ids. */
  get(key: string): string | undefined {
    const place = this.#places.get(key);
    return place === undefined || place === ambiguousPlace ? undefined : this.#ids.at(place);
  }

  add(key: string, id: string): void {
    const place = this.#places.get(key);
    if (place === undefined) this.#places.set(key, this.#ids.add(id));
    else if (place !== ambiguousPlace && this.#ids.at(place) !== id)
      this.#places.set(key, ambiguousPlace);
  }
}

const ambiguousPlace = -1;

function add(ids: Map<string, string | undefined>, names: readonly unknown[], id: string): void {
  if (isProvisional(id)) return;
  const key = keyOf(names);
  ids.set(key, ids.has(key) && ids.get(key) !== id ? undefined : id);
}

/** No name contains a NUL. */
function keyOf(names: readonly unknown[]): string {
  return names.join('\0');
}
