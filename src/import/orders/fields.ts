/** The fields of an order and of its items, and how a row of `orders` is checked. */
import {
  amount,
  CellError,
  type ColumnValue,
  count,
  currency,
  type FieldType,
  instant,
  isRounded,
  millionthsOf,
  text,
} from '../cells/fields.ts';
import type { Notation } from '../cells/notation.ts';
import { orderStatus } from '../datasets/orders.ts';
import { type Item, type StatedTax, statedFields } from './lines.ts';
import type { Prices } from './prices.ts';

const short = text(400);
const yesOrNo: FieldType<boolean> = {
  words: 'true or false',
  missing: false,
  read: (cell) =>
    typeof cell === 'boolean'
      ? cell
      : cell === 'true' || cell === 'false'
        ? cell === 'true'
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
    HasAutomatedShippingSettings: yesOrNo,
    AutomatedShipMethodName: short,
    AutomatedCarrierName: short,
  },
  NumberOfItemsShipped: count(),
  NumberOfItemsUnshipped: count(),
  IsPremiumOrder: yesOrNo,
  IsPrime: yesOrNo,
  HasRegulatedItems: yesOrNo,
  IsReplacementOrder: yesOrNo,
  IsSoldByAB: yesOrNo,
  IsISPU: yesOrNo,
  IsAccessPointOrder: yesOrNo,
  IsBusinessOrder: yesOrNo,
  IsGlobalExpressEnabled: yesOrNo,
  DefaultShipFromLocationAddress: address,
  ShippingAddress: address,
  OrderTotal: { Amount: amount, CurrencyCode: currency },
};

/** The fields of an item, with the columns of its line. */
const itemColumns = {
  line_id: ['OrderItemId', text(200, 1)],
  sku: ['SellerSKU', text(200)],
  product_id: ['ASIN', text(200)],
  quantity: ['QuantityOrdered', count()],
  item_price: ['ItemPrice', amount],
  item_tax: ['ItemTax', amount],
  shipping_price: ['ShippingPrice', amount],
  promotion_discount: ['PromotionDiscount', amount],
} as const satisfies Record<string, readonly [string, FieldType<ColumnValue>]>;

/** All fields of an item, in the order in which they are documented. */
const itemFields: Record<string, OrderFieldType> = {
  OrderItemId: itemColumns.line_id[1],
  SellerSKU: itemColumns.sku[1],
  ASIN: itemColumns.product_id[1],
  Title: text(2000),
  QuantityOrdered: itemColumns.quantity[1],
  ItemPrice: amount,
  ItemTax: amount,
  ShippingPrice: amount,
  PromotionDiscount: amount,
  Canceled: yesOrNo,
};

const columnOf = new Map<string, string>(
  Object.entries(itemColumns).map(([column, [name]]) => [name, column]),
);
const itemFieldList = Object.entries(itemFields).map(([name, type]) => ({
  name,
  type,
  column: columnOf.get(name),
}));

const requiredFields: ReadonlySet<string> = new Set([
  'PlatformOrderId',
  'PurchaseDate',
  'Items[].OrderItemId',
]);

/** The fields of the dataset `orders` with their paths; fields of an item are under `Items[]`. */
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

/** The contract declares this flag as text. */
const textFlag = 'AutomatedShippingSettings.HasAutomatedShippingSettings';

/** The fields of an order that become its own columns, as read. */
export type OrderColumns = {
  readonly PlatformOrderId?: string;
  readonly PurchaseDate?: number;
  readonly LastUpdateDate?: number;
  readonly OrderStatus?: string;
  readonly BuyerEmail?: string;
};

const columnFields: ReadonlySet<string> = new Set([
  'PlatformOrderId',
  'PurchaseDate',
  'LastUpdateDate',
  'OrderStatus',
  'BuyerInfo',
  'BuyerInfo.BuyerEmail',
]);

/** How to check an order, and the columns that were found. */
type Check = {
  readonly lenient: boolean;
  readonly notation: Notation;
  readonly problems: string[];
  readonly columns: Record<string, ColumnValue | boolean>;
};

/**
 * Checks the fields of an order except its items, and returns the present ones: its columns, and
 * the others in the types of the contract. Appends to `problems`. A `lenient` check ignores unknown
 * fields.
 */
export function checkOrder(
  order: object,
  lenient: boolean,
  notation: Notation,
  problems: string[],
): { readonly columns: OrderColumns; readonly record: Readonly<Record<string, unknown>> } {
  const fields = 'PlatformOrderId' in order ? shapeFields : shapeFieldsWithAlias;
  const columns: Check['columns'] = {};
  const record = checked(order, fields, '', { lenient, notation, problems, columns });
  for (const name of ['PlatformOrderId', 'PurchaseDate'])
    if (columns[name] === undefined) problems.push(`${name} is required`);
  return { columns, record };
}

/** A field of an object: its name, its path, and its type or the fields in it. */
type ShapeField = {
  readonly name: string;
  readonly at: string;
  readonly isColumn: boolean;
  readonly type?: OrderFieldType;
  readonly inner?: ReadonlyMap<string, ShapeField>;
};

/** The fields by name. Fields with neither a type nor inner fields are not part of the record. */
const shapeFields: ReadonlyMap<string, ShapeField> = new Map<string, ShapeField>([
  ...fieldMapOf(orderShape, ''),
  ...['Items', 'OrderId'].map((name) => [name, { name, at: name, isColumn: false }] as const),
]);
const shapeFieldsWithAlias = new Map([
  ...shapeFields,
  ['OrderId', shapeFields.get('PlatformOrderId')!],
]);

function fieldMapOf(shape: Shape, path: string): ReadonlyMap<string, ShapeField> {
  return new Map(
    Object.entries(shape).map(([name, inner]) => {
      const at = `${path}${name}`;
      const field = { name, at, isColumn: columnFields.has(at) };
      return [
        name,
        typeof inner.read === 'function'
          ? { ...field, type: inner as OrderFieldType }
          : { ...field, inner: fieldMapOf(inner as Shape, `${at}.`) },
      ];
    }),
  );
}

function checked(
  row: object,
  fields: ReadonlyMap<string, ShapeField>,
  path: string,
  check: Check,
): Record<string, unknown> {
  const { lenient, notation, problems } = check;
  const record: Record<string, unknown> = {};
  for (const given in row) {
    const cell = (row as Record<string, unknown>)[given];
    const field = fields.get(given);
    if (field === undefined) {
      if (!lenient) problems.push(`${`${path}${given}`.slice(0, 60)} is not a field of orders`);
      continue;
    }
    if (isMissing(cell)) continue;
    const { name, at, isColumn, type, inner } = field;
    if (inner !== undefined) {
      if (typeof cell !== 'object' || Array.isArray(cell)) problems.push(`${at} must be an object`);
      else {
        const fieldsInside = checked(cell, inner, `${at}.`, check);
        if (!isColumn) record[name] = fieldsInside;
      }
    } else if (type !== undefined) {
      const plain = notation.plain(type, cell);
      const read = plain instanceof CellError ? plain : type.read(plain);
      if (read instanceof CellError) problems.push(`${at} ${read.reason}`);
      else if (isColumn) check.columns[name] = read;
      else record[name] = contractValue(type, at, read, plain);
    }
  }
  return record;
}

/** A valid instant as the contract writes it: 2025-03-02T07:30:00Z. */
function utcText(cell: unknown, seconds: number): string {
  // Most are written like that, perhaps with a fraction. A leap second is not.
  if (typeof cell === 'string' && cell[10] === 'T' && cell[17] !== '6' && cell.endsWith('Z')) {
    if (cell.length === 20) return cell;
    if (cell[19] === '.') return `${cell.slice(0, 19)}Z`;
  }
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}

function contractValue(
  type: OrderFieldType,
  at: string,
  value: ColumnValue | boolean,
  cell: unknown,
): unknown {
  if (at === textFlag) return String(value);
  if (type === instant) return utcText(cell, value as number);
  return type === amount ? Number(value) : value;
}

/** How the items of an order are checked. */
export type ItemCheck = Pick<Check, 'notation' | 'problems'> & {
  readonly currency: string;
  /** Whether each item needs an OrderItemId. */
  readonly isNumbered: boolean;
  /** How a document states prices; undefined for rows that may lack them. */
  readonly prices: Prices | undefined;
};

/** Checks the items of an order. */
export function checkItems(items: readonly unknown[], check: ItemCheck): readonly Item[] {
  const all: Item[] = [];
  for (const [index, item] of items.entries()) {
    const at = `Items[${index}]`;
    if (typeof item !== 'object' || item === null || Array.isArray(item))
      check.problems.push(`${at} must be an object`);
    else all.push(checkItem(item, at, check));
  }
  return all;
}

function checkItem(item: object, at: string, check: ItemCheck): Item {
  const { notation, problems } = check;
  const columns: Record<string, ColumnValue> = { tax_basis: 'document' };
  let isCanceled = false;
  let itemCurrency: unknown;
  let rounded = 0;
  for (const { name, type, column } of itemFieldList) {
    let cell = (item as Record<string, unknown>)[name];
    if (typeof cell === 'object' && cell !== null && 'Amount' in cell) {
      itemCurrency ??= (cell as { CurrencyCode?: unknown }).CurrencyCode;
      cell = cell.Amount;
    }
    let value: ColumnValue | boolean = type.missing;
    if (isMissing(cell)) {
      if (name === 'OrderItemId' && check.isNumbered)
        problems.push(`${at}.OrderItemId is required`);
    } else {
      const plain = notation.plain(type, cell);
      const read = plain instanceof CellError ? plain : type.read(plain);
      if (read instanceof CellError) problems.push(`${at}.${name} ${read.reason}`);
      else value = read;
      if (type === amount && !(read instanceof CellError) && isRounded(plain)) rounded++;
    }
    if (column !== undefined) columns[column] = value as ColumnValue;
    else if (name === 'Canceled') isCanceled = value as boolean;
  }
  const code = currency.read(itemCurrency ?? check.currency);
  if (code instanceof CellError) problems.push(`${at}.ItemPrice.CurrencyCode ${code.reason}`);
  else columns.currency = code;
  return {
    columns: columns as Item['columns'],
    isCanceled,
    hasPrice: check.prices === undefined || !isMissing(amountIn(item, 'ItemPrice')),
    ...(check.prices === 'stated' && { stated: statedOf(item, at, check) }),
    rounded,
  };
}

/** The tax of an item, as its document states it. */
function statedOf(item: object, at: string, { notation, problems }: ItemCheck): StatedTax {
  const amounts: Record<string, bigint> = {};
  for (const name of statedFields) {
    const cell = amountIn(item, name);
    if (isMissing(cell)) continue;
    const plain = notation.plain(amount, cell);
    const read = plain instanceof CellError ? plain : amount.read(plain);
    if (read instanceof CellError) problems.push(`${at}.${name} ${read.reason}`);
    else amounts[name] = millionthsOf(read);
  }
  return { hasTax: !isMissing(amountIn(item, 'ItemTax')), amounts };
}

/** The amount of a field, which may have its currency beside it. */
function amountIn(item: object, name: string): unknown {
  const cell = (item as Record<string, unknown>)[name];
  return typeof cell === 'object' && cell !== null && 'Amount' in cell ? cell.Amount : cell;
}

function isMissing(cell: unknown): cell is undefined | null | '' {
  return cell === undefined || cell === null || cell === '';
}
