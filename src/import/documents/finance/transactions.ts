/**
 * Bodies of the Finances API 2024-06-19: listTransactions, as one JSON document, or one body or
 * transaction per line. Model: selling-partner-api-models,
 * models/finances-api-model/finances_2024-06-19.json.
 */

import { amountText, CellError, instant } from '../../cells/fields.ts';
import { listIn, part, payloadPath, textAt } from '../../cells/json.ts';
import { type Money, moneyIn, unitsIn } from '../../cells/money.ts';
import { TextNumbers } from '../../cells/textNumbers.ts';
import { nameOf, Occurrences, plainName } from '../../ledger/content.ts';
import type { Posting, Unit } from '../../ledger/posting.ts';
import type { DocumentKind } from '../kind.ts';
import { oneMarketplace } from '../marketplaces.ts';

const moneyNames = { amount: 'currencyAmount', currency: 'currencyCode' };
/**
 * How final a status is. A deferred sale first comes as DEFERRED, then as DEFERRED_RELEASED with
 * the same id and date, and again as RELEASED with the date of its release. The first date counts.
 * Other items of its shipment may still be deferred.
 */
const revisions: Readonly<Record<string, number>> = { DEFERRED_RELEASED: 3, DEFERRED: 3 };
const otherRevision = 1;
/** Breakdowns that only group others. */
const grouping = /^(refund ?)?(sales|expenses)$/i;
/** The breakdown whose first amount carries the units of the item. */
const principal = 'ProductCharges';
const depthMax = 20;

/** An amount without parts. */
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
  recognises: (value) => transactionPaths(value) !== undefined || isTransaction(value),
  rowPaths: transactionPaths,
  read(session) {
    const ledger = session.ledger('transactions');
    const isOfChannel = oneMarketplace(session);
    const occurrences = new Occurrences();
    const lineOfState = new TextNumbers();
    const lineOfTransaction = new TextNumbers();

    function take(transaction: unknown, line: number): void {
      const marketplaceId =
        part(transaction, 'marketplaceDetails', 'marketplaceId') ??
        part(transaction, 'sellingPartnerMetadata', 'marketplaceId');
      if (!isOfChannel({ marketplaceId }, line)) return;
      const total = moneyIn(part(transaction, 'totalAmount'), moneyNames, session.currency);
      if (total === undefined || total instanceof CellError) {
        session.reject(
          line,
          total === undefined ? 'totalAmount is required' : `totalAmount ${total.reason}`,
        );
        return;
      }
      const { name, transactionId, revision: stated } = unitOf(transaction, occurrences);
      const state = `${textAt(transaction, 'transactionStatus').toUpperCase()} ${transactionId}`;
      const before = lineOfState.get(state);
      if (before !== undefined) {
        session.reject(line, `repeats the transaction of line ${before}`);
        return;
      }
      lineOfState.set(state, line);
      const isRepeated = lineOfTransaction.get(`${stated} ${transactionId}`) !== undefined;
      // Another state of a transaction in the same document adds nothing.
      const revision = isRepeated ? stated - 1 : stated;
      lineOfTransaction.set(`${stated} ${transactionId}`, line);
      ledger.documentTotal(total.currency, amountText(total.millionths));
      const postedAt = session.notation.read(instant, part(transaction, 'postedDate'));
      if (postedAt instanceof CellError) {
        session.reject(line, `postedDate ${postedAt.reason}`);
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
      ledger.postAll({ name, transactionId, revision }, postings, line);
    }

    return {
      value: take,
      end: () => ledger.close(),
    };
  },
};

function transactionPaths(value: unknown): readonly (readonly string[])[] | undefined {
  const path = [...payloadPath(value), 'transactions'];
  return Array.isArray(part(value, ...path)) ? [path] : undefined;
}

function isTransaction(value: unknown): boolean {
  return (
    ['transactionType', 'postedDate'].every((name) => typeof part(value, name) === 'string') &&
    typeof part(value, 'totalAmount') === 'object'
  );
}

/** A related identifier of a transaction; "" if none has that name. */
function relatedTo(transaction: unknown, name: string): string {
  const found = (listIn(transaction, 'relatedIdentifiers') ?? []).find(
    (one) => textAt(one, 'relatedIdentifierName') === name,
  );
  return textAt(found, 'relatedIdentifierValue');
}

/** The unit that all states of a transaction share, with the revision of this state. */
function unitOf(
  transaction: unknown,
  occurrences: Occurrences,
): Required<Omit<Unit, 'formerName'>> {
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
    revision: revisions[textAt(transaction, 'transactionStatus').toUpperCase()] ?? otherRevision,
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
  const counted = lines.filter(
    ({ millionths, quantity = 0 }) => millionths !== 0n || quantity !== 0,
  );
  // A transaction of 0 still replaces its earlier state.
  return counted.length > 0 ? counted : lines.slice(0, 1);
}

/** The amounts of a transaction whose items do not add up to it. */
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
  const known = ofItems.length > 0 ? ofItems : leaves;
  // Without a breakdown, only the description says what it is.
  const code = known.length > 0 ? '' : textAt(transaction, 'description');
  return [...known, { component: '', code, millionths: total.millionths - sum(known) }];
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

/** The amounts of a product. The first amount of its price carries the units. */
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

/** The innermost amounts of a breakdown, or the breakdown itself if they do not add up to it. */
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
    leavesOf(one, parent === '' && grouping.test(name) ? '' : name, currency, depth + 1),
  );
  return total === undefined || sum(leaves) === own.millionths ? leaves : [own];
}

/** Whether the parts are the base and tax of a fee, which count as one amount. */
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
