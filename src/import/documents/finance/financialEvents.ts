/**
 * Bodies of the Finances API v0: listFinancialEvents, by group, by order or by dates, as one JSON
 * document or one body per line. Model: selling-partner-api-models,
 * models/finances-api-model/financesV0.json.
 */
import { type DayNumber, dayNumber, localDay } from '../../../calendar/period.ts';
import { amountText, CellError, instant } from '../../cells/fields.ts';
import { asObject, listIn, part, payloadPath, textAt } from '../../cells/json.ts';
import { type Money, moneyIn } from '../../cells/money.ts';
import { instantOfDay, nameOf, Occurrences, plainName } from '../../ledger/content.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Posting, Unit } from '../../ledger/posting.ts';
import type { ImportSession } from '../../session.ts';
import type { DocumentKind } from '../kind.ts';
import { marketplaceOf, oneMarketplace } from '../marketplaces.ts';
import { entriesOf, moneyNames } from './eventAmounts.ts';

const listSuffix = 'EventList';
/** The number of characters of a document's name that a reason may repeat. */
const nameMax = 60;
const dateNames = ['PostedDate', 'postedDate', 'TransactionPostedDate', 'TransactionCreationDate'];
const orderNames = ['AmazonOrderId', 'OrderId', 'TDSOrderId', 'SellerOrderId'];

type UndatedPosting = Omit<Posting, 'postedAt'>;
/** Lists of the same sales: when a sale is shipped, and again when it is settled. */
const salesRevisions: Readonly<Record<string, number>> = { Shipment: 2, ShipmentSettle: 1 };

type UndatedEvent = {
  readonly name: string;
  readonly postings: readonly UndatedPosting[];
  readonly line: number;
};

/** Finances API v0. */
export const financialEvents: DocumentKind = {
  name: 'financialEvents',
  about:
    'Finances API v0 events (listFinancialEvents, …ByGroupId, …ByOrderId; JSON, or one body a line)',
  tables: ['finance_event'],
  ofChannel: true,
  recognises: (value) => eventPaths(value) !== undefined,
  rowPaths: eventPaths,
  read: (session) => {
    const reader = new EventReader(session);
    return {
      value: (event, line, list = '') => reader.take(list, event, line),
      end: () => reader.end(),
    };
  },
};

class EventReader {
  readonly #session: ImportSession;
  readonly #ledger: Ledger;
  readonly #isOfChannel: ReturnType<typeof oneMarketplace>;
  readonly #occurrences = new Occurrences();
  readonly #undated: UndatedEvent[] = [];
  #days: { readonly first: DayNumber; readonly last: DayNumber } | undefined;

  constructor(session: ImportSession) {
    this.#session = session;
    this.#ledger = session.ledger('financialEvents');
    this.#isOfChannel = oneMarketplace(session);
  }

  take(list: string, event: unknown, line: number): void {
    const { reject, timezone } = this.#session;
    const type = list.slice(0, -listSuffix.length);
    if (!Object.hasOwn(entriesOf, type)) {
      reject(line, `${list.slice(0, nameMax)} is not a known list of events`);
      return;
    }
    const marketplaceId = marketplaceOf(textAt(event, 'MarketplaceName'));
    if (!this.#isOfChannel({ marketplaceId }, line)) return;
    const name = this.#occurrences.next(`${type}:${nameOf(event)}`);
    const postings = this.#postingsOf(type, event);
    if (typeof postings === 'string') {
      reject(line, postings);
      return;
    }
    const date = dateNames.map((one) => part(event, one)).find((one) => one);
    if (date === undefined) {
      if (postings.length > 0) this.#undated.push({ name, postings, line });
      return;
    }
    const postedAt = this.#session.notation.read(instant, date);
    if (postedAt instanceof CellError) {
      reject(line, `${type}: PostedDate ${postedAt.reason}`);
      return;
    }
    const day = localDay(timezone, postedAt);
    const { first, last } = this.#days ?? { first: day, last: day };
    this.#days = { first: Math.min(day, first), last: Math.max(day, last) };
    this.#ledger.postAll(
      this.#unitOf(type, event, name, postings),
      postings.map((posting) => ({ ...posting, postedAt })),
      line,
    );
  }

  /**
   * The unit of an event. With delayed settlement, a sale is listed when it is shipped and again
   * when it is settled: events of the same order, items and amounts are one sale, and its shipment
   * counts.
   */
  #unitOf(type: string, event: unknown, name: string, postings: readonly UndatedPosting[]): Unit {
    const revision = salesRevisions[type];
    if (revision === undefined) return { name };
    const sale = nameOf([
      ...postings.slice(0, 1).map(({ orderId }) => orderId),
      ...(listIn(event, 'ShipmentItemList') ?? [])
        .map((item) => textAt(item, 'OrderItemId'))
        .sort(),
      ...postings
        .map(({ component, code, sku, amount }) => [component, code, sku, amount].join())
        .sort(),
    ]);
    const date = textAt(event, 'PostedDate');
    const transactionId = this.#occurrences.next(plainName(`${date} ${sale}`));
    return { name: `Sale:${sale}`, transactionId, revision, formerName: name };
  }

  async end(): Promise<void> {
    // Service fees, debts and loans have no date: they are booked on the days of the document.
    const days = this.#session.dateRange ?? this.#days;
    for (const event of this.#undated) {
      // The day of other events says nothing about the month of a fee.
      if (days === undefined || (this.#session.dateRange === undefined && days.first === days.last))
        this.#session.rejectUndated(event.line);
      else if (this.#postUndated(event, days)) await this.#session.flush();
    }
    await this.#ledger.close();
  }

  #postUndated(
    { name, postings, line }: UndatedEvent,
    { first, last }: { readonly first: DayNumber; readonly last: DayNumber },
  ): boolean {
    const date = this.#session.postingDate(line, first, last);
    if (date === undefined) return false;
    const postedAt = instantOfDay(this.#session.timezone, dayNumber(date));
    const isMultiDay = first !== last;
    // Without its date, a fee would have the same name as the next month's fee.
    this.#ledger.postAll(
      { name: `${name}@${date}` },
      postings.map((posting) => ({ ...posting, postedAt, isMultiDay })),
      line,
    );
    return true;
  }

  /** The amounts of an event, or the reason to reject it. */
  #postingsOf(type: string, event: unknown): readonly UndatedPosting[] | string {
    const orderId = orderNames.map((name) => textAt(event, name)).find((id) => id !== '') ?? '';
    const postings: UndatedPosting[] = [];
    for (const { money, sign, ...names } of entriesOf[type]!(event)) {
      const read = moneyIn(money, moneyNames, this.#session.currency);
      if (read instanceof CellError)
        return `${type} ${names.component} ${names.code}: the amount ${read.reason}`;
      if (read !== undefined && (read.millionths !== 0n || names.quantity))
        postings.push({ ...names, type, orderId, ...signed(read, sign) });
    }
    return postings;
  }
}

function eventPaths(value: unknown): readonly (readonly string[])[] | undefined {
  const ofBody = payloadPath(value);
  const body = part(value, ...ofBody);
  const found = part(body, 'FinancialEvents') ?? undefined;
  const events = asObject(found ?? body);
  if (events === undefined) return undefined;
  const lists = Object.keys(events).filter((name) => name.endsWith(listSuffix));
  if (lists.length === 0 && found === undefined) return undefined;
  const path = found === undefined ? ofBody : [...ofBody, 'FinancialEvents'];
  return lists.filter((name) => listIn(events, name)).map((name) => [...path, name]);
}

function signed(
  { currency, millionths }: Money,
  sign: 1 | -1 | undefined,
): Pick<Posting, 'currency' | 'amount'> {
  const size = millionths < 0n ? -millionths : millionths;
  return { currency, amount: amountText(sign === undefined ? millionths : size * BigInt(sign)) };
}
