/**
 * The Data Kiosk's economics: sales, fees, advertising and costs per product and period (a JSON object a line). Schema:
 * selling-partner-api-models, schemas/data-kiosk/analytics_economics_2024_03_15.graphql.
 */
import { dayNumber, endOfDay, isoDate, startOfDay } from '../../../calendar/period.ts';
import type { DateRange } from '../../../engine/warehouse.ts';
import { amountText, CellError } from '../../cells/fields.ts';
import { moneyIn, textAt, unitsIn } from '../../cells/money.ts';
import { instantOfDay, plainName } from '../../ledger/content.ts';
import type { Posting } from '../../ledger/ledger.ts';
import { outsideReason } from '../../rows.ts';
import { type DocumentKind, dayAt, listIn, oneMarketplace, part } from '../kind.ts';

const moneyNames = { amount: 'amount', currency: 'currencyCode' };
const ofFulfilment = /^fbafulfil/i;
const costNames: readonly (readonly string[])[] = [
  ['costOfGoodsSold'],
  ['miscellaneousCost'],
  ['fbaCost', 'shippingToAmazonCost'],
  ['mfnCost', 'fulfillmentCost'],
  ['mfnCost', 'storageCost'],
];

/** An amount of a row; `times` is what it counts, negative for costs, which are told positive. */
type Told = {
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
  tables: ['finance_event'],
  ofChannel: true,
  recognises: (value) =>
    dayAt(value, 'startDate') !== undefined &&
    (part(value, 'netProceeds') !== undefined ||
      ['fees', 'ads'].some((name) => listIn(value, name))),
  read(desk) {
    const book = desk.finance('economics');
    const isOfChannel = oneMarketplace(desk);
    const seen = new Map<string, number>();
    let span: DateRange | undefined;
    return {
      value(row, line) {
        if (!isOfChannel(row, line)) return;
        const first = dayAt(row, 'startDate');
        const last = dayAt(row, 'endDate') ?? first;
        if (first === undefined || last === undefined || last < first) {
          desk.reject(line, 'startDate and endDate must be dates (YYYY-MM-DD) in order');
          return;
        }
        const sku = textAt(row, 'msku');
        const key = [
          isoDate(first),
          isoDate(last),
          sku,
          textAt(row, 'childAsin'),
          textAt(row, 'fnsku'),
        ]
          .map(plainName)
          .join(':');
        const before = seen.get(key);
        if (before !== undefined) {
          desk.reject(line, `repeats the key of line ${before}`);
          return;
        }
        seen.set(key, line);
        const net = moneyIn(part(row, 'netProceeds', 'total'), moneyNames, desk.currency);
        if (net !== undefined && !(net instanceof CellError))
          book.documentTotal(net.currency, amountText(net.millionths));
        if (sku === '') {
          desk.reject(line, 'names no SKU: ask for the document with aggregateBy productId: MSKU');
          return;
        }
        const { cover } = desk;
        if (cover && (first < cover.first || last > cover.last)) {
          desk.reject(line, outsideReason);
          return;
        }
        const date = desk.bookOn(line, first, last);
        if (date === undefined) return;
        const shared = {
          postedAt: instantOfDay(desk.timezone, dayNumber(date)),
          type: 'economics',
          sku,
          fulfillment: networkOf(row),
          isCoarse: first !== last,
        };
        const postings: Posting[] = [];
        for (const { component, code, money, times, quantity = 0 } of toldBy(row)) {
          const read = moneyIn(money, moneyNames, desk.currency);
          if (read instanceof CellError) {
            desk.reject(line, `${component} ${code}: the amount ${read.reason}`.slice(0, 200));
            return;
          }
          if (read === undefined || (read.millionths === 0n && quantity === 0)) continue;
          postings.push({
            ...shared,
            component,
            code,
            currency: read.currency,
            amount: amountText(read.millionths * BigInt(times)),
            quantity,
          });
        }
        if (!book.postAll({ name: key }, postings, line)) return;
        span = {
          first: Math.min(first, span?.first ?? first),
          last: Math.max(last, span?.last ?? last),
        };
      },
      async end() {
        const from = span && startOfDay(desk.timezone, span.first);
        const to = span && endOfDay(desk.timezone, span.last);
        await book.close({ ...(from !== undefined && { from }), ...(to !== undefined && { to }) });
      },
    };
  },
};

/** Every amount of a row. Costs are of one unit, and the marketplace takes them off for the units sold less those returned. */
function toldBy(row: unknown): readonly Told[] {
  const [sold, returned] = ['unitsOrdered', 'unitsRefunded'].map((name) =>
    unitsIn(part(row, 'sales', name)),
  ) as [number, number];
  const sales = (code: string, times: number, quantity: number): Told => ({
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
        (charge): Told => ({
          component: 'fees',
          code,
          money: part(charge, 'aggregatedDetail', 'totalAmount'),
          times: -1,
        }),
      );
    }),
    ...(listIn(row, 'ads') ?? []).map(
      (ad): Told => ({
        component: 'ads',
        code: textAt(ad, 'adTypeName'),
        money: part(ad, 'charge', 'totalAmount'),
        times: -1,
      }),
    ),
    ...costNames.map(
      (path): Told => ({
        component: 'cost',
        code: path.at(-1)!,
        money: part(row, 'cost', ...path),
        times: returned - sold,
      }),
    ),
  ];
}

/** Who shipped the product, where the row tells. */
function networkOf(row: unknown): 'AFN' | 'MFN' | '' {
  if (part(row, 'cost', 'mfnCost') != null) return 'MFN';
  const isFulfilled = (listIn(row, 'fees') ?? []).some((fee) =>
    ofFulfilment.test(textAt(fee, 'feeTypeName')),
  );
  return isFulfilled || part(row, 'cost', 'fbaCost') != null ? 'AFN' : '';
}
