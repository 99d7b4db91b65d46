/**
 * Orders with their items: the nested rows of the dataset `orders`, and documents, some of which bring orders and items apart, and some of
 * which do not number their items. An order becomes an order record and a line per item. An order without its items gives its new state to
 * the lines that are held, and items without their order take its state from the order. What is told of an order is compared with what is
 * known of it, many orders at a time.
 */
import { factTable } from '../../schema/warehouse/tables.ts';
import type { DateRange } from '../engine/warehouse.ts';
import {
  amount,
  CellError,
  type ColumnValue,
  count,
  currency,
  type FieldType,
  instant,
  text,
} from './cells/fields.ts';
import type { Circumstances } from './datasets/datasets.ts';
import { orderLineDestination, orderStatus } from './datasets/datasets.ts';
import { outsideReason, type Reject, type Spans } from './rows.ts';
import type { Stager } from './staging.ts';

/** The state of an order, which its lines repeat. */
export type OrderState = {
  /** Epoch seconds. */
  readonly purchasedAt: number;
  readonly updatedAt: number;
  readonly status: string;
  readonly customer: string;
};

/** What the warehouse already holds of some orders. */
export type HeldOrders = {
  /** The state of each order that is known, by order id. */
  readonly states: ReadonlyMap<string, OrderState>;
  /** The columns of each held line, by order id. */
  readonly lines: ReadonlyMap<string, readonly LineCells[]>;
  /** The fields of the record of each order, by order id, where they were asked for. */
  readonly records: ReadonlyMap<string, HeldRecord>;
};

/** An order record as it is held. */
export type HeldRecord = {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly sealedEmail: string;
};

/** Which orders are looked up, among those purchased on which UTC days, and whether with their records. */
export type HeldAsked = {
  readonly orderIds: readonly string[];
  readonly days: DateRange;
  readonly records: boolean;
};

/** The columns of an order line. */
export type LineCells = Readonly<Record<string, ColumnValue>>;

const short = text(400);
const yes: FieldType<boolean> = {
  words: 'true or false',
  missing: false,
  read: (value) =>
    typeof value === 'boolean'
      ? value
      : value === 'true' || value === 'false'
        ? value === 'true'
        : new CellError('must be true or false'),
};
const address = { StateOrRegion: short, PostalCode: short, City: short, CountryCode: short };

type OrderFieldType = FieldType<ColumnValue | boolean>;
type Shape = { readonly [name: string]: OrderFieldType | Shape };

/** The fields of an order record (contract 2.6), each with its type. */
const orderShape: Shape = {
  SellerId: short,
  MarketplaceId: short,
  PlatformOrderId: text(200, 1),
  BuyerInfo: { BuyerEmail: text(320) },
  FulfillmentChannel: short,
  SalesChannel: short,
  OrderStatus: orderStatus,
  OrderType: short,
  ShipServiceLevel: short,
  ShipmentServiceLevelCategory: short,
  PaymentMethod: short,
  PaymentMethodDetails: text(2000),
  EarliestDeliveryDate: instant,
  EarliestShipDate: instant,
  LatestShipDate: instant,
  LatestDeliveryDate: instant,
  PurchaseDate: instant,
  LastUpdateDate: instant,
  AutomatedShippingSettings: {
    HasAutomatedShippingSettings: yes,
    AutomatedShipMethodName: short,
    AutomatedCarrierName: short,
  },
  NumberOfItemsShipped: count(),
  NumberOfItemsUnshipped: count(),
  IsPremiumOrder: yes,
  IsPrime: yes,
  HasRegulatedItems: yes,
  IsReplacementOrder: yes,
  IsSoldByAB: yes,
  IsISPU: yes,
  IsAccessPointOrder: yes,
  IsBusinessOrder: yes,
  IsGlobalExpressEnabled: yes,
  DefaultShipFromLocationAddress: address,
  ShippingAddress: address,
  OrderTotal: { Amount: amount, CurrencyCode: currency },
};

const itemFields: Record<string, OrderFieldType> = {
  OrderItemId: text(200, 1),
  SellerSKU: text(200),
  ASIN: text(200),
  Title: text(2000),
  QuantityOrdered: count(),
  ItemPrice: amount,
  ItemTax: amount,
  ShippingPrice: amount,
  PromotionDiscount: amount,
  Canceled: yes,
};

const requiredFields: ReadonlySet<string> = new Set([
  'PlatformOrderId',
  'PurchaseDate',
  'Items[].OrderItemId',
]);

/** The fields of the dataset `orders`: inner ones by the names that lead to them, those of an item under `Items[]`. */
export const orderFields = [...fieldsOf(orderShape, ''), ...fieldsOf(itemFields, 'Items[].')];

function fieldsOf(
  shape: Shape,
  path: string,
): { name: string; type: OrderFieldType; required: boolean }[] {
  return Object.entries(shape).flatMap(([field, inner]) => {
    const name = `${path}${field}`;
    if (typeof inner.read !== 'function') return fieldsOf(inner as Shape, `${name}.`);
    return [{ name, type: inner as OrderFieldType, required: requiredFields.has(name) }];
  });
}

const stringFlags = new Set(['AutomatedShippingSettings.HasAutomatedShippingSettings']);
const orderRecordColumns = Object.keys(factTable('order_record').columns);
const orderLineColumns = Object.keys(factTable(orderLineDestination.table).columns);
const statesKept = 100_000;
/** How many orders of a document are remembered with their lines, should they come again. */
const linedOrdersKept = 10_000;
/** How many orders are compared at a time with what is held of them. */
const comparedAtOnce = 2000;
/** Every day that an order may be of. */
const everyDay: DateRange = { first: 0, last: 100_000 };
/** The prefix of the ids made for lines that their source does not number. */
const madeId = 'sku:';
const canceled = 'Canceled';
const secondsPerDay = 86_400;

/** How the source tells orders. */
export type OrderSource = {
  /** True where fields that the order record does not have are passed over instead of refused. */
  readonly lenient: boolean;
  /**
   * True where the source does not number the items of an order, and tells only some of its fields. Items are then taken for the held lines
   * of their SKU, and what is not told stays as it is held.
   */
  readonly sparse?: boolean;
};

/** The cells of a line that its item tells. */
type ItemCells = LineCells & {
  readonly line_id: string;
  readonly sku: string;
  readonly isCanceled: number;
};

/** What a document has told of an order, until it is compared with what is known. */
type Telling = {
  readonly id: string;
  /** The lines of the document that tell it. */
  readonly lines: readonly number[];
  readonly sparse: boolean;
  /** Missing where its items came alone. */
  readonly order?: {
    readonly state: OrderState;
    readonly fields: Readonly<Record<string, unknown>>;
    readonly sealedEmail: string;
  };
  /** Missing where the order came without them. */
  readonly items?: readonly ItemCells[];
};

/** Stages orders and their items. */
export class OrderReader {
  readonly #circumstances: Circumstances;
  readonly #stager: Stager;
  readonly #reject: Reject;
  readonly #spans: Spans;
  readonly #cover: DateRange | undefined;
  readonly #held: (asked: HeldAsked) => Promise<HeldOrders>;
  /** The orders of this document, in the version of it that was updated last. */
  readonly #states = new Map<string, OrderState>();
  /** Their lines by their ids, as far as this document has brought them, and the orders whose lines were too many to remember. */
  readonly #lines = new Map<string, Map<string, LineCells>>();
  readonly #linesForgotten = new Set<string>();
  #waiting: Telling[] = [];
  /** Rows of the document whose orders or items were taken. */
  rowsAccepted = 0;

  constructor(
    circumstances: Circumstances,
    stager: Stager,
    reject: Reject,
    spans: Spans,
    cover: DateRange | undefined,
    held: (asked: HeldAsked) => Promise<HeldOrders>,
  ) {
    this.#circumstances = circumstances;
    this.#stager = stager;
    this.#reject = reject;
    this.#spans = spans;
    this.#cover = cover;
    this.#held = held;
  }

  /** Takes an order, with its items where it has them. `told` are the lines of the document that tell it. False where it was refused. */
  order(
    row: Readonly<Record<string, unknown>>,
    told: number | readonly number[],
    { lenient, sparse = false }: OrderSource,
  ): boolean {
    const lines = typeof told === 'number' ? [told] : told;
    const { Items: items, OrderId: alias, ...rest } = row;
    const order = alias === undefined ? rest : { PlatformOrderId: alias, ...rest };
    const problems: string[] = [];
    const record = checked(order, orderShape, '', problems, lenient);
    for (const name of ['PlatformOrderId', 'PurchaseDate'] as const)
      if (record[name] === undefined) problems.push(`${name} is required`);
    if (items !== undefined && !Array.isArray(items)) problems.push('Items must be a list');
    if (problems.length > 0) {
      this.#refuse(lines, [...new Set(problems)].join(', '));
      return false;
    }
    const id = record.PlatformOrderId as string;
    const { BuyerInfo: buyer, ...fields } = record;
    const email = (buyer as { BuyerEmail?: string } | undefined)?.BuyerEmail ?? '';
    const state: OrderState = {
      purchasedAt: secondsOf(record.PurchaseDate),
      updatedAt: record.LastUpdateDate === undefined ? 0 : secondsOf(record.LastUpdateDate),
      status: (record.OrderStatus as string | undefined) ?? 'Shipped',
      customer: this.#circumstances.hashCustomer(email),
    };
    const day = dayOf(state);
    if (this.#cover && (day < this.#cover.first || day > this.#cover.last)) {
      this.#refuse(lines, outsideReason);
      return false;
    }
    const orderCurrency = (record.OrderTotal as { CurrencyCode?: string } | undefined)
      ?.CurrencyCode;
    const cells = Array.isArray(items)
      ? this.#itemCells(items, orderCurrency, lines, sparse)
      : undefined;
    if (Array.isArray(items) && cells === undefined) return false;
    const sealedEmail = email === '' ? '' : this.#circumstances.seal(email);
    this.#waiting.push({
      id,
      lines,
      sparse,
      order: { state, fields, sealedEmail },
      ...(cells && { items: cells }),
    });
    return true;
  }

  /** Takes items of an order that came before, in this document or in an earlier import. */
  items(orderId: string, items: readonly unknown[], line: number): void {
    const cells = this.#itemCells(items, undefined, [line], false);
    if (cells) this.#waiting.push({ id: orderId, lines: [line], sparse: false, items: cells });
  }

  /** Stages what has come together where it is much. */
  async relieve(): Promise<void> {
    if (this.#waiting.length >= comparedAtOnce) await this.settle();
  }

  /** Stages all that has been taken. */
  async settle(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (let at = 0; at < waiting.length; at += comparedAtOnce) {
      const tellings = waiting.slice(at, at + comparedAtOnce);
      const held = await this.#held({
        orderIds: [...new Set(tellings.map(({ id }) => id))],
        days: daysOf(tellings),
        records: tellings.some(({ sparse }) => sparse),
      });
      for (const telling of tellings) this.#settleOne(telling, held);
    }
  }

  #settleOne(telling: Telling, held: HeldOrders): void {
    const { id, lines, order, items } = telling;
    const inDocument = this.#states.get(id);
    const before = later(held.states.get(id), inDocument);
    if (!order && !before) {
      this.#refuse(
        lines,
        `the order ${id.slice(0, 40)} of these items is not known: import the order first`,
      );
      return;
    }
    if (!items && this.#linesForgotten.has(id)) {
      this.#refuse(
        lines,
        'comes again, too long after its items: import it in a document of its own',
      );
      return;
    }
    const known = this.#knownLines(id, held);
    if (items) this.#stageItems(telling, items, known, order?.state ?? inDocument, before);
    else this.#stageState(telling, known, before);
    if (order) {
      this.#stageRecord(telling, order, before, held.records.get(id));
      this.#remember(id, later(inDocument, order.state)!);
    }
    this.rowsAccepted += lines.length;
  }

  /** Makes items the lines of the version that they are of: `own`, or where they came without any the one that is known. */
  #stageItems(
    { id, lines, sparse }: Telling,
    items: readonly ItemCells[],
    known: ReadonlyMap<string, LineCells>,
    own?: OrderState,
    before?: OrderState,
  ): void {
    const newest = later(before, own)!;
    const lineIds = sparse ? idsBySku(items, known) : idsByNumber(items, known);
    for (const [index, { isCanceled, ...cells }] of items.entries()) {
      const line_id = lineIds[index]!;
      const held = known.get(line_id);
      // A line that nobody has told yet is in the state that the order has by now, also where an older version of the order tells it.
      const state = held || this.#linesForgotten.has(id) ? (own ?? newest) : newest;
      this.#stageLine(id, lines[0]!, {
        ...cells,
        order_id: id,
        line_id,
        ...lineState(state),
        status: isCanceled ? canceled : state.status,
        customer: state.customer || held?.customer || before?.customer || '',
      });
    }
  }

  /** Gives an order that came without items to the lines that are known. A line that was canceled by itself stays so. */
  #stageState(
    { id, lines, order }: Telling,
    known: ReadonlyMap<string, LineCells>,
    before?: OrderState,
  ): void {
    const state = order!.state;
    for (const line of known.values()) {
      const customer = state.customer || line.customer!;
      const isCanceledAlone =
        line.status === canceled && before !== undefined && before.status !== canceled;
      this.#stageLine(id, lines[0]!, {
        ...line,
        ...lineState(state),
        ...(isCanceledAlone && { status: canceled }),
        customer,
      });
    }
  }

  #stageRecord(
    { id, lines, sparse }: Telling,
    order: NonNullable<Telling['order']>,
    before?: OrderState,
    held?: HeldRecord,
  ): void {
    const { state } = order;
    const day = dayOf(state);
    const fields = sparse ? { ...held?.fields, ...order.fields } : order.fields;
    const sealed = order.sealedEmail || (sparse && held?.sealedEmail) || '';
    const customer = state.customer || (sparse && before?.customer) || '';
    this.#spans.take('order_record', day);
    const columns: Record<string, ColumnValue> = {
      day,
      order_id: id,
      purchased_at: state.purchasedAt,
      updated_at: state.updatedAt,
      status: state.status,
      record: JSON.stringify(fields),
      sealed_email: sealed,
      customer,
      // The warehouse itself remembers them.
      versions: '',
    };
    this.#stager.put(
      'order_record',
      lines[0]!,
      orderRecordColumns.map((column) => columns[column]!),
    );
  }

  /** Each line that is held or that this document has brought, in the version that was updated last, in the order of their ids. */
  #knownLines(id: string, held: HeldOrders): ReadonlyMap<string, LineCells> {
    const known = new Map<string, LineCells>();
    for (const line of [...(held.lines.get(id) ?? []), ...(this.#lines.get(id)?.values() ?? [])]) {
      const lineId = line.line_id as string;
      if (isNoOlder(line, known.get(lineId))) known.set(lineId, line);
    }
    return new Map([...known].sort(([one], [other]) => (one < other ? -1 : 1)));
  }

  #remember(id: string, state: OrderState): void {
    this.#states.delete(id);
    this.#states.set(id, state);
    if (this.#states.size <= statesKept) return;
    const [oldest] = this.#states.keys();
    this.#states.delete(oldest!);
    this.#lines.delete(oldest!);
    this.#linesForgotten.delete(oldest!);
  }

  #stageLine(orderId: string, line: number, cells: LineCells): void {
    this.#stager.put(
      'order_line',
      line,
      orderLineColumns.map((column) => cells[column]!),
    );
    if (this.#linesForgotten.has(orderId)) return;
    const known = this.#lines.get(orderId) ?? new Map<string, LineCells>();
    const lineId = cells.line_id as string;
    if (isNoOlder(cells, known.get(lineId))) known.set(lineId, cells);
    this.#lines.set(orderId, known);
    if (this.#lines.size <= linedOrdersKept) return;
    const [oldest] = this.#lines.keys();
    this.#lines.delete(oldest!);
    this.#linesForgotten.add(oldest!);
  }

  /** The cells of items, undefined where one was refused and so all of them. */
  #itemCells(
    items: readonly unknown[],
    orderCurrency: string | undefined,
    lines: readonly number[],
    sparse: boolean,
  ): readonly ItemCells[] | undefined {
    const problems: string[] = [];
    const all: ItemCells[] = [];
    for (const [index, item] of items.entries()) {
      const at = `Items[${index}]`;
      if (typeof item !== 'object' || item === null || Array.isArray(item)) {
        problems.push(`${at} must be an object`);
        continue;
      }
      const cells: Record<string, ColumnValue> = {};
      let itemCurrency: unknown;
      for (const [name, type] of Object.entries(itemFields)) {
        let value = (item as Record<string, unknown>)[name];
        if (typeof value === 'object' && value !== null && 'Amount' in value) {
          itemCurrency ??= (value as { CurrencyCode?: unknown }).CurrencyCode;
          value = (value as { Amount: unknown }).Amount;
        }
        if (value === undefined || value === null || value === '') {
          if (name === 'OrderItemId' && !sparse) problems.push(`${at}.OrderItemId is required`);
          cells[name] = columnValue(type.missing);
          continue;
        }
        const read = type.read(value);
        if (read instanceof CellError) problems.push(`${at}.${name} ${read.reason}`);
        else cells[name] = columnValue(read);
      }
      const read = currency.read(itemCurrency ?? orderCurrency ?? this.#circumstances.currency);
      if (read instanceof CellError) problems.push(`${at}.ItemPrice.CurrencyCode ${read.reason}`);
      all.push({
        line_id: cells.OrderItemId as string,
        isCanceled: cells.Canceled as number,
        sku: cells.SellerSKU as string,
        product_id: cells.ASIN!,
        quantity: cells.QuantityOrdered!,
        item_price: cells.ItemPrice!,
        item_tax: cells.ItemTax!,
        promotion_discount: cells.PromotionDiscount!,
        shipping_price: cells.ShippingPrice!,
        currency: read as string,
      });
    }
    if (problems.length === 0) return all;
    this.#refuse(lines, problems.join(', '));
    return undefined;
  }

  #refuse(lines: readonly number[], reason: string): void {
    for (const line of lines) this.#reject(line, reason);
  }
}

/** The days that held orders may be of: those of the tellings and their neighbours, as sources differ in the hour, where none came in parts. */
function daysOf(tellings: readonly Telling[]): DateRange {
  let first = everyDay.last;
  let last = everyDay.first;
  for (const { order, items } of tellings) {
    if (!order || !items) return everyDay;
    const day = dayOf(order.state);
    first = Math.min(first, day - 1);
    last = Math.max(last, day + 1);
  }
  return { first: Math.max(first, everyDay.first), last };
}

/** The version that was updated later, of one instant the second. */
function later(one: OrderState | undefined, other: OrderState | undefined): OrderState | undefined {
  return one && other ? (one.updatedAt > other.updatedAt ? one : other) : (one ?? other);
}

function isNoOlder(line: LineCells, known: LineCells | undefined): boolean {
  return known === undefined || Number(line.updated_at) >= Number(known.updated_at);
}

/** The ids of numbered items: their own, unless another source has told the line before under an id that was made for it. */
function idsByNumber(
  items: readonly ItemCells[],
  known: ReadonlyMap<string, LineCells>,
): readonly string[] {
  const unknown = items.filter(({ line_id }) => !known.has(line_id));
  const found = matched(
    unknown,
    [...known.values()].filter(({ line_id }) => (line_id as string).startsWith(madeId)),
  );
  return items.map((item) => found.get(item) ?? item.line_id);
}

/** The ids of items that have no number: those of known lines of the same SKU, or else made of the SKU and how many of it came before. */
function idsBySku(
  items: readonly ItemCells[],
  known: ReadonlyMap<string, LineCells>,
): readonly string[] {
  const found = matched(items, [...known.values()]);
  const taken = new Set(known.keys());
  return items.map((item) => {
    let id = found.get(item);
    for (let number = 1; id === undefined; number++) {
      const made = `${madeId}${number}:${item.sku}`;
      if (!taken.has(made)) id = made;
    }
    taken.add(id);
    return id;
  });
}

/** Which known line each item is: one of its SKU, if there is one with its quantity also. */
function matched(
  items: readonly ItemCells[],
  known: readonly LineCells[],
): ReadonlyMap<ItemCells, string> {
  const found = new Map<ItemCells, string>();
  const left = new Set(known);
  for (const fits of [
    (item: ItemCells, line: LineCells) => line.quantity === item.quantity,
    () => true,
  ]) {
    for (const item of items) {
      if (found.has(item)) continue;
      for (const line of left) {
        if (line.sku !== item.sku || !fits(item, line)) continue;
        found.set(item, line.line_id as string);
        left.delete(line);
        break;
      }
    }
  }
  return found;
}

/** The UTC day of the purchase. */
function dayOf({ purchasedAt }: OrderState): number {
  return Math.floor(purchasedAt / secondsPerDay);
}

function lineState(state: OrderState): LineCells {
  return {
    day: dayOf(state),
    purchased_at: state.purchasedAt,
    updated_at: state.updatedAt,
    status: state.status,
  };
}

/** The fields of the shape with their values in the types of the contract, missing ones left out. */
function checked(
  row: object,
  shape: Shape,
  path: string,
  problems: string[],
  lenient: boolean,
): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(row)) {
    const type = Object.hasOwn(shape, name) ? shape[name] : undefined;
    const at = `${path}${name}`;
    if (type === undefined) {
      if (!lenient) problems.push(`${at.slice(0, 60)} is no field of orders`);
      continue;
    }
    if (value === undefined || value === null || value === '') continue;
    if (typeof type.read !== 'function') {
      if (typeof value !== 'object' || Array.isArray(value))
        problems.push(`${at} must be an object`);
      else record[name] = checked(value, type as Shape, `${at}.`, problems, lenient);
    } else {
      const read = (type as OrderFieldType).read(value);
      if (read instanceof CellError) problems.push(`${at} ${read.reason}`);
      else record[name] = contractValue(type as OrderFieldType, at, read);
    }
  }
  return record;
}

/** A value in the type that the contract gives the field. */
function contractValue(type: OrderFieldType, at: string, value: ColumnValue | boolean): unknown {
  if (stringFlags.has(at)) return String(value);
  if (type === instant) return new Date(Number(value) * 1000).toISOString().replace('.000Z', 'Z');
  return type === amount ? Number(value) : value;
}

function columnValue(value: ColumnValue | boolean): ColumnValue {
  return typeof value === 'boolean' ? Number(value) : value;
}

function secondsOf(isoText: unknown): number {
  return Date.parse(isoText as string) / 1000;
}
