/**
 * Reads the rows of settlements: one settlement as downloaded, or several under one header.
 * Verifies the total of each.
 */
import { amountText, millionthsOf } from '../../cells/fields.ts';
import { shortenedReason } from '../../cells/shortened.ts';
import type { Claim, Ledger } from '../../ledger/ledger.ts';
import { DocumentRefused, OfOtherStore, type StoreSign } from '../../refused.ts';
import type { ImportSession } from '../../session.ts';
import { marketplaceOf, marketplaceText } from '../marketplaces.ts';
import { waitingMax, waitingMin } from '../waitingRows.ts';
import { Witnesses } from '../witnesses.ts';
import { refuseRepeated, SettlementContent } from './settlementContent.ts';
import {
  type Amount,
  currencyIn,
  edgesOf,
  fittingOrders,
  placesOf,
  postingsOf,
  type SettlementCells,
  type SettlementRow,
  type Style,
  type Summary,
  shownIn,
  summaryOf,
  totalOf,
} from './settlementPeriod.ts';

/** The maximum number of settlements in a document. */
const settlementsMax = 1000;

/**
 * Reads settlements. Refuses a document with a settlement whose rows do not add up to its total.
 */
export class SettlementReader {
  readonly #session: ImportSession;
  readonly #ledger: Ledger;
  readonly #settlements = new Map<string, Settlement>();
  #last: Settlement | undefined;

  constructor(session: ImportSession) {
    if (session.dateRange)
      throw new DocumentRefused('a settlement has its own dates: omit from and to');
    this.#session = session;
    this.#ledger = session.ledger('settlement');
  }

  /** Takes a row with its amounts. */
  row(cells: SettlementCells, amounts: readonly Amount[], line: number): void {
    const row = { cells, amounts: amounts.filter(({ text }) => text !== ''), line };
    this.#settlementOf(cells).take(row);
  }

  /** Takes the end: verifies the totals and closes the ledger. */
  async end(): Promise<void> {
    const all = [...this.#settlements.values()];
    if (all.length === 0)
      throw new DocumentRefused(
        `the document has no settlement: it is cut off${rejectedRows(this.#session)}`,
      );
    const claims = all.flatMap((one) =>
      one.end().map((claim) => ({ claim, content: one.content })),
    );
    await refuseRepeated(claims, this.#ledger);
    await this.#ledger.close(claims.map(({ claim }) => claim));
  }

  #settlementOf({ id, currency }: SettlementCells): Settlement {
    if (id === '' && this.#last !== undefined) return this.#last;
    let settlement = this.#settlements.get(id);
    if (settlement === undefined) {
      const reason = shortenedReason(id);
      if (reason !== undefined) throw new DocumentRefused(`settlement-id ${reason}`);
      // The id is part of the names of claims and units, whose length is limited.
      if (id === '' || id.length > 100)
        throw new DocumentRefused('the first row has no settlement-id');
      if (this.#settlements.size === settlementsMax)
        throw new DocumentRefused(
          `the document has more than ${settlementsMax} settlements: import it in several parts`,
        );
      settlement = new Settlement(id, currency, this.#session, this.#ledger);
      this.#settlements.set(id, settlement);
    }
    this.#last = settlement;
    return settlement;
  }
}

/** One settlement of the document. */
class Settlement {
  readonly #id: string;
  readonly #session: ImportSession;
  readonly #ledger: Ledger;
  readonly #currency: string;
  readonly content = new SettlementContent();
  #summary: Summary | undefined;
  #hasSummaryRow = false;
  #style: Style | undefined;
  /** Whether a row names the channel's marketplace, or none can. */
  #isOwn: boolean;
  /** A marketplace in its rows that is not the channel's. */
  #otherMarketplace: string | undefined;
  /** Rows without an amount, and all rows of another currency. */
  #bareRows = 0;
  readonly #witnesses: Witnesses;
  /** Rows that wait until the style is known, or until a row names the marketplace. */
  #head: SettlementRow[] = [];
  #decideAt = waitingMin;
  /** The sum of the amounts so far, in millionths. */
  #sum = 0n;
  #firstInstant = Number.POSITIVE_INFINITY;
  #lastInstant = Number.NEGATIVE_INFINITY;

  constructor(id: string, currency: string, session: ImportSession, ledger: Ledger) {
    this.#id = id;
    this.#session = session;
    this.#ledger = ledger;
    this.#isOwn = session.marketplaceId === undefined;
    this.#currency = currency === '' ? session.currency : currencyIn(currency);
    this.#witnesses = new Witnesses(session, (orders) =>
      this.#summary === undefined
        ? orders
        : fittingOrders(this.#summary, this.#head, session.timezone, orders),
    );
  }

  take(row: SettlementRow): void {
    const { cells, amounts } = row;
    if (this.#currency !== this.#session.currency) {
      this.#bareRows++;
      return;
    }
    const isSummary = cells.type === '' && cells.total !== '' && amounts.length === 0;
    if (isSummary) this.#noteSummary(row);
    if (isSummary || (cells.total !== '' && cells.start !== '')) this.#takeSummary(cells);
    if (cells.type === '' && amounts.length === 0) {
      this.#bareRows++;
      return;
    }
    const other = this.#otherIn(row);
    this.#otherMarketplace ??= other;
    if (this.#style && this.#isOwn) {
      this.#post(row, this.#style);
      return;
    }
    for (const [shows, text] of shownIn(row)) this.#witnesses.take(shows, text);
    this.#head.push(row);
    if (this.#head.length < this.#decideAt) return;
    this.#decideAt *= 2;
    this.#decide(this.#head.length >= waitingMax);
  }

  /**
   * Verifies the total. Returns the instants that the settlement claims; none for another store.
   */
  end(): Claim[] {
    const { currency } = this.#session;
    if (this.#currency !== currency) {
      const theirs = `a store in ${this.#currency}`;
      const sign = { currencies: [this.#currency] };
      this.#skip(this.#bareRows, theirs, `one in ${currency}`, sign);
      return [];
    }
    if (!this.#isOwn && this.#otherMarketplace !== undefined) {
      this.#skipOther(this.#bareRows + this.#head.length, this.#otherMarketplace);
      return [];
    }
    this.#ledger.rowsAccepted += this.#bareRows;
    this.#decide(true);
    const style = this.#style!;
    if (this.#summary === undefined) {
      const [from, to] = [this.#firstInstant, this.#lastInstant];
      return from > to ? [] : [{ name: this.#id, from, to }];
    }
    const total = totalOf(this.#summary, style);
    this.#prove(total);
    this.#ledger.documentTotal(this.#currency, amountText(total));
    return [{ name: this.#id, ...edgesOf(this.#summary, style.order, this.#session.timezone) }];
  }

  #takeSummary(cells: SettlementCells): void {
    if (this.#summary !== undefined) return;
    this.#summary = summaryOf(cells);
    this.#witnesses.take('amount', cells.total);
    this.#witnesses.take('dates', cells.start, 'start');
    this.#witnesses.take('dates', cells.end, 'end');
  }

  #noteSummary({ cells, line }: SettlementRow): void {
    if (this.#hasSummaryRow)
      throw new DocumentRefused(
        `line ${line} begins settlement ${this.#id} again: remove its second copy`,
      );
    if (currencyIn(cells.currency) !== this.#currency)
      throw new DocumentRefused(
        `line ${line} is in ${cells.currency}, but the rows above it in ${this.#currency}: import the settlement as it was downloaded`,
      );
    this.#hasSummaryRow = true;
  }

  #skip(rows: number, theirs: string, own: string, sign: StoreSign): void {
    for (let row = 0; row < rows; row++) this.#session.otherStores.skip(theirs, own, sign);
  }

  /** Skips rows of another marketplace than the channel's. */
  #skipOther(rows: number, marketplaceId: string): void {
    const own = marketplaceText(this.#session.marketplaceId!);
    this.#skip(rows, marketplaceText(marketplaceId), own, { marketplaceId });
  }

  /** The marketplace that a row names, if it is not the channel's. */
  #otherIn({ cells: { marketplace } }: SettlementRow): string | undefined {
    const own = this.#session.marketplaceId;
    const named = marketplaceOf(marketplace);
    if (own !== undefined && named === own) this.#isOwn = true;
    return own === undefined || named === own ? undefined : named;
  }

  /**
   * Decides the style and posts the waiting rows. If the rows leave the style or the marketplace
   * open, and `mustDecide` is false, they stay open.
   */
  #decide(mustDecide: boolean): void {
    if (mustDecide || this.#witnesses.areClear) this.#style ??= this.#styleOf(this.#witnesses);
    if (this.#style === undefined || !(this.#isOwn || mustDecide)) return;
    if (!this.#isOwn && this.#otherMarketplace !== undefined)
      throw new OfOtherStore(
        `the first ${waitingMax} rows of settlement ${this.#id} name only ${marketplaceText(this.#otherMarketplace)}: import it into the channel of its store`,
        { marketplaceId: this.#otherMarketplace },
      );
    this.#isOwn = true;
    for (const row of this.#head.splice(0)) this.#post(row, this.#style);
  }

  #styleOf({ notation: { mark, order }, isPossible }: Witnesses): Style {
    const style = {
      mark,
      order: order ?? (isPossible.dayFirst ? 'dayFirst' : 'monthFirst'),
    } as const;
    if (this.#summary) edgesOf(this.#summary, style.order, this.#session.timezone);
    return style;
  }

  /** Posts the amounts of a row. Amounts of another marketplace only count towards the total. */
  #post(row: SettlementRow, style: Style): void {
    const postings = postingsOf(row, this.#currency, style, this.#session.timezone);
    if (typeof postings === 'string') {
      this.#session.reject(row.line, postings);
      return;
    }
    const other = this.#otherIn(row);
    if (other === undefined && postings.length > 0) {
      if (!this.#ledger.postAll({ name: this.#id }, postings, row.line)) return;
      this.#firstInstant = Math.min(this.#firstInstant, postings[0]!.postedAt);
      this.#lastInstant = Math.max(this.#lastInstant, postings[0]!.postedAt);
    }
    for (const posting of postings) {
      this.#sum += millionthsOf(posting.amount);
      const { orderId = '', sku = '' } = posting;
      if (other === undefined) this.content.add({ ...posting, orderId, sku });
    }
    // The ledger counts amounts, the import counts rows.
    if (other === undefined) this.#ledger.rowsAccepted += 1 - postings.length;
    else this.#skipOther(1, other);
  }

  /** Refuses the document if a row was rejected, or if the rows do not add up to the total. */
  #prove(total: bigint): void {
    if (this.#sum === total && this.#session.rejected.rows === 0) return;
    const text = (millionths: bigint) =>
      `${moneyText(millionths, placesOf(this.#currency))} ${this.#currency}`;
    const sums = `the rows of settlement ${this.#id} add up to ${text(this.#sum)}, its total-amount is ${text(total)}, a difference of ${text(total - this.#sum)}`;
    const rejected = rejectedRows(this.#session);
    throw new DocumentRefused(
      `${sums}${rejected === '' ? ': the document is cut off, or its rows were changed' : rejected}`,
    );
  }
}

function rejectedRows(session: ImportSession): string {
  const { rows, first } = session.rejected;
  if (rows === 0) return '';
  const reasons = first.map(({ line, reason }) => `line ${line} ${reason}`).join('; ');
  return `; ${rows} ${rows === 1 ? 'row was' : 'rows were'} rejected: ${reasons}${rows > first.length ? '; …' : ''}`;
}

/** An amount in millionths; if `places` is given, with that number of decimal places. */
function moneyText(millionths: bigint, places: number): string {
  return amountText(millionths).replace(new RegExp(`\\.?0{${6 - places}}$`), '');
}
