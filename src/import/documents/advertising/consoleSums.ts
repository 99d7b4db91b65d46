/** Adds up the rows of tables of the advertising console. */

import type { AdSource } from '../../../../schema/warehouse/adReports.ts';
import { type DecimalMark, readAmount } from '../../cells/money.ts';
import { RowSums } from '../../cells/sums.ts';
import { DocumentRefused } from '../../refused.ts';
import type { ImportSession } from '../../session.ts';
import { adSums, coverAdDays, InferredEntities } from './ads.ts';
import type { AdType } from './adTypes.ts';
import {
  type ConsoleCells,
  type ConsoleNames,
  type ConsoleRow,
  keywordIn,
} from './consoleNames.ts';
import { figuresOf, type RowDates } from './consoleRows.ts';
import { stageAdSums } from './precedence.ts';
import { isProvisional } from './provisional.ts';

/**
 * The rows of a table: campaigns, keywords, or search terms, which are added up by keyword, ad
 * group and campaign.
 */
export type Level = 'campaigns' | 'keywords' | 'terms';

/** The source of a campaign's figures that the rows of each level are. */
const sources = { campaigns: 'report', keywords: 'targets', terms: 'terms' } as const;

/** Adds rows up. */
export class ConsoleSums {
  readonly #session: ImportSession;
  readonly #names: ConsoleNames;
  readonly #level: Level;
  readonly #source: AdSource;
  readonly #campaigns: RowSums;
  readonly #adGroups: RowSums | undefined;
  readonly #keywords: RowSums | undefined;
  readonly #inferred: InferredEntities;

  constructor(session: ImportSession, names: ConsoleNames, level: Level, withKeywords: boolean) {
    this.#session = session;
    this.#names = names;
    this.#level = level;
    this.#source = sources[level];
    this.#inferred = new InferredEntities(session);
    if (level === 'campaigns') {
      this.#campaigns = new RowSums(session.rows('campaignDays'), adSums.campaignDays);
      return;
    }
    // Each row counts once: for its keyword, or for its ad group if the document has no keywords.
    const ofAdGroups = `${this.#source}AdGroupDays`;
    this.#campaigns = new RowSums(
      session.inferred(`${this.#source}CampaignDays`),
      adSums.campaignDays,
    );
    this.#adGroups = new RowSums(
      withKeywords ? session.inferred(ofAdGroups) : session.rows(ofAdGroups),
      adSums.adGroupDays,
    );
    if (withKeywords)
      this.#keywords = new RowSums(
        session.rows(level === 'keywords' ? 'keywordDays' : 'termsKeywordDays'),
        adSums.keywordDays,
      );
  }

  /** Adds a row. */
  add(row: ConsoleRow, { postingDate, first }: RowDates): void {
    const { line } = row;
    const campaign = this.#names.campaign(row);
    const figures = campaign && figuresOf(this.#session, row);
    if (!campaign || !figures) return;
    const { campaignId, adType } = campaign;
    let fields: Record<string, unknown> = { ...figures, date: postingDate, campaignId, adType };
    if (this.#level !== 'campaigns') {
      const adGroupId = this.#names.adGroup(row, campaign);
      if (adGroupId === undefined) return;
      fields = { ...fields, adGroupId };
    }
    if (this.#keywords) {
      const keywordId = this.#names.keyword(row, campaign, fields.adGroupId as string);
      if (keywordId === undefined) return;
      fields = { ...fields, keywordId };
    }
    if (!this.#addTo(fields, line, first)) return;
    coverAdDays(this.#session, this.#level, adType);
    this.#note(row, fields, adType);
  }

  /** Stages the sums, and the entities that the rows imply. */
  async stage(): Promise<void> {
    this.#inferred.stage();
    const [campaigns, adGroups, keywords] = [this.#campaigns, this.#adGroups, this.#keywords];
    const source = this.#source;
    const ofKeywords = this.#level === 'keywords' ? 'report' : source;
    await stageAdSums(this.#session, [
      ...(keywords ? [{ level: 'keywordDays', source: ofKeywords, sums: keywords } as const] : []),
      ...(adGroups ? [{ level: 'adGroupDays', source, sums: adGroups } as const] : []),
      { level: 'campaignDays', source, sums: campaigns },
    ]);
  }

  /** Adds a row to the sums of every level, the finest first: only that one rejects rows. */
  #addTo(fields: Readonly<Record<string, unknown>>, line: number, first: number): boolean {
    const { keywordId, ...others } = fields;
    const { adGroupId, ...ofCampaign } = others;
    const levels: readonly (readonly [RowSums | undefined, Readonly<Record<string, unknown>>])[] = [
      [this.#keywords, fields],
      [this.#adGroups, others],
      [this.#campaigns, ofCampaign],
    ];
    const [finest, ...coarser] = levels.filter(([sums]) => sums !== undefined);
    if (!finest![0]!.add(finest![1], line, first)) return false;
    // The finest level accepted the row, so only sums that become too large can refuse it.
    if (!coarser.every(([sums, own]) => sums!.add(own, line, first)))
      throw new DocumentRefused(`line ${line} makes a sum too large: split the document by dates`);
    return true;
  }

  /** Notes the campaign, ad group and keyword of a row if nothing better is known. */
  #note(row: ConsoleRow, fields: Readonly<Record<string, unknown>>, adType: AdType): void {
    const { line, cells } = row;
    const [date, campaignId] = [fields.date as string, fields.campaignId as string];
    const { adGroupId, keywordId } = fields as Readonly<Record<string, string | undefined>>;
    const { mark } = this.#session.notation;
    if (adGroupId !== undefined && !this.#names.isKnownAdGroup(campaignId, adGroupId)) {
      const adGroup = { adGroupId, campaignId, name: cells.adGroupName, adType };
      this.#inferred.note('adGroups', date, adGroup, line);
    }
    const isDescribed = cells.state !== undefined && this.#level === 'keywords';
    if (
      keywordId !== undefined &&
      (isDescribed || !this.#names.isKnownKeyword(adGroupId!, keywordId))
    ) {
      const keyword = {
        keywordId,
        adGroupId,
        campaignId,
        adType,
        ...keywordIn(cells),
        ...(isDescribed && { status: cells.state }),
        ...(cells.bid !== undefined && { bid: readAmount(cells.bid, mark) }),
      };
      this.#inferred.note('keywords', date, keyword, line);
    }
    // Only the list of campaigns has more about a known campaign than its name.
    const isListed = cells.campaignId !== undefined || isProvisional(campaignId);
    if (this.#level === 'campaigns' ? isListed : !this.#names.isKnownCampaign(row, campaignId))
      this.#inferred.note(
        'campaigns',
        date,
        this.#level === 'campaigns'
          ? campaignOf(mark, cells, campaignId, adType)
          : { campaignId, name: cells.campaignName, adType },
        line,
      );
  }
}

function campaignOf(
  mark: DecimalMark | undefined,
  cells: ConsoleCells,
  campaignId: string,
  adType: AdType,
): Record<string, unknown> {
  return {
    campaignId,
    name: cells.campaignName,
    adType,
    status: cells.state,
    ...(cells.budget !== undefined && { budget: readAmount(cells.budget, mark) }),
    targetingType: cells.targeting,
  };
}
