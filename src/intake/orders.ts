/**
 * Orders with their items: the nested rows of the dataset `orders`, and the bodies of the marketplace's Orders API, which bring orders and
 * items apart. An order becomes an order record and a line per item. An order without its items gives its new state to the lines that are
 * held, and items without their order take its state from the order.
 */
import { factTable } from '../../schema/warehouse/tables.ts';
import { isoDate } from '../calendar/period.ts';
import type { Days } from '../engine/warehouse.ts';
import type { Circumstances } from './datasets.ts';
import { orderLineDestination, orderStatus } from './datasets.ts';
import { amount, cell, count, currency, instant, type Kind, Refusal, text } from './field.ts';
import { outsideReason, type Reject, type Spans } from './rows.ts';
import type { Stager } from './staging.ts';

/** The state of an order that its lines repeat, as staged text. */
export type OrderState = {
  readonly purchasedAt: string;
  readonly updatedAt: string;
  readonly status: string;
  readonly customer: string;
};

/** What the warehouse already holds of some orders. */
export type HeldOrders = {
  /** The state of each order that is known, by order id. */
  readonly states: ReadonlyMap<string, OrderState>;
  /** The cells of each held line, by order id, as staged text. */
  readonly lines: ReadonlyMap<string, readonly LineCells[]>;
};

/** The cells of an order line, by column, as staged text. */
export type LineCells = Readonly<Record<string, string>>;

const short = text(400);
const yes: Kind = {
  words: 'true or false',
  missing: 'false',
  read: (value) =>
    typeof value === 'boolean' ? String(value) : value === 'true' || value === 'false' ? value : new Refusal('must be true or false'),
};
const address = { StateOrRegion: short, PostalCode: short, City: short, CountryCode: short };

type Shape = { readonly [name: string]: Kind | Shape };

/** The fields of an order record (contract 2.6), each with its kind. */
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
  AutomatedShippingSettings: { HasAutomatedShippingSettings: yes, AutomatedShipMethodName: short, AutomatedCarrierName: short },
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

const itemFields: Record<string, Kind> = {
  OrderItemId: text(200, 1),
  SellerSKU: text(200),
  ASIN: text(200),
  Title: text(2000),
  QuantityOrdered: count(),
  ItemPrice: amount,
  ItemTax: amount,
  ShippingPrice: amount,
  PromotionDiscount: amount,
};

const requiredFields: ReadonlySet<string> = new Set(['PlatformOrderId', 'PurchaseDate', 'Items[].OrderItemId']);

/** The fields of the dataset `orders`: inner ones by the names that lead to them, those of an item under `Items[]`. */
export const orderFields = [...fieldsOf(orderShape, ''), ...fieldsOf(itemFields, 'Items[].')];

function fieldsOf(shape: Shape, path: string): { name: string; kind: Kind; required: boolean }[] {
  return Object.entries(shape).flatMap(([field, inner]) => {
    const name = `${path}${field}`;
    if (typeof inner.read !== 'function') return fieldsOf(inner as Shape, `${name}.`);
    return [{ name, kind: inner as Kind, required: requiredFields.has(name) }];
  });
}

const stringFlags = new Set(['AutomatedShippingSettings.HasAutomatedShippingSettings']);
const orderLineColumns = Object.keys(factTable(orderLineDestination.table).columns);
const statesKept = 100_000;
/** How many orders of a document are remembered with their lines, should they come again without them. */
const linedOrdersKept = 10_000;
const waitingMax = 500;
const secondsPerDay = 86_400;

/** How the source names things. */
export type OrderSource = {
  /** True where fields that the order record does not have are passed over instead of refused. */
  readonly lenient: boolean;
};

/** Stages orders and their items. */
export class OrderReader {
  readonly #circumstances: Circumstances;
  readonly #stager: Stager;
  readonly #reject: Reject;
  readonly #spans: Spans;
  readonly #cover: Days | undefined;
  readonly #held: (orderIds: readonly string[]) => Promise<HeldOrders>;
  /** The orders of this document, so that their items need not ask the warehouse. */
  readonly #states = new Map<string, OrderState>();
  /** Their lines, as far as this document has brought them, and the orders whose lines were too many to remember. */
  readonly #lines = new Map<string, LineCells[]>();
  readonly #linesForgotten = new Set<string>();
  /** Orders that came without items, until their held lines are asked for. */
  #waiting: { readonly id: string; readonly state: OrderState; readonly line: number }[] = [];
  rowsAccepted = 0;

  constructor(
    circumstances: Circumstances,
    stager: Stager,
    reject: Reject,
    spans: Spans,
    cover: Days | undefined,
    held: (orderIds: readonly string[]) => Promise<HeldOrders>,
  ) {
    this.#circumstances = circumstances;
    this.#stager = stager;
    this.#reject = reject;
    this.#spans = spans;
    this.#cover = cover;
    this.#held = held;
  }

  /** Takes an order, with its items where it has them. */
  async order(row: Readonly<Record<string, unknown>>, line: number, { lenient }: OrderSource): Promise<void> {
    const { Items: items, OrderId: alias, ...rest } = row;
    const order = alias === undefined ? rest : { PlatformOrderId: alias, ...rest };
    const problems: string[] = [];
    const record = checked(order, orderShape, '', problems, lenient);
    for (const name of ['PlatformOrderId', 'PurchaseDate'] as const) if (record[name] === undefined) problems.push(`${name} is required`);
    if (items !== undefined && !Array.isArray(items)) problems.push('Items must be a list');
    if (problems.length > 0) {
      this.#reject(line, [...new Set(problems)].join(', '));
      return;
    }
    const id = record.PlatformOrderId as string;
    const email = (record.BuyerInfo as { BuyerEmail?: string } | undefined)?.BuyerEmail ?? '';
    delete record.BuyerInfo;
    const state: OrderState = {
      purchasedAt: secondsOf(record.PurchaseDate),
      updatedAt: record.LastUpdateDate === undefined ? '0' : secondsOf(record.LastUpdateDate),
      status: cell((record.OrderStatus as string | undefined) ?? 'Shipped'),
      customer: email.trim() === '' ? '""' : cell(this.#circumstances.hashCustomer(cell(email))),
    };
    const day = Math.floor(Number(state.purchasedAt) / secondsPerDay);
    if (this.#cover && (day < this.#cover.first || day > this.#cover.last)) {
      this.#reject(line, outsideReason);
      return;
    }
    if (!Array.isArray(items) && this.#linesForgotten.has(id)) {
      this.#reject(line, 'comes again, too long after its items: import it in a document of its own');
      return;
    }
    await this.#settleOf(id);
    const orderCurrency = (record.OrderTotal as { CurrencyCode?: string } | undefined)?.CurrencyCode;
    if (Array.isArray(items) && !this.#items(id, state, items, orderCurrency, line)) return;
    this.#remember(id, state);
    this.#spans.take('order_record', day);
    const sealed = email === '' ? '""' : cell(this.#circumstances.seal(email));
    this.#stager.put(
      'order_record',
      line,
      [isoDate(day), cell(id), state.purchasedAt, state.updatedAt, state.status, cell(JSON.stringify(record)), sealed, state.customer].join(
        ',',
      ),
    );
    this.rowsAccepted++;
    if (!Array.isArray(items)) {
      this.#waiting.push({ id, state, line });
      if (this.#waiting.length >= waitingMax) await this.settle();
    }
  }

  /** Takes items of an order that came before, in this document or in an earlier import. */
  async items(orderId: string, items: readonly unknown[], line: number): Promise<void> {
    await this.#settleOf(orderId);
    const state = this.#states.get(orderId) ?? (await this.#held([orderId])).states.get(orderId);
    if (!state) {
      this.#reject(line, `the order ${orderId.slice(0, 40)} of these items is not known: import the order first`);
      return;
    }
    if (this.#items(orderId, state, items, undefined, line)) this.rowsAccepted++;
  }

  /** Gives the orders that came without items to the lines that are held, and to those that this document has brought. */
  async settle(): Promise<void> {
    const waiting = this.#waiting.splice(0);
    if (waiting.length === 0) return;
    const held = await this.#held(waiting.map(({ id }) => id));
    for (const { id, state, line } of waiting) {
      for (const known of [...(held.lines.get(id) ?? []), ...(this.#lines.get(id) ?? [])]) {
        const customer = state.customer === '""' ? known.customer! : state.customer;
        this.#line({ ...known, ...lineState(state), customer }, line);
      }
    }
  }

  /** Lets no version of an order overtake one that waits. */
  async #settleOf(orderId: string): Promise<void> {
    if (this.#waiting.some(({ id }) => id === orderId)) await this.settle();
  }

  /** Of two versions of an order the one that was updated later tells the state of items that are still to come. */
  #remember(id: string, state: OrderState): void {
    const known = this.#states.get(id);
    this.#states.delete(id);
    this.#states.set(id, known && Number(known.updatedAt) > Number(state.updatedAt) ? known : state);
    if (this.#states.size <= statesKept) return;
    const [oldest] = this.#states.keys();
    this.#states.delete(oldest!);
    this.#lines.delete(oldest!);
    this.#linesForgotten.delete(oldest!);
  }

  #rememberLines(orderId: string, lines: readonly LineCells[]): void {
    if (lines.length === 0 || this.#linesForgotten.has(orderId)) return;
    this.#lines.set(orderId, [...(this.#lines.get(orderId) ?? []), ...lines]);
    if (this.#lines.size <= linedOrdersKept) return;
    const [oldest] = this.#lines.keys();
    this.#lines.delete(oldest!);
    this.#linesForgotten.add(oldest!);
  }

  #items(orderId: string, state: OrderState, items: readonly unknown[], orderCurrency: string | undefined, line: number): boolean {
    const problems: string[] = [];
    const lines: Record<string, string>[] = [];
    items.forEach((item, index) => {
      const at = `Items[${index}]`;
      if (typeof item !== 'object' || item === null || Array.isArray(item)) {
        problems.push(`${at} must be an object`);
        return;
      }
      const cells: Record<string, string> = {};
      let itemCurrency: unknown;
      for (const [name, kind] of Object.entries(itemFields)) {
        let value = (item as Record<string, unknown>)[name];
        if (typeof value === 'object' && value !== null && 'Amount' in value) {
          itemCurrency ??= (value as { CurrencyCode?: unknown }).CurrencyCode;
          value = (value as { Amount: unknown }).Amount;
        }
        if (value === undefined || value === null || value === '') {
          if (name === 'OrderItemId') problems.push(`${at}.OrderItemId is required`);
          cells[name] = kind.missing;
          continue;
        }
        const read = kind.read(value);
        if (typeof read === 'string') cells[name] = read;
        else problems.push(`${at}.${name} ${read.reason}`);
      }
      const read = currency.read(itemCurrency ?? orderCurrency ?? this.#circumstances.currency);
      if (typeof read !== 'string') problems.push(`${at}.ItemPrice.CurrencyCode ${read.reason}`);
      lines.push({
        order_id: cell(orderId),
        line_id: cells.OrderItemId!,
        ...lineState(state),
        customer: state.customer,
        sku: cells.SellerSKU!,
        product_id: cells.ASIN!,
        quantity: cells.QuantityOrdered!,
        item_price: cells.ItemPrice!,
        item_tax: cells.ItemTax!,
        promotion_discount: cells.PromotionDiscount!,
        shipping_price: cells.ShippingPrice!,
        currency: read as string,
      });
    });
    if (problems.length > 0) {
      this.#reject(line, problems.join(', '));
      return false;
    }
    for (const cells of lines) this.#line(cells, line);
    this.#rememberLines(orderId, lines);
    return true;
  }

  #line(cells: Readonly<Record<string, string>>, line: number): void {
    this.#stager.put('order_line', line, orderLineColumns.map((column) => cells[column]).join(','));
  }
}

function lineState(state: OrderState): Record<string, string> {
  return {
    day: isoDate(Math.floor(Number(state.purchasedAt) / secondsPerDay)),
    purchased_at: state.purchasedAt,
    updated_at: state.updatedAt,
    status: state.status,
  };
}

/** The fields of the shape with their values in the types of the contract, missing ones left out. */
function checked(row: object, shape: Shape, path: string, problems: string[], lenient: boolean): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(row)) {
    const kind = Object.hasOwn(shape, name) ? shape[name] : undefined;
    const at = `${path}${name}`;
    if (kind === undefined) {
      if (!lenient) problems.push(`${at.slice(0, 60)} is no field of orders`);
      continue;
    }
    if (value === undefined || value === null || value === '') continue;
    if (typeof kind.read !== 'function') {
      if (typeof value !== 'object' || Array.isArray(value)) problems.push(`${at} must be an object`);
      else record[name] = checked(value, kind as Shape, `${at}.`, problems, lenient);
    } else {
      const read = (kind as Kind).read(value);
      if (typeof read === 'string') record[name] = contractValue(kind as Kind, at, read);
      else problems.push(`${at} ${read.reason}`);
    }
  }
  return record;
}

/** A staged text in the type that the contract gives the field. */
function contractValue(kind: Kind, at: string, staged: string): unknown {
  if (kind === yes) return stringFlags.has(at) ? staged : staged === 'true';
  if (kind === instant) return new Date(Number(staged) * 1000).toISOString().replace('.000Z', 'Z');
  if (staged.startsWith('"')) return staged.slice(1, -1).replaceAll('""', '"');
  return Number(staged);
}

function secondsOf(isoText: unknown): string {
  return String(Date.parse(isoText as string) / 1000);
}
