/**
 * Looks up campaigns and ad groups by name, because the advertising console mostly omits their ids.
 */
import type { ImportSession, NamedAdGroup, NamedCampaign } from '../../session.ts';
import { type AdType, adTypeNames } from './adTypes.ts';

/** The cells of a row, by field. */
export type ConsoleCells = Readonly<Record<string, string>>;

/** A row of a console table. */
export type ConsoleRow = { readonly line: number; readonly cells: ConsoleCells };

/** Finds ids by name. Rows without a match are rejected. */
export class ConsoleNames {
  readonly #session: ImportSession;
  readonly #onlyType: AdType | undefined;
  #campaigns: ReadonlyMap<string, readonly NamedCampaign[]> = new Map();
  #adGroups: ReadonlyMap<string, readonly NamedAdGroup[]> = new Map();

  /** `onlyType` is the type of all rows. Without it each row names its type. */
  constructor(session: ImportSession, onlyType: AdType | undefined) {
    this.#session = session;
    this.#onlyType = onlyType;
  }

  /** Looks up the names of the rows. Ad groups are looked up only if all rows have one type. */
  async load(rows: readonly ConsoleRow[]): Promise<void> {
    const names = rows.flatMap(({ cells }) =>
      cells.campaignId === undefined ? (cells.campaignName ?? []) : [],
    );
    this.#campaigns = await this.#session.campaignsNamed([...new Set(names)]);
    const parents = new Set<string>();
    for (const { cells } of this.#onlyType === undefined ? [] : rows) {
      if (cells.adGroupId !== undefined) continue;
      if (cells.campaignId !== undefined) parents.add(cells.campaignId);
      else for (const { campaignId } of this.#matches(cells)) parents.add(campaignId);
    }
    this.#adGroups = await this.#session.adGroupsOf([...parents]);
  }

  /** The campaign of a row. */
  campaign({ line, cells }: ConsoleRow): NamedCampaign | undefined {
    const { reject } = this.#session;
    const { campaignId, campaignName: name } = cells;
    const adType = this.#typeOf(cells);
    if (campaignId !== undefined) {
      if (adType) return { campaignId, adType };
      const found = cells.type === undefined ? 'is empty' : `is ${cells.type.slice(0, 40)}`;
      reject(line, `does not name its type of advertising: Type ${found}`);
      return undefined;
    }
    if (name === undefined) {
      reject(line, 'has no campaign');
      return undefined;
    }
    const matches = this.#matches(cells);
    if (matches.length === 1) return matches[0];
    const of = adType === undefined ? '' : ` of ${adTypeNames[adType]}`;
    reject(line, reasonFor('campaign', name, matches.length, of));
    return undefined;
  }

  /** The id of a row's ad group. */
  adGroup({ line, cells }: ConsoleRow, campaignId: string): string | undefined {
    const { adGroupId, adGroupName: name } = cells;
    if (adGroupId !== undefined) return adGroupId;
    if (name === undefined) {
      this.#session.reject(line, 'has no ad group');
      return undefined;
    }
    const matches = (this.#adGroups.get(campaignId) ?? []).filter((one) => one.name === name);
    if (matches.length === 1) return matches[0]!.adGroupId;
    this.#session.reject(line, reasonFor('ad group', name, matches.length, ' of its campaign'));
    return undefined;
  }

  #typeOf(cells: ConsoleCells): AdType | undefined {
    return this.#onlyType ?? consoleType(cells.type);
  }

  #matches(cells: ConsoleCells): readonly NamedCampaign[] {
    const type = this.#typeOf(cells);
    const named = this.#campaigns.get(cells.campaignName ?? '') ?? [];
    return named.filter(({ adType }) => type === undefined || type === adType);
  }
}

function reasonFor(
  noun: 'campaign' | 'ad group',
  name: string,
  matches: number,
  of: string,
): string {
  const shown = JSON.stringify(name.length > 60 ? `${name.slice(0, 60)}…` : name);
  return matches === 0
    ? `${shown} is not the name of a known ${noun}${of}: import the list of ${noun}s first`
    : `${shown} is the name of ${matches} ${noun}s${of}: use a document with their ids`;
}

/**
 * The type as the console writes it: "Sponsored Products", "SP", "SB2", "Sponsored Brands video".
 */
function consoleType(text: string | undefined): AdType | undefined {
  const type = /^(?:sponsored |s)(p|b|d)/i.exec(text ?? '')?.[1]?.toUpperCase();
  return type === undefined ? undefined : (`S${type}` as AdType);
}
