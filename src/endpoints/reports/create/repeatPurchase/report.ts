/** Reports the customers of products, the new ones among them, and those who ordered again. */

import type { Channel } from '../../../../access/channels.ts';
import { questionFile } from '../../../../engine/question.ts';
import type { Ask } from '../../../../engine/warehouse.ts';
import { currencyPlaces } from '../../../../figures/money.ts';
import type { Dated } from '../../../../report/conversion.ts';
import type { TypedColumn } from '../../../../report/typedColumns.ts';
import type { Compared, Keyed } from '../../../../report/withComparison.ts';
import { counted, countRatioCell, ratioCell, sumCell } from '../cells.ts';
import type { ReportOptions } from '../contract.ts';
import { readWindows, utcDay } from '../instants.ts';
import type { Report } from '../report.ts';
import { type Amounts, amountOf, figureColumns, writeCompared } from '../windows.ts';

type Options = ReportOptions['repeatPurchase'];

type Count = 'customers' | 'new_customers' | 'repeat_customers';
type Amount = 'sales' | 'repeat_sales';

/** The figures of a product in one window. */
type Figures = { readonly [Name in Count]: number } & Amounts<Amount>;

/** A product with its figures of the period; its key is the platform's product id, else the SKU. */
type Product = Keyed<Figures>;
type Row = Product & { readonly title: string };

/**
 * A title of a product; `is_product` is 1 for the title of one of its SKUs, 0 if the product is a
 * SKU.
 */
type Title = { readonly row_key: string; readonly is_product: number; readonly title: string };

const currencies = questionFile<Dated>(import.meta.url, 'currencies.sql');
const titles = questionFile<Title>(import.meta.url, 'titles.sql');
const products = questionFile<Product>(import.meta.url, 'repeatPurchase.sql');

/** Rows of a page: with their titles, they fit in memory for any number of products. */
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

/** The same report, read in pages of at most `most` rows. */
export function customersByPages(most: number): Report<'repeatPurchase', Compared<Row, Figures>> {
  return {
    reportType: 'repeatPurchase',
    channelKind: 'seller',
    columns: columnsOf,
    async rows(options, { channel, warehouse, limits }, write) {
      await warehouse.read([0, channel.channelNumber], limits, async (ask) => {
        const chosen = await readWindows(ask, channel, options, currencies);
        const until = Math.max(chosen.parameters.to, chosen.parameters.priorTo);
        const parameters = { ...chosen.parameters, until, untilUtc: utcDay(until), most };
        const start = { customers: Number.MAX_SAFE_INTEGER, product: '' };
        await writeCompared(
          {
            most,
            start,
            async page(behind) {
              const rows = await ask(products, { ...parameters, ...behind, keys: [] });
              const titleOf = await readTitles(ask, channel, rows);
              return rows.map((row) => ({ ...row, title: titleOf(row.row_key) }));
            },
            behindOf: ({ customers, row_key }) => ({ customers, product: row_key }),
            keyOf: ({ row_key }) => row_key,
            own: (row) => row,
            read: (keys, window) => ask(products, { ...parameters, ...start, ...window, keys }),
            none,
          },
          chosen.windows,
          write,
        );
      });
    },
  };
}

/** The titles of products; with several SKUs, the title of the first SKU that has one. */
async function readTitles(
  ask: Ask,
  { channelNumber: channel }: Channel,
  rows: readonly Product[],
): Promise<(product: string) => string> {
  const found =
    rows.length === 0 ? [] : await ask(titles, { channel, keys: rows.map((row) => row.row_key) });
  const [ofSkus, ofProducts] = [0, 1].map(
    (kind) =>
      new Map(
        found
          .filter(({ is_product }) => is_product === kind)
          .map((one) => [one.row_key, one.title]),
      ),
  );
  return (product) => ofProducts!.get(product) ?? ofSkus!.get(product) ?? '';
}

function columnsOf(options: Options, { currency }: Channel): TypedColumn<Compared<Row, Figures>>[] {
  const places = currencyPlaces(currency);
  const { number, text, compared } = figureColumns<Row, Figures>(options);
  const sum = (figures: Figures, name: Amount) => amountOf<Amount>(figures, name);
  const perCustomer =
    (amount: Amount, customers: Count) =>
    ({ current }: Compared<Row, Figures>) =>
      ratioCell(sum(current, amount), counted(current[customers]), places);
  return [
    text('productSku', (row) => row.row_key),
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
