/**
 * Identifies campaigns, ad groups and keywords by name, because the advertising console mostly
 * omits their ids: by the id of an existing one with that type and name, or by a provisional id.
 */
import type { NamedAdGroup, NamedCampaign, NamedKeyword } from '../../existing.ts';
import type { ImportSession } from '../../session.ts';
import { type AdType, adTypeNamed, adTypeNames } from './adTypes.ts';
import { isProvisional, provisionalId } from './provisional.ts';

/** The cells of a row, by field. */
export type ConsoleCells = Readonly<Record<string, string>>;

/** A row of a console table. */
export type ConsoleRow = { readonly line: number; readonly cells: ConsoleCells };

/** Finds ids by name. Rows without a name, or whose name has several ids, are rejected. */
export class ConsoleNames {
  readonly #session: ImportSession;
  readonly #usualType: AdType | undefined;
  #campaigns: ReadonlyMap<string, readonly NamedCampaign[]> = new Map();
  #adGroups: ReadonlyMap<string, readonly NamedAdGroup[]> = new Map();
  #keywords: ReadonlyMap<string, readonly NamedKeyword[]> = new Map();

  /** `usualType` is the type of rows that name none. */
  constructor(session: ImportSession, usualType: AdType | undefined) {
    this.#session = session;
    this.#usualType = usualType;
  }

  /** Looks up the names of the rows. */
  async load(
    rows: readonly ConsoleRow[],
    { withAdGroups, withKeywords }: { withAdGroups: boolean; withKeywords: boolean },
  ): Promise<void> {
    const names = rows.flatMap(({ cells }) => cells.campaignName ?? []);
    this.#campaigns = await this.#session.existing.campaignsNamed([...new Set(names)]);
    if (!withAdGroups) return;
    const parents = new Set<string>();
    for (const { cells } of rows) {
      if (cells.campaignId !== undefined) parents.add(cells.campaignId);
      else for (const { campaignId } of this.#matches(cells)) parents.add(campaignId);
    }
    this.#adGroups = await this.#session.existing.adGroupsOf([...parents]);
    if (!withKeywords) return;
    const known = [...this.#adGroups.values()].flat().map(({ adGroupId }) => adGroupId);
    const written = rows.flatMap(({ cells }) => cells.adGroupId ?? []);
    this.#keywords = await this.#session.existing.keywordsOf([...new Set([...known, ...written])]);
  }

  /** The campaign of a row. */
  campaign({ line, cells }: ConsoleRow): NamedCampaign | undefined {
    const { reject } = this.#session;
    const { campaignId, campaignName: name } = cells;
    const adType = this.#typeOf(cells);
    if (campaignId !== undefined) {
      if (adType) return { campaignId, adType };
      reject(line, withoutType(cells));
      return undefined;
    }
    if (name === undefined) {
      reject(line, 'has no campaign');
      return undefined;
    }
    const matches = this.#matches(cells);
    if (matches.length === 1) return matches[0];
    if (adType === undefined) {
      reject(line, withoutType(cells));
      return undefined;
    }
    if (matches.length === 0) return { campaignId: provisionalId(adType, name), adType };
    reject(line, ambiguous('campaign', name, matches.length, ` of ${adTypeNames[adType]}`));
    return undefined;
  }

  /** The id of a row's ad group. */
  adGroup({ line, cells }: ConsoleRow, { campaignId, adType }: NamedCampaign): string | undefined {
    const { adGroupId, adGroupName: name } = cells;
    if (adGroupId !== undefined) return adGroupId;
    if (name === undefined) {
      this.#session.reject(line, 'has no ad group');
      return undefined;
    }
    const named = (this.#adGroups.get(campaignId) ?? []).filter((one) => one.name === name);
    const matches = withOwnIds(named, ({ adGroupId: id }) => id);
    if (matches.length === 1) return matches[0]!.adGroupId;
    if (matches.length === 0) return provisionalId(adType, cells.campaignName ?? campaignId, name);
    this.#session.reject(line, ambiguous('ad group', name, matches.length, ' of its campaign'));
    return undefined;
  }

  /** The id of a row's keyword or target. */
  keyword(
    { line, cells }: ConsoleRow,
    campaign: NamedCampaign,
    adGroupId: string,
  ): string | undefined {
    if (cells.keywordId !== undefined) return cells.keywordId;
    const { keywordText, matchType } = keywordIn(cells);
    const named = (this.#keywords.get(adGroupId) ?? []).filter(
      (one) => one.keywordText === keywordText && one.matchType === matchType,
    );
    const matches = withOwnIds(named, ({ keywordId: id }) => id);
    if (matches.length === 1) return matches[0]!.keywordId;
    if (matches.length === 0) {
      const { campaignName = campaign.campaignId, adGroupName = adGroupId } = cells;
      return provisionalId(campaign.adType, campaignName, adGroupName, matchType, keywordText);
    }
    this.#session.reject(
      line,
      ambiguous('keyword', keywordText, matches.length, ' of its ad group'),
    );
    return undefined;
  }

  /** Whether the keyword exists in that ad group. */
  isKnownKeyword(adGroupId: string, keywordId: string): boolean {
    const known = this.#keywords.get(adGroupId) ?? [];
    return known.some((one) => one.keywordId === keywordId);
  }

  /** Whether the campaign of a row exists under that name. */
  isKnownCampaign({ cells }: ConsoleRow, campaignId: string): boolean {
    const named = this.#campaigns.get(cells.campaignName ?? '') ?? [];
    return named.some((one) => one.campaignId === campaignId);
  }

  /** Whether the ad group exists in that campaign. */
  isKnownAdGroup(campaignId: string, adGroupId: string): boolean {
    const known = this.#adGroups.get(campaignId) ?? [];
    return known.some((one) => one.adGroupId === adGroupId);
  }

  #typeOf(cells: ConsoleCells): AdType | undefined {
    return cells.type === undefined ? this.#usualType : adTypeNamed(cells.type);
  }

  #matches(cells: ConsoleCells): readonly NamedCampaign[] {
    const type = this.#typeOf(cells);
    const named = this.#campaigns.get(cells.campaignName ?? '') ?? [];
    const ofType = named.filter(({ adType }) => type === undefined || type === adType);
    return withOwnIds(ofType, ({ campaignId }) => campaignId);
  }
}

/** The targets of automatic campaigns, as the console writes them. */
const predefinedTargets = new Set([
  'close-match',
  'loose-match',
  'substitutes',
  'complements',
  '*',
]);

/** The text and the match type of a row's keyword or target. */
export function keywordIn(cells: ConsoleCells): {
  readonly keywordText: string;
  readonly matchType: string;
} {
  const keywordText = cells.keyword ?? cells.targeting ?? '';
  const written = (cells.matchType ?? '').toLowerCase();
  if (['broad', 'phrase', 'exact', 'theme'].includes(written))
    return { keywordText, matchType: written };
  const isPredefined = written.includes('predefined') || predefinedTargets.has(keywordText);
  const matchType = isPredefined ? 'targetingExpressionPredefined' : 'targetingExpression';
  return { keywordText, matchType };
}

/** Entries with their own id, or else entries with a provisional one. */
function withOwnIds<Named>(
  named: readonly Named[],
  idOf: (one: Named) => string,
): readonly Named[] {
  const own = named.filter((one) => !isProvisional(idOf(one)));
  return own.length > 0 ? own : named;
}

function withoutType({ type }: ConsoleCells): string {
  const found = type === undefined ? 'is empty' : `is ${type.slice(0, 40)}`;
  return `does not name its type of advertising: Type ${found}`;
}

function ambiguous(
  noun: 'campaign' | 'ad group' | 'keyword',
  name: string,
  matches: number,
  of: string,
): string {
  const shown = JSON.stringify(name.length > 60 ? `${name.slice(0, 60)}…` : name);
  return `${shown} is the name of ${matches} ${noun}s${of}: use a document with their ids`;
}
