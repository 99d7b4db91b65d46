/**
 * The ledger of a financial document. It books each amount on a line of the profit and loss and
 * stages it as an event. Each instant of a channel belongs to one source. A document claims the
 * instants that it covers. There it supersedes the events of sources with less detail, in whatever
 * order they are imported, and its own events are skipped if a source with more detail has a claim.
 * Events of two sources are also the same if their order and instant are equal.
 */
import { factTable } from '../../../schema/warehouse/tables.ts';
import { startOfDay } from '../../calendar/period.ts';
import type { Booking, FinanceSource } from '../../contract/importable.ts';
import type { Row } from '../../engine/warehouse.ts';
import { amount, CellError, type ColumnValue, isRounded, millionthsOf } from '../cells/fields.ts';
import type { InstantRange } from '../coverage.ts';
import { isCovered, outsideReason, type RowOutput } from '../rows.ts';
import { bookingsOf, rememberedByNames } from './codes.ts';
import { codeTextOf } from './codeText.ts';
import {
  type AskExisting,
  ExistingEvents,
  type ExistingUnit,
  markerCode,
  otherStore,
  precedence,
} from './existing.ts';
import type { AddedCodes } from './namedCodes.ts';
import { type Entry, entryOf, type Posting, type Unit } from './posting.ts';
import { StagedUnits } from './stagedUnits.ts';
import { type FinanceSummary, SummaryBuilder } from './summary.ts';

const table = 'finance_event';
const eventColumns = Object.keys(factTable(table).columns);
const claimColumns = Object.keys(factTable('finance_claim').columns);
const secondsPerDay = 86_400;
/** The columns of a row that marks a unit without booking anything. */
const emptied = {
  sku: '',
  line: 'balance',
  code: markerCode,
  amount: 0,
  tax: 0,
  quantity: 0,
  fulfillment: '',
} as const;
/**
 * The number of entries that wait for the comparison with existing ones. States are compared
 * meanwhile.
 */
const waitingMax = { withStates: 200_000, without: 20_000 };
/** The sources whose documents may have several states of a unit. */
const statefulSources: readonly FinanceSource[] = ['transactions', 'financialEvents'];

/** The ledger's connections to its import. */
export type LedgerDependencies = {
  readonly output: RowOutput;
  readonly codes: AddedCodes;
  readonly flush: () => Promise<void>;
  readonly askExisting: AskExisting;
  /** Declares that existing rows of these sources are superseded within the instants. */
  readonly supersede: (sources: readonly string[], instants: InstantRange) => void;
};

/** The instants that a document speaks for, in epoch seconds, both inclusive, under a name. */
export type Claim = { readonly name: string; readonly from: number; readonly to: number };

/** The entries of a unit, by transaction. */
type WaitingUnit = { readonly revision: number; readonly transactions: Map<string, Entry[]> };

/** Whether a unit may have several transactions and states. */
function hasStates({ transactions }: WaitingUnit): boolean {
  return !transactions.has('');
}

/** Identifies a row of a unit. */
type EventKey = {
  readonly unit: string;
  readonly revision: number;
  readonly transactionId: string;
  readonly number: number;
};

/** Books the amounts of one document. */
export class Ledger {
  readonly #source: FinanceSource;
  readonly #dependencies: LedgerDependencies;
  readonly #existing: ExistingEvents;
  readonly #bookingOf: (type: string, component: string, code: string) => Booking | undefined;
  /** Cached, so that waiting entries share the texts. */
  readonly #codeTextOf = rememberedByNames(codeTextOf);
  readonly #summary = new SummaryBuilder();
  readonly #waiting = new Map<string, WaitingUnit>();
  #entriesWaiting = 0;
  readonly #staged = new StagedUnits();
  readonly #formerNames = new Set<string>();
  #firstInstant = Number.POSITIVE_INFINITY;
  #lastInstant = Number.NEGATIVE_INFINITY;
  #hasReturns = false;
  /** Rows that were booked or skipped. */
  rowsAccepted = 0;
  /** The number of them that cover several days. */
  rowsMultiDay = 0;

  constructor(source: FinanceSource, dependencies: LedgerDependencies) {
    this.#source = source;
    this.#dependencies = dependencies;
    this.#existing = new ExistingEvents(source, dependencies.askExisting);
    const { own, named } = dependencies.codes;
    this.#bookingOf = bookingsOf(source, own, named);
  }

  /** Books an amount of a unit. Returns false if it was rejected. */
  post(unit: Unit, posting: Posting, at: number): boolean {
    return this.postAll(unit, [posting], at);
  }

  /** Books all amounts of a unit, or none. Returns false if they were rejected. */
  postAll(unit: Unit, postings: readonly Posting[], at: number): boolean {
    const { output } = this.#dependencies;
    const { context, reject } = output;
    if (postings.some(({ postedAt }) => !isCovered(output, postedAt))) {
      reject(at, outsideReason);
      return false;
    }
    const entries: Entry[] = [];
    for (const posting of postings) {
      const { type, component, code } = posting;
      const booking = this.#bookingOf(type, component, code);
      const codeText = this.#codeTextOf(type, component, code);
      const entry = entryOf(posting, at, context.currency, booking, codeText);
      if (entry instanceof CellError) {
        reject(at, entry.reason);
        return false;
      }
      entries.push(entry);
    }
    for (const entry of entries) this.#add(unit, entry);
    if (unit.formerName !== undefined) this.#formerNames.add(unit.formerName);
    for (const posting of postings)
      if (isRounded(posting.amount)) this.#dependencies.output.noteRounded();
    for (const { isMultiDay } of postings) if (isMultiDay) this.rowsMultiDay++;
    return true;
  }

  /** Notes the days of a row, for sources with multi-day rows. */
  noteDays(first: number, last: number): void {
    this.#dependencies.output.coverage.addSpan(table, this.#source, { first, last });
  }

  /** Adds to the total that the document reports. */
  documentTotal(currency: string, total: unknown): void {
    const read = amount.read(total);
    if (!(read instanceof CellError)) this.#summary.addDocumentTotal(currency, millionthsOf(read));
  }

  /** The sum in a currency so far, skipped rows included, in millionths. */
  total(currency: string): bigint {
    return this.#summary.total(currency);
  }

  /** The sums of the document. */
  summary(): FinanceSummary {
    return this.#summary.summary(this.#source);
  }

  /** The rows of the source's other units that claim the same instants, by the units' names. */
  unitsClaiming(claim: Claim): ReturnType<ExistingEvents['unitsClaiming']> {
    return this.#existing.unitsClaiming(claim);
  }

  /** Stages the waiting entries if there are many of them. */
  async flush(): Promise<void> {
    const isStateful = statefulSources.includes(this.#source);
    const max = isStateful ? waitingMax.withStates : waitingMax.without;
    if (this.#entriesWaiting >= max) await this.#flushAll();
  }

  /**
   * Stages all entries and claims the instants that the document covers: the import's date range,
   * else the instants of the given claims, else the instants of the entries. A claim replaces the
   * earlier claim with the same name.
   */
  async close(claims: readonly Partial<Claim>[] = [{}]): Promise<void> {
    await this.#flushAll();
    const { dateRange, timezone } = this.#dependencies.output;
    // A zone may skip a day.
    const startOf = (day: number) => startOfDay(timezone, day) ?? startOfDay(timezone, day + 1)!;
    for (const { name, from = this.#firstInstant, to = this.#lastInstant } of claims)
      if (dateRange) this.#claim(name, startOf(dateRange.first), startOf(dateRange.last + 1) - 1);
      else if (from <= to) this.#claim(name, from, to);
  }

  #claim(name: string | undefined, from: number, to: number): void {
    const { output, supersede } = this.#dependencies;
    const withReturns = this.#hasReturns && this.#source !== 'returns';
    const superseded = [...precedence[this.#source], ...(withReturns ? ['returns'] : [])];
    for (const instant of [from, to]) output.coverage.addInstant(table, instant);
    // An economics document restates its days as a whole.
    const restated = this.#source === 'economics' ? ['economics'] : [];
    supersede([...superseded, ...restated], { from, to });
    const unit = `${this.#source}:${name ?? `${from}-${to}`}`;
    for (const source of superseded) {
      const row = { unit, superseded: source, source: this.#source, from_at: from, to_at: to };
      output.stager.put('finance_claim', 0, columnsOf(row, claimColumns));
    }
  }

  /** Adds an entry to its unit, unless it belongs to an earlier revision. */
  #add({ name, transactionId = '', revision = 0 }: Unit, entry: Entry): void {
    this.#firstInstant = Math.min(this.#firstInstant, entry.postedAt);
    this.#lastInstant = Math.max(this.#lastInstant, entry.postedAt);
    if (entry.columns.line === 'refunds' && entry.columns.quantity !== 0) this.#hasReturns = true;
    const waiting = this.#waiting.get(name);
    if (waiting && waiting.revision > revision) {
      this.#skip([entry], this.#source);
      return;
    }
    if (waiting?.revision === revision) {
      const entries = waiting.transactions.get(transactionId);
      if (entries) entries.push(entry);
      else waiting.transactions.set(transactionId, [entry]);
    } else {
      for (const entries of waiting?.transactions.values() ?? []) {
        this.#entriesWaiting -= entries.length;
        this.#skip(entries, this.#source);
      }
      this.#waiting.set(name, { revision, transactions: new Map([[transactionId, [entry]]]) });
    }
    this.#entriesWaiting++;
  }

  /** Compares the waiting units with the existing ones and stages what remains. */
  async #flushAll(): Promise<void> {
    if (this.#entriesWaiting === 0) return;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    this.#entriesWaiting = 0;
    const all = waiting.flatMap(([, unit]) => [...unit.transactions.values()].flat());
    const sourceOf = await this.#existing.sourceFinder(all);
    const names = waiting.map(([name]) => name);
    const isElsewhere = await this.#existing.elsewhereFinder(names, all);
    const sourceIn = (name: string) => (transactionId: string, entry: Entry) =>
      isElsewhere(name, transactionId, entry) ? otherStore : sourceOf(entry);
    const remaining = new Map(
      waiting.map(([name, unit]) => [name, this.#withoutImported(unit, sourceIn(name))]),
    );
    const compared = waiting.filter(
      ([name, unit]) =>
        (hasStates(unit) || remaining.get(name)!.length === 0) &&
        this.#staged.get(name) === undefined,
    );
    const existing = await this.#existing.units(
      compared.map(([name]) => name),
      compared.flatMap(([, unit]) => [...unit.transactions.values()].map(([first]) => first!)),
    );
    await this.#emptyFormer(all);
    for (const [name, unit] of waiting) {
      this.#flushUnit(name, unit, remaining.get(name)!, existing.get(name));
      await this.#dependencies.flush();
    }
  }

  #flushUnit(
    name: string,
    waiting: WaitingUnit,
    remaining: readonly (readonly [transactionId: string, entry: Entry])[],
    existing: ExistingUnit | undefined,
  ): void {
    const { revision, transactions } = waiting;
    const staged = this.#staged.get(name);
    const before = staged ?? existing;
    if (remaining.length === 0) {
      if (!staged && (hasStates(waiting) || existing))
        this.#markImported(name, Math.max(revision, before?.revision ?? revision), transactions);
      if (staged || existing?.revision !== revision) return;
    } else if (before && before.revision > revision) {
      this.#skip(
        remaining.map(([, entry]) => entry),
        this.#source,
      );
      return;
    } else if (staged && staged.revision < revision) {
      for (const [, { at }] of remaining)
        this.#dependencies.output.reject(
          at,
          'is a later state of a transaction much earlier in the document: import it in a separate document',
        );
      return;
    }
    // A document has each transaction once. A unit without revisions may come in several pieces.
    for (const [transactionId, entry] of remaining) {
      const number = this.#staged.nextRow(name, revision);
      this.#stage({ unit: name, revision, transactionId, number }, entry);
    }
    if (!hasStates(waiting) || staged || existing?.revision !== revision) return;
    // Transactions of an earlier document stay with their unit.
    for (const row of existing.rows)
      if (row.transaction_id !== '' && !transactions.has(row.transaction_id as string))
        this.#restage(name, this.#staged.nextRow(name, revision), row);
  }

  /** The entries of a unit that no other source has imported. The others are skipped. */
  #withoutImported(
    { transactions }: WaitingUnit,
    sourceOf: (transactionId: string, entry: Entry) => string | undefined,
  ): (readonly [transactionId: string, entry: Entry])[] {
    const remaining: (readonly [string, Entry])[] = [];
    for (const [transactionId, entries] of transactions) {
      for (const entry of entries) {
        const source = sourceOf(transactionId, entry);
        if (source === undefined) remaining.push([transactionId, entry]);
        else this.#skip([entry], source);
      }
    }
    return remaining;
  }

  #stage(key: EventKey, entry: Entry): void {
    this.#put(key, entry, entry.columns);
    this.rowsAccepted++;
    this.#summary.add(entry);
  }

  /**
   * Stages empty rows for a unit that other sources have imported. They replace its earlier rows
   * and prevent an earlier revision from being imported again.
   */
  #markImported(
    name: string,
    revision: number,
    transactions: ReadonlyMap<string, readonly Entry[]>,
  ): void {
    for (const [transactionId, [first]] of transactions) {
      const number = this.#staged.nextRow(name, revision);
      this.#put({ unit: name, revision, transactionId, number }, first!, {
        ...first!.columns,
        ...emptied,
      });
    }
  }

  #put(key: EventKey, { postedAt, at }: Entry, columns: Entry['columns']): void {
    const { coverage, stager } = this.#dependencies.output;
    const day = Math.floor(postedAt / secondsPerDay);
    const row: Record<string, ColumnValue> = {
      ...columns,
      day,
      unit: `${this.#source}:${key.unit}`,
      number: key.number,
      source: this.#source,
      transaction_id: key.transactionId,
      revision: key.revision,
      posted_at: postedAt,
    };
    stager.put(table, at, columnsOf(row, eventColumns));
    coverage.addInstant(table, postedAt);
  }

  /** Empties the units with former names, whose entries now have other names. */
  async #emptyFormer(entries: readonly Entry[]): Promise<void> {
    const former = await this.#existing.units([...this.#formerNames], entries);
    this.#formerNames.clear();
    for (const [name, { rows }] of former)
      if (rows.some(({ code }) => code !== markerCode))
        this.#restage(name, 1, { ...rows[0]!, ...emptied });
  }

  /** Stages an existing row again. */
  #restage(unit: string, number: number, row: Row): void {
    const { coverage, stager } = this.#dependencies.output;
    const again = { ...row, unit: `${this.#source}:${unit}`, number };
    stager.put(table, 0, columnsOf(again, eventColumns));
    coverage.addInstant(table, row.posted_at as number);
  }

  #skip(entries: readonly Entry[], source: string): void {
    this.rowsAccepted += entries.length;
    this.#summary.skip(entries, source);
  }
}

function columnsOf(row: Row, columns: readonly string[]): ColumnValue[] {
  return columns.map((column) => row[column] as ColumnValue);
}
