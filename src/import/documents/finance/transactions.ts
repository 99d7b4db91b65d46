/**
 * Bodies of the Finances API 2024-06-19: listTransactions, one body a document, or one body or transaction a line. Model:
 * selling-partner-api-models, models/finances-api-model/finances_2024-06-19.json.
 */
import { amountText, CellError, instant } from '../../cells/fields.ts';
import { type Money, moneyIn, textAt, unitsIn } from '../../cells/money.ts';
import { nameOf, Occurrences, plainName } from '../../ledger/content.ts';
import type { Posting, Unit } from '../../ledger/ledger.ts';
import { type DocumentKind, listIn, oneMarketplace, part } from '../kind.ts';

const moneyNames = { amount: 'currencyAmount', currency: 'currencyCode' };
/**
 * How final a status is. A sale that was deferred comes as DEFERRED, later DEFERRED_RELEASED of the same date, and once more as RELEASED of
 * the date of its release; the first date counts.
 */
const standings: Readonly<Record<string, number>> = { DEFERRED_RELEASED: 3, DEFERRED: 2 };
const otherStanding = 1;
/** Breakdowns of a transaction that only sort others. */
const sorting = /^(refund ?)?(sales|expenses)$/i;
/** The breakdown that the units of an item are told with. */
const principal = 'ProductCharges';
const depthMax = 20;

/** An amount of a transaction that has no parts. */
type Leaf = { readonly component: string; readonly code: string; readonly millionths: bigint };
/** An item of a transaction. */
type Item = {
  readonly sku: string;
  readonly quantity: number;
  readonly fulfillment: 'AFN' | 'MFN' | '';
  readonly total: bigint | undefined;
  readonly leaves: readonly Leaf[];
};
type Line = Leaf & Partial<Pick<Item, 'sku' | 'quantity' | 'fulfillment'>>;

/** Finances API 2024-06-19. */
export const transactions: DocumentKind = {
  name: 'transactions',
  about:
    'Finances API 2024-06-19 transactions (listTransactions; JSON, or one body or transaction a line)',
  tables: ['finance_event'],
  ofChannel: true,
  recognises: (value) => transactionsIn(value) !== undefined || isTransaction(value),
  rowsOf: transactionsIn,
  read(desk) {
    const book = desk.finance('transactions');
    const isOfChannel = oneMarketplace(desk);
    const occurrences = new Occurrences();
    const seen = new Map<string, number>();

    function take(transaction: unknown, line: number): void {
      const marketplaceId =
        part(transaction, 'marketplaceDetails', 'marketplaceId') ??
        part(transaction, 'sellingPartnerMetadata', 'marketplaceId');
      if (!isOfChannel({ marketplaceId }, line)) return;
      const total = moneyIn(part(transaction, 'totalAmount'), moneyNames, desk.currency);
      if (total === undefined || total instanceof CellError) {
        desk.reject(
          line,
          total === undefined ? 'totalAmount is required' : `totalAmount ${total.reason}`,
        );
        return;
      }
      const { name, transactionId, standing } = unitOf(transaction, occurrences);
      const before = seen.get(`${standing} ${transactionId}`);
      if (before !== undefined) {
        desk.reject(line, `repeats the transaction of line ${before}`);
        return;
      }
      seen.set(`${standing} ${transactionId}`, line);
      book.documentTotal(total.currency, amountText(total.millionths));
      const postedAt = instant.read(part(transaction, 'postedDate'));
      if (postedAt instanceof CellError) {
        desk.reject(line, `postedDate ${postedAt.reason}`);
        return;
      }
      const shared = {
        postedAt,
        currency: total.currency,
        type: textAt(transaction, 'transactionType'),
        orderId: relatedTo(transaction, 'ORDER_ID'),
      };
      const postings = linesOf(transaction, total).map(
        ({ millionths, ...rest }): Posting => ({
          ...shared,
          ...rest,
          amount: amountText(millionths),
        }),
      );
      book.postAll({ name, transactionId, standing }, postings, line);
    }

    return {
      value(value, line) {
        for (const transaction of transactionsIn(value) ?? [value]) take(transaction, line);
      },
      end: () => book.close(),
    };
  },
};

function transactionsIn(value: unknown): readonly unknown[] | undefined {
  return listIn(part(value, 'payload') ?? value, 'transactions');
}

function isTransaction(value: unknown): boolean {
  return (
    ['transactionType', 'postedDate'].every((name) => typeof part(value, name) === 'string') &&
    typeof part(value, 'totalAmount') === 'object'
  );
}

/** The identifier of that name which a transaction is related to, "" where there is none. */
function relatedTo(transaction: unknown, name: string): string {
  const found = (listIn(transaction, 'relatedIdentifiers') ?? []).find(
    (one) => textAt(one, 'relatedIdentifierName') === name,
  );
  return textAt(found, 'relatedIdentifierValue');
}

/** What the states of one transaction have in common, and which of them it is. */
function unitOf(transaction: unknown, occurrences: Occurrences): Required<Unit> {
  const transactionId = textAt(transaction, 'transactionId');
  const id =
    transactionId === '' ? occurrences.next(nameOf(transaction)) : plainName(transactionId);
  const whole = relatedTo(transaction, 'REFUND_ID') || relatedTo(transaction, 'SHIPMENT_ID');
  const deferred = relatedTo(transaction, 'DEFERRED_TRANSACTION_ID');
  let name = deferred === '' ? id : plainName(deferred);
  if (whole !== '') name = plainName(`${textAt(transaction, 'transactionType')}:${whole}`);
  return {
    name,
    transactionId: id,
    standing: standings[textAt(transaction, 'transactionStatus').toUpperCase()] ?? otherStanding,
  };
}

/** The amounts of a transaction, which add up to its total. */
function linesOf(transaction: unknown, total: Money): readonly Line[] {
  const items = (listIn(transaction, 'items') ?? []).map((item) => itemOf(item, total.currency));
  const ofItems = items.flatMap(({ leaves, sku, quantity, fulfillment }) =>
    withUnits(leaves, sku, quantity, fulfillment),
  );
  const lines =
    total.millionths === sum(ofItems) && ofItems.length > 0
      ? ofItems
      : ofWhole(transaction, total, items, ofItems);
  const told = lines.filter(({ millionths, quantity = 0 }) => millionths !== 0n || quantity !== 0);
  // What comes to nothing is told all the same: it may replace what was told before.
  return told.length > 0 ? told : lines.slice(0, 1);
}

/** The amounts where the breakdowns of the items do not tell them all. */
function ofWhole(
  transaction: unknown,
  total: Money,
  items: readonly Item[],
  ofItems: readonly Line[],
): readonly Line[] {
  const leaves = leavesIn(transaction, total.currency);
  const [only] = leaves;
  if (only !== undefined && sum(leaves) === total.millionths) {
    const totals = items.map((item) => ({
      ...only,
      sku: item.sku,
      fulfillment: item.fulfillment,
      millionths: item.total ?? 0n,
    }));
    if (leaves.length === 1 && sum(totals) === total.millionths && totals.length > 0) return totals;
    const [first] = items;
    if (first === undefined || items.some(({ sku }) => sku !== first.sku)) return leaves;
    const quantity = items.reduce((units, item) => units + item.quantity, 0);
    return withUnits(leaves, first.sku, quantity, first.fulfillment);
  }
  const told = ofItems.length > 0 ? ofItems : leaves;
  return [...told, { component: '', code: '', millionths: total.millionths - sum(told) }];
}

function itemOf(item: unknown, currency: string): Item {
  const product = (listIn(item, 'contexts') ?? []).find((context) => textAt(context, 'sku') !== '');
  const network = textAt(product, 'fulfillmentNetwork');
  const total = moneyIn(part(item, 'totalAmount'), moneyNames, currency);
  return {
    sku: textAt(product, 'sku'),
    quantity: unitsIn(part(product, 'quantityShipped')),
    fulfillment: network === 'AFN' || network === 'MFN' ? network : '',
    total: isOf(total, currency) ? total.millionths : undefined,
    leaves: leavesIn(item, currency),
  };
}

/** The amounts of a product; its units stand with the first one of its price. */
function withUnits(
  leaves: readonly Leaf[],
  sku: string,
  quantity: number,
  fulfillment: Item['fulfillment'],
): readonly Line[] {
  const price = leaves.find(({ component }) => component === principal);
  return leaves.map((leaf) => ({
    ...leaf,
    sku,
    fulfillment,
    quantity: leaf === price ? quantity : 0,
  }));
}

function leavesIn(whole: unknown, currency: string): readonly Leaf[] {
  return (listIn(whole, 'breakdowns') ?? []).flatMap((breakdown) =>
    leavesOf(breakdown, '', currency, 0),
  );
}

/** The parts of a breakdown that have none themselves; the breakdown itself where its parts do not add up to it. */
function leavesOf(
  breakdown: unknown,
  parent: string,
  currency: string,
  depth: number,
): readonly Leaf[] {
  const name = textAt(breakdown, 'breakdownType');
  const parts = listIn(breakdown, 'breakdowns') ?? [];
  const total = moneyIn(part(breakdown, 'breakdownAmount'), moneyNames, currency);
  const own: Leaf = {
    component: parent || name,
    code: name,
    millionths: isOf(total, currency) ? total.millionths : 0n,
  };
  if (parts.length === 0 || isFee(parts, parent) || depth > depthMax) return [own];
  const leaves = parts.flatMap((one) =>
    leavesOf(one, parent === '' && sorting.test(name) ? '' : name, currency, depth + 1),
  );
  return total === undefined || sum(leaves) === own.millionths ? leaves : [own];
}

/** Whether the parts are the base and the tax of a fee, which is told as one. */
function isFee(parts: readonly unknown[], parent: string): boolean {
  const names = parts.map((one) => textAt(one, 'breakdownType'));
  return names.includes('Base') || (parent !== '' && names.every((name) => name === 'Tax'));
}

function isOf(money: ReturnType<typeof moneyIn>, currency: string): money is Money {
  return money !== undefined && !(money instanceof CellError) && money.currency === currency;
}

function sum(leaves: readonly Leaf[]): bigint {
  return leaves.reduce((total, { millionths }) => total + millionths, 0n);
}
