/**
 * The book of a financial document: its amounts, each booked on a line of the profit and loss, on their way to the warehouse.
 *
 * One source tells each instant of a channel. A document claims the instants that it speaks for; there the events of sources that know less
 * give way to it, whichever comes first, and it gives way to those that know more. Besides, an event of another source is the same one where
 * order and instant are equal.
 */

import { factTable } from '../../../schema/warehouse/tables.ts';
import {
  type Booking,
  type FinanceLine,
  type FinanceSource,
  financeLines,
} from '../../contract/importable.ts';
import type { DateRange, Row } from '../../engine/warehouse.ts';
import {
  amount,
  amountText,
  CellError,
  type ColumnValue,
  currency,
  millionthsOf,
  text,
} from '../cells/fields.ts';
import { financeAmountBelow, lineBySign } from '../datasets/datasets.ts';
import { outsideReason, type Reject, type Spans } from '../rows.ts';
import type { Stager } from '../staging.ts';
import { bookingsOf, type FinanceCode } from './codes.ts';

const table = 'finance_event';
const columns = Object.keys(factTable(table).columns);
const claimColumns = Object.keys(factTable('finance_claim').columns);
const secondsPerDay = 86_400;
/** How many rows wait until it is asked what is held of them; states of one unit are compared while they wait. */
const waitingMax = { withStates: 200_000, without: 20_000 };
/** How many keys are looked up at a time. */
const keysMax = 2000;
/** How far apart the states of one unit may have been booked, in days. */
const unitDaysMax = 400;
const unknownShown = 100;
const short = text(200);

/** Whose events give way to a source's, where it claims their instant. Returned units only give way to a source that tells them as well. */
const weaker: Readonly<Record<FinanceSource, readonly FinanceSource[]>> = {
  settlement: ['transactions', 'financialEvents', 'economics', 'reimbursements'],
  transactions: ['financialEvents', 'economics', 'reimbursements'],
  financialEvents: ['economics', 'reimbursements'],
  economics: [],
  reimbursements: [],
  returns: [],
};

/** What is told as a whole, and is replaced as a whole when it is told again. */
export type Unit = {
  /** Tells it from all others of its source. */
  readonly name: string;
  /** The source's number of the transaction, where a unit may hold several. */
  readonly transactionId?: string;
  /** How final this state of the unit is: the highest one counts. */
  readonly standing?: number;
};

/** One amount of a document, as the document says it. */
export type Posting = {
  /** When it was booked, epoch seconds. */
  readonly postedAt: number;
  /** ISO 4217; the channel's own when missing. */
  readonly currency?: string;
  /** A number or its text: credit positive, debit negative. */
  readonly amount: unknown;
  /** The source's own three names of it, from the whole to the part. */
  readonly type: string;
  readonly component: string;
  readonly code: string;
  readonly sku?: string;
  readonly orderId?: string;
  /** Units, on the one amount of a sale or refund that stands for them. */
  readonly quantity?: number;
  readonly fulfillment?: 'AFN' | 'MFN' | '';
  /** Whether it speaks for several days, on the last of which it is booked. */
  readonly isCoarse?: boolean;
};

/** What a financial document came to, per currency and in whole; amounts are decimal texts, credits positive. */
export type FinanceSummary = {
  readonly source: FinanceSource;
  readonly sums: readonly {
    readonly currency: string;
    /** What was booked on each line, without tax. */
    readonly lines: Readonly<Partial<Record<Exclude<FinanceLine, 'balance'>, string>>>;
    readonly tax: { readonly sales: string; readonly refunds: string };
    /** What only moves money. */
    readonly balance: string;
    /** What was left out, because somebody else has told it. */
    readonly leftOut: string;
    /** All of the above. */
    readonly total: string;
    /** What the document itself says that it comes to; null where it does not. */
    readonly documentTotal: string | null;
  }[];
  /** Codes that the list does not know, booked by their sign. */
  readonly unknownCodes: readonly {
    readonly code: string;
    readonly currency: string;
    readonly rows: number;
    readonly amount: string;
  }[];
  /** Rows of this document that were left out, by the source that had told them. */
  readonly leftOut: readonly { readonly told: string; readonly rows: number }[];
};

/** What the book needs of the reading thread. */
export type Means = {
  readonly stager: Stager;
  readonly spans: Spans;
  readonly reject: Reject;
  readonly currency: string;
  /** First and last UTC day that the import is said to cover. */
  readonly cover: DateRange | undefined;
  readonly codes: readonly FinanceCode[];
  readonly relieve: () => Promise<void>;
  /** Rows that are held: claims on a source, events of orders, rows of units; days are UTC days that the answer is bounded to. */
  readonly held: (
    question: HeldQuestion,
    keys: readonly string[],
    first: number,
    last: number,
  ) => Promise<readonly Row[]>;
  /** Says which held rows give way: those of these sources, within the instants. */
  readonly giveWay: (
    sources: readonly string[],
    instants?: { readonly from: number; readonly to: number },
  ) => void;
};

/** What the book asks of what is held. */
export type HeldQuestion = 'claimsOn' | 'eventsOfOrders' | 'eventsOfUnits';

type Booked = {
  readonly postedAt: number;
  readonly cells: {
    readonly sku: string;
    readonly order_id: string;
    readonly line: FinanceLine;
    readonly code: string;
    readonly amount: ColumnValue;
    readonly tax: ColumnValue;
    readonly quantity: number;
    readonly fulfillment: string;
    readonly currency: string;
  };
  readonly line: number;
  readonly currency: string;
  readonly amount: bigint;
  readonly tax: bigint;
  readonly unknown: boolean;
};
type Waiting = { standing: number; readonly transactions: Map<string, Booked[]> };
type Sums = {
  readonly booked: Map<string, bigint>;
  leftOut: bigint;
  documentTotal: bigint | undefined;
};

/** Books the amounts of one document of a source. */
export class FinanceBook {
  readonly #source: FinanceSource;
  readonly #means: Means;
  readonly #hasStates: boolean;
  readonly #bookingOf: (type: string, component: string, code: string) => Booking | undefined;
  readonly #waiting = new Map<string, Waiting>();
  #rowsWaiting = 0;
  /** Units that have been staged already: their standing, the rows so far and the transactions that they hold. */
  readonly #staged = new Map<
    string,
    { readonly standing: number; rows: number; readonly transactions: Set<string> }
  >();
  readonly #sums = new Map<string, Sums>();
  readonly #unknown = new Map<
    string,
    { code: string; currency: string; rows: number; amount: bigint }
  >();
  readonly #leftOut = new Map<string, number>();
  #claims:
    | readonly { readonly source: string; readonly from: number; readonly to: number }[]
    | undefined;
  #first = Number.POSITIVE_INFINITY;
  #last = Number.NEGATIVE_INFINITY;
  #tellsReturns = false;
  /** Rows that were understood: they became facts, or had been told already. */
  rowsAccepted = 0;
  /** Those of them that speak for several days. */
  rowsCoarse = 0;

  constructor(source: FinanceSource, means: Means) {
    this.#source = source;
    this.#means = means;
    this.#hasStates = source === 'transactions';
    this.#bookingOf = bookingsOf(source, means.codes);
  }

  /** Books an amount of a unit. Returns false where it was refused with its reason. */
  post(unit: Unit, posting: Posting, line: number): boolean {
    return this.postAll(unit, [posting], line);
  }

  /** Books amounts of a unit that stand together: all of them, or none where one was refused with its reason. Says whether they were booked. */
  postAll(unit: Unit, postings: readonly Posting[], line: number): boolean {
    const { cover } = this.#means;
    const isOutside = ({ postedAt }: Posting) => {
      const day = Math.floor(postedAt / secondsPerDay);
      return cover !== undefined && (day < cover.first || day > cover.last);
    };
    if (postings.some(isOutside)) {
      this.#means.reject(line, outsideReason);
      return false;
    }
    const booked: Booked[] = [];
    for (const posting of postings) {
      const one = this.#booked(posting, line);
      if (one === undefined) return false;
      booked.push(one);
    }
    for (const one of booked) this.#add(unit, one);
    for (const { isCoarse } of postings) if (isCoarse) this.rowsCoarse++;
    return true;
  }

  /** Notes what the document says that it comes to in a currency; said again, it adds up. */
  documentTotal(currencyCode: string, total: unknown): void {
    const read = amount.read(total);
    if (read instanceof CellError) return;
    const sums = this.#sumsOf(currencyCode);
    sums.documentTotal = (sums.documentTotal ?? 0n) + millionthsOf(read);
  }

  /** What was booked in a currency so far, in millionths: all lines, tax and balance, and what was left out. */
  total(currencyCode: string): bigint {
    const { booked, leftOut } = this.#sumsOf(currencyCode);
    return [...booked.values()].reduce((sum, one) => sum + one, leftOut);
  }

  /** To be awaited between many rows: stages what has come together. */
  async relieve(): Promise<void> {
    if (this.#rowsWaiting >= (this.#hasStates ? waitingMax.withStates : waitingMax.without))
      await this.#settle();
  }

  /**
   * Stages what is left, and claims the instants that the document speaks for: those that the import is said to cover, else the named ones, else
   * those of its rows. A claim of that name takes the place of the one before.
   */
  async close(
    claim: { readonly name?: string; readonly from?: number; readonly to?: number } = {},
  ): Promise<void> {
    await this.#settle();
    const { cover } = this.#means;
    const from = cover ? cover.first * secondsPerDay : (claim.from ?? this.#first);
    const to = cover ? (cover.last + 1) * secondsPerDay - 1 : (claim.to ?? this.#last);
    const beaten = [
      ...weaker[this.#source],
      ...(this.#tellsReturns && this.#source !== 'returns' ? ['returns'] : []),
    ];
    if (from > to) return;
    const { spans, stager, giveWay } = this.#means;
    for (const instant of [from, to]) spans.take(table, Math.floor(instant / secondsPerDay));
    // Days of the economics are restated as a whole.
    giveWay(this.#source === 'economics' ? [...beaten, 'economics'] : beaten, { from, to });
    const unit = `${this.#source}:${claim.name ?? `${from}-${to}`}`;
    for (const one of beaten) {
      const row: Record<string, ColumnValue> = {
        unit,
        beaten: one,
        source: this.#source,
        from_at: from,
        to_at: to,
      };
      stager.put(
        'finance_claim',
        0,
        claimColumns.map((column) => row[column]!),
      );
    }
  }

  /** What the document came to. */
  summary(): FinanceSummary {
    return {
      source: this.#source,
      sums: [...this.#sums].map(([code, sums]) => {
        const of = (booking: Booking) => amountText(sums.booked.get(booking) ?? 0n);
        const lines = financeLines.filter((line) => line !== 'balance' && sums.booked.has(line));
        return {
          currency: code,
          lines: Object.fromEntries(lines.map((line) => [line, of(line)])),
          tax: { sales: of('sales.tax'), refunds: of('refunds.tax') },
          balance: of('balance'),
          leftOut: amountText(sums.leftOut),
          total: amountText(this.total(code)),
          documentTotal: sums.documentTotal === undefined ? null : amountText(sums.documentTotal),
        };
      }),
      unknownCodes: [...this.#unknown.values()]
        .slice(0, unknownShown)
        .map((one) => ({ ...one, amount: amountText(one.amount) })),
      leftOut: [...this.#leftOut].map(([told, rows]) => ({ told, rows })),
    };
  }

  /** Lets an amount wait with those of its unit, unless a later state of that has come already. */
  #add({ name, transactionId = '', standing = 0 }: Unit, booked: Booked): void {
    this.#first = Math.min(this.#first, booked.postedAt);
    this.#last = Math.max(this.#last, booked.postedAt);
    const waiting = this.#waiting.get(name);
    if (waiting === undefined)
      this.#waiting.set(name, { standing, transactions: new Map([[transactionId, [booked]]]) });
    else if (waiting.standing === standing) {
      const rows = waiting.transactions.get(transactionId);
      if (rows) rows.push(booked);
      else waiting.transactions.set(transactionId, [booked]);
    } else if (waiting.standing > standing) {
      this.#leaveOut([booked], this.#source);
      return;
    } else {
      for (const rows of waiting.transactions.values()) {
        this.#rowsWaiting -= rows.length;
        this.#leaveOut(rows, this.#source);
      }
      this.#waiting.set(name, { standing, transactions: new Map([[transactionId, [booked]]]) });
    }
    this.#rowsWaiting++;
  }

  #booked(posting: Posting, line: number): Booked | undefined {
    const { reject } = this.#means;
    const {
      postedAt,
      type,
      component,
      code,
      sku = '',
      orderId = '',
      quantity = 0,
      fulfillment = '',
    } = posting;
    const read = {
      amount: amount.read(posting.amount),
      currency: currency.read(posting.currency ?? this.#means.currency),
      sku: short.read(sku),
      order_id: short.read(orderId),
    };
    const wrong = Object.entries(read).find(
      (entry): entry is [string, CellError] => entry[1] instanceof CellError,
    );
    if (wrong) {
      reject(line, `${wrong[0] === 'order_id' ? 'order id' : wrong[0]} ${wrong[1].reason}`);
      return undefined;
    }
    const value = read.amount as string;
    if (Math.abs(Number(value)) >= financeAmountBelow) {
      reject(line, `amount must be below ${financeAmountBelow.toLocaleString('en')}`);
      return undefined;
    }
    const booking = this.#bookingOf(type, component, code);
    const isTax = booking === 'sales.tax' || booking === 'refunds.tax';
    const financeLine = isTax
      ? (booking.slice(0, -'.tax'.length) as FinanceLine)
      : (booking ?? lineBySign(value));
    if (financeLine === 'refunds' && quantity !== 0) this.#tellsReturns = true;
    const millionths = millionthsOf(value);
    return {
      postedAt,
      line,
      currency: read.currency as string,
      amount: isTax ? 0n : millionths,
      tax: isTax ? millionths : 0n,
      unknown: booking === undefined,
      cells: {
        sku: read.sku as string,
        order_id: read.order_id as string,
        line: financeLine,
        code: codeText(type, component, code),
        amount: isTax ? 0 : value,
        tax: isTax ? value : 0,
        quantity,
        fulfillment,
        currency: read.currency as string,
      },
    };
  }

  /** Compares what waits with what is held, and stages what stays. */
  async #settle(): Promise<void> {
    if (this.#rowsWaiting === 0) return;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    this.#rowsWaiting = 0;
    const told = await this.#told(waiting);
    const left = new Map(
      waiting.map(([name, { transactions }]) => [name, this.#withoutTold(transactions, told)]),
    );
    const held = await this.#heldUnits(
      waiting.filter(([name]) => this.#hasStates || left.get(name)!.length === 0),
    );
    for (const [name, { standing, transactions }] of waiting) {
      const before = this.#staged.get(name) ?? held.get(name);
      const rows = left.get(name)!;
      const isStaged = this.#staged.has(name);
      const isGone = rows.length === 0;
      if (isGone && (isStaged || !(this.#hasStates || held.has(name)))) continue;
      if (!isGone && before !== undefined && before.standing > standing) {
        this.#leaveOut(
          rows.map(({ row }) => row),
          this.#source,
        );
        continue;
      }
      if (isStaged && before!.standing < standing) {
        for (const { row } of rows)
          this.#means.reject(
            row.line,
            'tells a later state of what came long before in the document: import it in a document of its own',
          );
        continue;
      }
      const state = this.#staged.get(name) ?? {
        standing: isGone ? Math.max(standing, before?.standing ?? standing) : standing,
        rows: 0,
        transactions: new Set<string>(),
      };
      this.#staged.set(name, state);
      // A document tells a transaction once; what has no states may come in any number of pieces.
      const again = new Set(this.#hasStates ? state.transactions : []);
      for (const { transactionId, row } of rows) {
        if (again.has(transactionId)) this.#leaveOut([row], this.#source);
        else this.#stage(name, standing, transactionId, ++state.rows, row);
        state.transactions.add(transactionId);
      }
      // What others tell in any of its states is told.
      if (isGone)
        for (const [transactionId, [first]] of transactions)
          this.#mark(name, state.standing, transactionId, ++state.rows, first!);
      // Other transactions of the unit that an earlier document has told stay with it.
      const kept =
        this.#hasStates && !isStaged && before?.standing === standing
          ? (held.get(name)?.rows ?? [])
          : [];
      for (const row of kept) {
        if (!transactions.has(row.transaction_id as string)) this.#restage(name, ++state.rows, row);
      }
      await this.#means.relieve();
    }
  }

  /** The rows that no other source has told; the others are left out. */
  #withoutTold(
    transactions: Waiting['transactions'],
    told: (row: Booked) => string | undefined,
  ): { transactionId: string; row: Booked }[] {
    const left: { transactionId: string; row: Booked }[] = [];
    for (const [transactionId, rows] of transactions) {
      for (const row of rows) {
        const by = told(row);
        if (by === undefined) left.push({ transactionId, row });
        else this.#leaveOut([row], by);
      }
    }
    return left;
  }

  #stage(
    unit: string,
    standing: number,
    transactionId: string,
    number: number,
    { postedAt, line, cells, ...booked }: Booked,
  ): void {
    this.#put(unit, standing, transactionId, number, postedAt, line, cells);
    this.rowsAccepted++;
    const sums = this.#sumsOf(booked.currency);
    const financeLine = cells.line;
    const add = (booking: Booking, value: bigint) =>
      sums.booked.set(booking, (sums.booked.get(booking) ?? 0n) + value);
    if (booked.tax === 0n) add(financeLine, booked.amount);
    else add(`${financeLine as 'sales' | 'refunds'}.tax`, booked.tax);
    if (!booked.unknown) return;
    const { code } = cells;
    const key = `${code}\n${booked.currency}`;
    const unknown = this.#unknown.get(key) ?? {
      code,
      currency: booked.currency,
      rows: 0,
      amount: 0n,
    };
    unknown.rows++;
    unknown.amount += booked.amount;
    this.#unknown.set(key, unknown);
  }

  /** Keeps of a unit that is told by others that it was told in this state: an earlier telling of it goes, an earlier state does not come back. */
  #mark(
    unit: string,
    standing: number,
    transactionId: string,
    number: number,
    { postedAt, line, cells }: Booked,
  ): void {
    const none = {
      sku: '',
      line: 'balance',
      code: 'told by another source',
      amount: 0,
      tax: 0,
      quantity: 0,
      fulfillment: '',
    } as const;
    this.#put(unit, standing, transactionId, number, postedAt, line, { ...cells, ...none });
  }

  #put(
    unit: string,
    standing: number,
    transactionId: string,
    number: number,
    postedAt: number,
    line: number,
    cells: Booked['cells'],
  ): void {
    const day = Math.floor(postedAt / secondsPerDay);
    const all: Record<string, ColumnValue> = {
      ...cells,
      day,
      unit: `${this.#source}:${unit}`,
      number,
      source: this.#source,
      transaction_id: transactionId,
      standing,
      posted_at: postedAt,
    };
    this.#means.stager.put(
      table,
      line,
      columns.map((column) => all[column]!),
    );
    this.#means.spans.take(table, day);
  }

  /** Stages a held row anew, as it was. */
  #restage(unit: string, number: number, row: Row): void {
    const all: Row = { ...row, unit: `${this.#source}:${unit}`, number };
    this.#means.stager.put(
      table,
      0,
      columns.map((column) => all[column]!),
    );
    this.#means.spans.take(table, row.day as number);
  }

  #leaveOut(rows: readonly Booked[], told: string): void {
    if (rows.length === 0) return;
    this.rowsAccepted += rows.length;
    this.#leftOut.set(told, (this.#leftOut.get(told) ?? 0) + rows.length);
    for (const { currency: code, amount: value, tax } of rows)
      this.#sumsOf(code).leftOut += value + tax;
  }

  #sumsOf(code: string): Sums {
    let sums = this.#sums.get(code);
    if (sums === undefined) {
      sums = { booked: new Map(), leftOut: 0n, documentTotal: undefined };
      this.#sums.set(code, sums);
    }
    return sums;
  }

  /** Which other source has told a row: by a claim on its instant, or by its order and instant. */
  async #told(
    waiting: readonly (readonly [string, Waiting])[],
  ): Promise<(row: Booked) => string | undefined> {
    this.#claims ??= (await this.#means.held('claimsOn', [this.#source], 0, 0)).map((row) => ({
      source: row.source as string,
      from: row.from_at as number,
      to: row.to_at as number,
    }));
    const claims = this.#claims;
    if (claims.length === 0) return () => undefined;
    const stronger = new Set(claims.map((claim) => claim.source));
    const rows = waiting.flatMap(([, { transactions }]) => [...transactions.values()].flat());
    const orders = new Map<string, string>();
    const orderIds = [...new Set(rows.map((row) => row.cells.order_id).filter((id) => id !== ''))];
    const days = rows.map((row) => Math.floor(row.postedAt / secondsPerDay));
    for (let at = 0; at < orderIds.length; at += keysMax) {
      for (const row of await this.#means.held(
        'eventsOfOrders',
        orderIds.slice(at, at + keysMax),
        least(days),
        most(days),
      )) {
        if (stronger.has(row.source as string))
          orders.set(`${row.posted_at} ${row.order_id}`, row.source as string);
      }
    }
    return (row) =>
      claims.find(({ from, to }) => row.postedAt >= from && row.postedAt <= to)?.source ??
      orders.get(`${row.postedAt} ${row.cells.order_id}`);
  }

  /** What is held of these units. */
  async #heldUnits(
    waiting: readonly (readonly [string, Waiting])[],
  ): Promise<Map<string, { standing: number; rows: Row[] }>> {
    const held = new Map<string, { standing: number; rows: Row[] }>();
    const names = waiting.map(([name]) => name).filter((name) => !this.#staged.has(name));
    const days = waiting.flatMap(([, { transactions }]) =>
      [...transactions.values()].map((rows) => Math.floor(rows[0]!.postedAt / secondsPerDay)),
    );
    const prefix = `${this.#source}:`;
    for (let at = 0; at < names.length; at += keysMax) {
      const keys = names.slice(at, at + keysMax).map((name) => prefix + name);
      for (const row of await this.#means.held(
        'eventsOfUnits',
        keys,
        least(days) - unitDaysMax,
        most(days) + unitDaysMax,
      )) {
        const name = (row.unit as string).slice(prefix.length);
        const known = held.get(name);
        if (known) known.rows.push(row);
        else held.set(name, { standing: row.standing as number, rows: [row] });
      }
    }
    return held;
  }
}

/** The three names in one text, without those that say nothing more. */
function codeText(...names: readonly string[]): string {
  return [...new Set(names.filter((name) => name !== ''))]
    .join('/')
    .slice(0, 200)
    .toWellFormed()
    .replaceAll('\u0000', '\ufffd');
}

function least(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
}

function most(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
}
