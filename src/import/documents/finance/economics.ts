/**
 * The Data Kiosk's economics: sales, fees, advertising and costs by product and period, one JSON
 * object per line. Schema: selling-partner-api-models,
 * schemas/data-kiosk/analytics_economics_2024_03_15.graphql.
 */

import { dayNumber, endOfDay, isoDate, startOfDay } from '../../../calendar/period.ts';
import type { DateRange } from '../../../engine/warehouse.ts';
import { amountText, CellError } from '../../cells/fields.ts';
import { dayAt, listIn, part, textAt } from '../../cells/json.ts';
import { moneyIn, unitsIn } from '../../cells/money.ts';
import { TextNumbers } from '../../cells/textNumbers.ts';
import { instantOfDay, plainName } from '../../ledger/content.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Posting } from '../../ledger/posting.ts';
import { outsideReason } from '../../rows.ts';
import type { ImportSession } from '../../session.ts';
import { type InferredProduct, inferProducts } from '../inferred.ts';
import type { DocumentKind } from '../kind.ts';
import { oneMarketplace } from '../marketplaces.ts';
import { type Period, periodOf } from '../reports.ts';

const moneyNames = { amount: 'amount', currency: 'currencyCode' };
/** Fees of products that the marketplace ships. */
const fulfilmentFee = /^fbafulfil/i;
/** Costs per unit, by their path of names. */
const costPaths: readonly (readonly string[])[] = [
  ['costOfGoodsSold'],
  ['miscellaneousCost'],
  ['fbaCost', 'shippingToAmazonCost'],
  ['mfnCost', 'fulfillmentCost'],
  ['mfnCost', 'storageCost'],
];

/**
 * An amount of a row. It counts `times`; costs are positive in the document, so their `times` is
 * negative.
 */
type Entry = {
  readonly component: string;
  readonly code: string;
  readonly money: unknown;
  readonly times: number;
  readonly quantity?: number;
};

/** Data Kiosk economics. */
export const economics: DocumentKind = {
  name: 'economics',
  about: 'Data Kiosk economics by day and MSKU (JSONL)',
  tables: ['finance_event', 'products'],
  ofChannel: true,
  marks: [[['startDate'], ['msku'], ['netProceeds', 'fees', 'ads']]],
  recognises: (value) =>
    dayAt(value, 'startDate') !== undefined &&
    (part(value, 'netProceeds') !== undefined ||
      ['fees', 'ads'].some((name) => listIn(value, name))),
  read(session) {
    const ledger = session.ledger('economics');
    const isOfChannel = oneMarketplace(session);
    const lineOfKey = new TextNumbers();
    const products = new Map<string, InferredProduct>();
    let span: DateRange | undefined;
    return {
      value(row, line) {
        const period = isOfChannel(row, line) && periodOf(row, line, session);
        if (!period) return;
        const key = keyOf(row, period);
        const before = lineOfKey.get(key);
        if (before !== undefined) {
          session.reject(line, `repeats the key of line ${before}`);
          return;
        }
        lineOfKey.set(key, line);
        const net = moneyIn(part(row, 'netProceeds', 'total'), moneyNames, session.currency);
        if (net !== undefined && !(net instanceof CellError))
          ledger.documentTotal(net.currency, amountText(net.millionths));
        if (!takeRow(row, line, period, key, ledger, session)) return;
        noteProduct(row, products);
        span = {
          first: Math.min(period.first, span?.first ?? period.first),
          last: Math.max(period.last, span?.last ?? period.last),
        };
      },
      async end() {
        const from = span && startOfDay(session.timezone, span.first);
        const to = span && endOfDay(session.timezone, span.last);
        await ledger.close([
          { ...(from !== undefined && { from }), ...(to !== undefined && { to }) },
        ]);
        await inferProducts(session, products, ['productId', 'parentProductId']);
      },
    };
  },
};

/** Notes the product of a row. Its child ASIN identifies it if it has no other id. */
function noteProduct(row: unknown, products: Map<string, InferredProduct>): void {
  const [sku, productId, parentProductId] = ['msku', 'childAsin', 'parentAsin'].map((name) =>
    textAt(row, name),
  ) as [string, string, string];
  if (sku === '' || productId === '') return;
  // A product that the seller shipped once may be shipped by others today.
  const isTheirs = networkOf(row) === 'AFN' && { fulfilledByMarketplace: true };
  products.set(sku, { product: { sku, productId, parentProductId, ...isTheirs }, line: 0 });
}

function keyOf(row: unknown, { first, last }: Period): string {
  const ids = ['msku', 'childAsin', 'fnsku'].map((name) => textAt(row, name));
  return [isoDate(first), isoDate(last), ...ids].map(plainName).join(':');
}

/** Books the amounts of a row. Returns false if the row is rejected. */
function takeRow(
  row: unknown,
  line: number,
  { first, last }: Period,
  key: string,
  ledger: Ledger,
  session: ImportSession,
): boolean {
  const { dateRange, reject } = session;
  const sku = textAt(row, 'msku');
  if (sku === '') {
    reject(line, 'has no SKU: request the document with aggregateBy productId: MSKU');
    return false;
  }
  if (dateRange && (first < dateRange.first || last > dateRange.last)) {
    reject(line, outsideReason);
    return false;
  }
  const date = session.postingDate(line, first, last);
  if (date === undefined) return false;
  const shared = {
    postedAt: instantOfDay(session.timezone, dayNumber(date)),
    type: 'economics',
    sku,
    fulfillment: networkOf(row),
    isMultiDay: first !== last,
  };
  const postings: Posting[] = [];
  for (const { component, code, money, times, quantity = 0 } of entriesOf(row)) {
    const read = moneyIn(money, moneyNames, session.currency);
    if (read instanceof CellError) {
      reject(line, `${component} ${code}: the amount ${read.reason}`.slice(0, 200));
      return false;
    }
    if (read === undefined || (read.millionths === 0n && quantity === 0)) continue;
    const { currency, millionths } = read;
    const amount = amountText(millionths * BigInt(times));
    postings.push({ ...shared, component, code, currency, amount, quantity });
  }
  const isPosted = ledger.postAll({ name: key }, postings, line);
  if (isPosted) ledger.noteDays(first, last);
  return isPosted;
}

/**
 * Every amount of a row. Costs are per unit; the marketplace deducts them for units sold minus
 * units returned.
 */
function entriesOf(row: unknown): readonly Entry[] {
  const [sold, returned] = ['unitsOrdered', 'unitsRefunded'].map((name) =>
    unitsIn(part(row, 'sales', name)),
  ) as [number, number];
  const sales = (code: string, times: number, quantity: number): Entry => ({
    component: 'sales',
    code,
    money: part(row, 'sales', code),
    times,
    quantity,
  });
  return [
    sales('orderedProductSales', 1, sold),
    sales('refundedProductSales', -1, returned),
    ...(listIn(row, 'fees') ?? []).flatMap((fee) => {
      const code = textAt(fee, 'feeTypeName');
      const charges = listIn(fee, 'charges') ?? [part(fee, 'charge')];
      return charges.map(
        (charge): Entry => ({
          component: 'fees',
          code,
          money: part(charge, 'aggregatedDetail', 'totalAmount'),
          times: -1,
        }),
      );
    }),
    ...(listIn(row, 'ads') ?? []).map(
      (ad): Entry => ({
        component: 'ads',
        code: textAt(ad, 'adTypeName'),
        money: part(ad, 'charge', 'totalAmount'),
        times: -1,
      }),
    ),
    ...costPaths.map(
      (path): Entry => ({
        component: 'cost',
        code: path.at(-1)!,
        money: part(row, 'cost', ...path),
        times: returned - sold,
      }),
    ),
  ];
}

/** Who ships the product, if the row shows it. */
function networkOf(row: unknown): 'AFN' | 'MFN' | '' {
  if (part(row, 'cost', 'mfnCost') != null) return 'MFN';
  const isFulfilled = (listIn(row, 'fees') ?? []).some((fee) =>
    fulfilmentFee.test(textAt(fee, 'feeTypeName')),
  );
  return isFulfilled || part(row, 'cost', 'fbaCost') != null ? 'AFN' : '';
}
