/** The customers of products, how many of them are new, and how many ordered again. */

import type { Channel } from '../../../../access/channels.ts';
import { questionFile } from '../../../../engine/question.ts';
import type { Ask } from '../../../../engine/warehouse.ts';
import { currencyPlaces } from '../../../../report/money.ts';
import { readCatalogue } from '../../../../report/productSales/questions.ts';
import type { TypedColumn } from '../../../../report/typedColumns.ts';
import type { Compared } from '../../../../report/withComparison.ts';
import { counted, countRatioCell, ratioCell, sumCell } from '../cells.ts';
import type { ReportOptions } from '../contract.ts';
import { currenciesOf, localDate, readParameters, taxed, utcDay, within } from '../instants.ts';
import type { Report } from '../report.ts';
import {
  type Amounts,
  amountColumns,
  amountOf,
  amountSums,
  figureColumns,
  type WindowRow,
  writePages,
} from '../windows.ts';

type Options = ReportOptions['repeatPurchase'];

const countNames = ['customers', 'new_customers', 'repeat_customers'] as const;
const amountNames = ['sales', 'repeat_sales'] as const;
type Amount = (typeof amountNames)[number];

/** The figures of a product in one window. */
type Figures = { readonly [Name in (typeof countNames)[number]]: number } & Amounts<Amount>;

/** A row of the question: the figures of both windows. */
type ProductRow = { readonly row_product: string } & Figures & {
    readonly [Name in keyof Figures as `prior_${Name}`]: Figures[Name];
  };

type Row = {
  /** Customers of the period, which the rows are sorted by. */
  readonly row_customers: number;
  /** The platform's product id, else the SKU. */
  readonly product_sku: string;
  readonly title: string;
};

const line = 'order_id, sku, product_id, purchased_at, customer';
const counts = "status <> 'Canceled'";
const ordered = taxed('item_price', 'item_tax');

/** The lines of both windows, and all up to the end of both, among which first orders are. */
const windowLines = `SELECT
      ${line}, currency, ${localDate('purchased_at')} AS local_date,
      1 AS is_ordered, 0 AS prior_is_ordered, ${ordered} AS sales, amount(0) AS prior_sales
    FROM order_line WHERE ${within('purchased_at', 'from', 'to')} AND ${counts}
    UNION ALL
    SELECT
      ${line}, currency, ${localDate('purchased_at')}, 0, 1, amount(0), ${ordered}
    FROM order_line WHERE ${within('purchased_at', 'priorFrom', 'priorTo')} AND ${counts}`;
const allLines = `SELECT ${line}, '' AS currency, day, 0, 0, amount(0), amount(0)
    FROM order_line
    WHERE channel = {channel:Int32} AND day <= {untilUtc:Date} AND purchased_at <= {until:Int64}
      AND ${counts}`;

const sides = [
  { prefix: '', start: 'from' },
  { prefix: 'prior_', start: 'priorFrom' },
] as const;
const sold = sides.map(({ prefix }) => `${prefix}sales`);

/** The figures of a product in a window, as columns made of those of its customers. */
function figureSums({ prefix, start }: (typeof sides)[number]): string[] {
  const [orders, sales] = [`${prefix}orders`, `${prefix}sales`];
  const count = (condition: string) =>
    `CAST(sum(CASE WHEN ${condition} THEN 1 ELSE 0 END) AS BIGINT)`;
  const repeated = (amount: string, none: string) =>
    `sum(CASE WHEN ${orders} > 1 THEN ${amount} ELSE ${none} END)`;
  return [
    `${count(`${orders} > 0`)} AS ${prefix}customers`,
    `${count(`${orders} > 0 AND first_at >= {${start}:Int64}`)} AS ${prefix}new_customers`,
    `${count(`${orders} > 1`)} AS ${prefix}repeat_customers`,
    `sum(${sales}) AS ${sales}`,
    `CAST(sum(${sales}_converted) AS DOUBLE) AS ${sales}_converted`,
    `${repeated(sales, 'amount(0)')} AS ${prefix}repeat_sales`,
    `CAST(${repeated(`${sales}_converted`, '0')} AS DOUBLE) AS ${prefix}repeat_sales_converted`,
  ];
}

const figureNames = [...countNames, ...amountColumns(amountNames)];

const currenciesQuestion = currenciesOf(windowLines, sold);
const productsQuestion = questionFile<ProductRow>(import.meta.url, 'repeatPurchase.sql', {
  facts: `${windowLines}\n    UNION ALL\n    ${allLines}`,
  orderSums: amountSums(sold, 'local_date'),
  sales: amountColumns(sold),
  customerSums: amountColumns(sold).map((name) => `sum(${name}) AS ${name}`),
  sums: sides.flatMap(figureSums),
  figures: sides.flatMap(({ prefix }) => figureNames.map((name) => `${prefix}${name}`)),
});

/** Rows of a page: they and their titles fit in memory however many products there are. */
const rowsMax = 20_000;
const percentPlaces = 2;

const none: Figures = {
  customers: 0,
  new_customers: 0,
  repeat_customers: 0,
  sales: 0n,
  sales_converted: 0,
  repeat_sales: 0n,
  repeat_sales_converted: 0,
};

/** One row per product with customers in either window, the one with the most first. */
export const repeatPurchase = customersByPages(rowsMax);

/** The same report, read by pages of so many rows. */
export function customersByPages(most: number): Report<'repeatPurchase', Compared<Row, Figures>> {
  return {
    reportType: 'repeatPurchase',
    channelKind: 'seller',
    columns: columnsOf,
    async rows(options, { channel, warehouse, limits }, write) {
      await warehouse.read([0, channel.channelNumber], limits, async (ask) => {
        const chosen = await readParameters(ask, channel, options, currenciesQuestion);
        const until = Math.max(chosen.to, chosen.priorTo);
        const parameters = { ...chosen, until, untilUtc: utcDay(until), most };
        await writePages(
          {
            most,
            start: { customers: Number.MAX_SAFE_INTEGER, product: '' },
            async *read(behind) {
              const rows = await ask(productsQuestion, { ...parameters, ...behind });
              const titleOf = await readTitles(ask, channel, rows);
              yield rows.flatMap((row) => windowsOf(row, titleOf));
            },
            behindOf: ({ row_customers, product_sku }) => ({
              customers: row_customers,
              product: product_sku,
            }),
            isSame: (a, b) => a.product_sku === b.product_sku,
            none,
          },
          write,
        );
      });
    },
  };
}

/** The titles of products: of several SKUs, that of the first that has one. */
async function readTitles(
  ask: Ask,
  { channelNumber: channel }: Channel,
  rows: readonly ProductRow[],
): Promise<(product: string) => string> {
  const names = rows.map((row) => row.row_product);
  const entries =
    names.length === 0 ? [] : await readCatalogue(ask, channel, { skus: names, products: names });
  const titled = entries.filter(({ title }) => title !== '').reverse();
  const ofSkus = new Map(titled.map(({ sku, title }) => [sku, title]));
  const ofProducts = new Map(titled.map(({ product_id, title }) => [product_id, title]));
  return (product) => ofProducts.get(product) ?? ofSkus.get(product) ?? '';
}

/** The figures of a product in the windows in which it has customers. */
function windowsOf(
  row: ProductRow,
  titleOf: (product: string) => string,
): WindowRow<Row, Figures>[] {
  const { row_product: product_sku, customers: row_customers } = row;
  const named = { row_customers, product_sku, title: titleOf(product_sku) };
  const prior: Figures = {
    customers: row.prior_customers,
    new_customers: row.prior_new_customers,
    repeat_customers: row.prior_repeat_customers,
    sales: row.prior_sales,
    sales_converted: row.prior_sales_converted,
    repeat_sales: row.prior_repeat_sales,
    repeat_sales_converted: row.prior_repeat_sales_converted,
  };
  return [
    ...(row.customers > 0 ? [{ ...row, ...named, is_current: 1 }] : []),
    ...(row.prior_customers > 0 ? [{ ...prior, ...named, is_current: 0 }] : []),
  ];
}

function columnsOf(options: Options, { currency }: Channel): TypedColumn<Compared<Row, Figures>>[] {
  const places = currencyPlaces(currency);
  const { number, text, compared } = figureColumns<Row, Figures>(options);
  const sum = (figures: Figures, name: Amount) => amountOf<Amount>(figures, name);
  const perCustomer =
    (amount: Amount, customers: (typeof countNames)[number]) =>
    ({ current }: Compared<Row, Figures>) =>
      ratioCell(sum(current, amount), counted(current[customers]), places);
  return [
    text('productSku', (row) => row.product_sku),
    text('title', (row) => row.title),
    ...compared('totalSales', places, (figures) => sumCell(sum(figures, 'sales'), places)),
    ...compared('repeatCustomerSales', places, (figures) =>
      sumCell(sum(figures, 'repeat_sales'), places),
    ),
    ...compared('repeatSalesPercentage', percentPlaces, (figures) =>
      ratioCell(sum(figures, 'repeat_sales'), sum(figures, 'sales'), percentPlaces, 100),
    ),
    ...compared('totalCustomers', 'whole', (figures) => figures.customers),
    ...compared('newCustomers', 'whole', (figures) => figures.new_customers),
    ...compared('repeatCustomers', 'whole', (figures) => figures.repeat_customers),
    ...compared('repeatCustomersPercentage', percentPlaces, ({ repeat_customers, customers }) =>
      countRatioCell(repeat_customers, customers, percentPlaces, 100),
    ),
    number('salesPerCustomer', places, perCustomer('sales', 'customers')),
    number('salesPerRepeatCustomer', places, perCustomer('repeat_sales', 'repeat_customers')),
    text('currency', () => currency),
  ];
}
