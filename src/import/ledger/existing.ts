/** Finds events that another source has imported, and existing units. */
import type { FinanceSource } from '../../contract/importable.ts';
import type { DateRange, Row } from '../../engine/warehouse.ts';
import type { Entry } from './posting.ts';

/** The questions of the ledger about existing events. */
export type LedgerLookup =
  | 'claimsOn'
  | 'eventsOfOrders'
  | 'eventsOfUnits'
  | 'eventsElsewhere'
  | 'storesOfOrders';

/** Looks up rows with these keys, on these UTC days. */
export type AskExisting = (
  lookup: LedgerLookup,
  keys: readonly string[],
  days: DateRange,
) => Promise<readonly Row[]>;

/** An existing unit with its rows. */
export type ExistingUnit = { readonly revision: number; readonly rows: readonly Row[] };

/**
 * The sources that a source supersedes at the instants that it claims. Returned units are
 * superseded only by a source that also reports them.
 */
export const precedence: Readonly<Record<FinanceSource, readonly FinanceSource[]>> = {
  settlement: ['transactions', 'financialEvents', 'economics', 'reimbursements'],
  transactions: ['financialEvents', 'economics', 'reimbursements'],
  financialEvents: ['economics', 'reimbursements'],
  economics: [],
  reimbursements: [],
  returns: [],
};

/** The code of the empty rows that mark units imported by another source. */
export const markerCode = 'imported by another source';

const secondsPerDay = 86_400;
/** The number of keys to look up at a time. */
const keysMax = 2000;
/** The maximum number of days between the states of one unit, and from an order to its events. */
const unitDaysMax = 400;
/** The source of entries that another store of the merchant has booked. */
export const otherStore = 'another store';

/** Looks up existing events for a document of one source. */
export class ExistingEvents {
  readonly #source: FinanceSource;
  readonly #ask: AskExisting;
  #claims:
    | readonly { readonly source: string; readonly from: number; readonly to: number }[]
    | undefined;

  constructor(source: FinanceSource, ask: AskExisting) {
    this.#source = source;
    this.#ask = ask;
  }

  /**
   * Finds the source with precedence that has imported an entry: by its claim on the instant, or by
   * an event of the same order and instant.
   */
  async sourceFinder(entries: readonly Entry[]): Promise<(entry: Entry) => string | undefined> {
    this.#claims ??= (await this.#ask('claimsOn', [this.#source], { first: 0, last: 0 })).map(
      (row) => ({
        source: row.source as string,
        from: row.from_at as number,
        to: row.to_at as number,
      }),
    );
    const claims = this.#claims;
    if (claims.length === 0) return () => undefined;
    const claimants = new Set(claims.map((claim) => claim.source));
    const sources = new Map<string, string>();
    const orderIds = new Set(entries.map(({ columns }) => columns.order_id).filter(Boolean));
    for await (const row of this.#rows('eventsOfOrders', [...orderIds], daysOf(entries))) {
      if (claimants.has(row.source as string))
        sources.set(`${row.posted_at} ${row.order_id}`, row.source as string);
    }
    return ({ postedAt, columns }) =>
      claims.find(({ from, to }) => postedAt >= from && postedAt <= to)?.source ??
      sources.get(`${postedAt} ${columns.order_id}`);
  }

  /**
   * Finds the entries of a merchant's reimbursements that another of its stores has booked or, by
   * their order, owns. The report lists the entries of all stores.
   */
  async elsewhereFinder(
    names: readonly string[],
    entries: readonly Entry[],
  ): Promise<(name: string, transactionId: string, entry: Entry) => boolean> {
    if (this.#source !== 'reimbursements' || entries.length === 0) return () => false;
    const { first, last } = daysOf(entries);
    const days = { first: first - unitDaysMax, last: last + unitDaysMax };
    const units = names.map((name) => `${this.#source}:${name}`);
    const booked = new Set<string>();
    for await (const row of this.#rows('eventsElsewhere', units, days))
      booked.add(`${row.unit} ${row.transaction_id}`);
    const orderIds = new Set(entries.map(({ columns }) => columns.order_id).filter(Boolean));
    const sold = new Map<string, boolean>();
    for await (const row of this.#rows('storesOfOrders', [...orderIds], days))
      sold.set(row.order_id as string, sold.get(row.order_id as string) || row.own === 1);
    return (name, transactionId, { columns }) =>
      sold.get(columns.order_id) === false ||
      booked.has(`${this.#source}:${name} ${transactionId}`);
  }

  /** The existing units with these names. `entries` are the first ones of their transactions. */
  async units(
    names: readonly string[],
    entries: readonly Entry[],
  ): Promise<ReadonlyMap<string, ExistingUnit>> {
    const units = new Map<string, { revision: number; rows: Row[] }>();
    const prefix = `${this.#source}:`;
    const { first, last } = daysOf(entries);
    const days = { first: first - unitDaysMax, last: last + unitDaysMax };
    const keys = names.map((name) => prefix + name);
    for await (const row of this.#rows('eventsOfUnits', keys, days)) {
      const name = (row.unit as string).slice(prefix.length);
      const unit = units.get(name);
      if (unit) unit.rows.push(row);
      else units.set(name, { revision: this.#revisionOf(row), rows: [row] });
    }
    return units;
  }

  /** In earlier versions, deferred transactions had a lower revision than released ones. */
  #revisionOf({ revision }: Row): number {
    return this.#source === 'transactions' && revision === 2 ? 3 : (revision as number);
  }

  /** The rows of this source's other units that claim the same instants, by name. */
  async unitsClaiming({
    name,
    from,
    to,
  }: {
    readonly name: string;
    readonly from: number;
    readonly to: number;
  }): Promise<readonly (readonly [name: string, rows: readonly Row[]])[]> {
    const [superseded = ''] = precedence[this.#source];
    const prefix = `${this.#source}:`;
    const claims = await this.#ask('claimsOn', [superseded], { first: 0, last: 0 });
    const units = claims.filter(
      (row) => row.from_at === from && row.to_at === to && row.unit !== prefix + name,
    );
    const keys = units.map((row) => row.unit as string).filter((unit) => unit.startsWith(prefix));
    const [first, last] = [from, to].map((at) => Math.floor(at / secondsPerDay)) as [
      number,
      number,
    ];
    const days = { first: first - unitDaysMax, last: last + unitDaysMax };
    const found = new Map<string, Row[]>();
    for await (const row of this.#rows('eventsOfUnits', keys, days)) {
      const own = (row.unit as string).slice(prefix.length);
      if (!found.has(own)) found.set(own, []);
      found.get(own)!.push(row);
    }
    return [...found];
  }

  async *#rows(
    lookup: LedgerLookup,
    keys: readonly string[],
    days: DateRange,
  ): AsyncGenerator<Row> {
    for (let start = 0; start < keys.length; start += keysMax)
      yield* await this.#ask(lookup, keys.slice(start, start + keysMax), days);
  }
}

function daysOf(entries: readonly Entry[]): DateRange {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const { postedAt } of entries) {
    const day = Math.floor(postedAt / secondsPerDay);
    first = Math.min(first, day);
    last = Math.max(last, day);
  }
  return { first, last };
}
