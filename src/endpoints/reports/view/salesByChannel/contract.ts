import Type from 'typebox';
import { bucketRule } from '../../../../contract/buckets.ts';
import { OptionalInterval } from '../../../../contract/byPeriod.ts';
import { channelFilterFields, VendorRevenue } from '../../../../contract/channelFilter.ts';
import { contract } from '../../../../contract/endpoint.ts';
import { exampleMonth, examplePriorMonth, exampleZone } from '../../../../contract/examples.ts';
import {
  Currency,
  EpochSeconds,
  IncludeTax,
  List,
  OneOf,
  pageFields,
  periodFields,
  rangeRule,
  Text,
  Timezone,
} from '../../../../contract/shapes.ts';

/** The most days between a snapshot that is shown and the end of the period. */
export const snapshotDays = 30;
/** A SKU counts as selling if it sold in this many days before a snapshot of inventory. */
export const sellingDays = 90;

const sortKeys = [
  'sales',
  'salesSplit',
  'forecastTarget',
  'budgetTarget',
  'orders',
  'units',
  'avOrderSize',
  'avOrderValue',
  'outOfStockPercentage',
  'pageViews',
  'conversions',
] as const;

/** A figure by which the rows can be sorted. */
export type SortKey = (typeof sortKeys)[number];

const number = (description: string) => Type.Number({ description });
const known = (description: string) => Type.Union([Type.Number({ description }), Type.Null()]);
const integerText = (description: string) => Type.String({ pattern: '^-?\\d+$', description });

const ordersBases = ['orders', 'orderItems', 'both'] as const;

/** The records that the number of orders counts. */
export type OrdersBasis = (typeof ordersBases)[number];

/** A figure of the period and of the prior period. */
function compared<Figure extends Type.TSchema>(figure: Figure) {
  return Type.Object({ value: figure, priorPeriodValue: figure });
}

/**
 * The limits of each mark of a store's health, in percent: sales as a share of their target, and
 * the buy box, are too low below their limit; the share of SKUs out of stock is too high from its
 * limit on.
 */
export const healthLimits = {
  warning: { target: 95, buyBox: 80, outOfStock: 10 },
  critical: { target: 80, buyBox: 60, outOfStock: 20 },
} as const;
const { warning, critical } = healthLimits;

const SalesByChannelRow = Type.Object(
  {
    store: Type.String({ description: 'Name of the store.' }),
    storeId: Type.String({ description: 'channelId of the store.' }),
    marketplace: Type.Object({
      market: Type.String({
        description: 'Marketplace on which the store sells; primarymkt is the primary one.',
      }),
      countryCode: Type.String({ description: 'ISO 3166-1 alpha-3 code of the country.' }),
    }),
    currency: Type.String({ description: 'Currency of all amounts of the row, ISO 4217.' }),
    sales: compared(
      known(
        'Sales; null where the store has amounts in a currency without an exchange rate, like ' +
          'all that is made of them.',
      ),
    ),
    orders: compared(
      integerText(
        "Orders with a line that is not canceled; before a channel's first order line the order " +
          "items of the marketplace's traffic, as ordersBasis says. Vendors have none.",
      ),
    ),
    ordersBasis: compared(
      OneOf(ordersBases, {
        description:
          'What orders counts: orders, orderItems where only traffic is known, or both, where the ' +
          'order lines begin within the period.',
      }),
    ),
    avOrderValue: compared(known('sales / orders, 0 without orders.')),
    units: compared(
      integerText('Units sold; of vendors, ordered or shipped, by vendorRevenueType.'),
    ),
    avOrderSize: compared(number('units / orders, 0 without orders.')),
    pageViews: compared(integerText('Page views; of vendors, glance views.')),
    conversions: compared(
      number('Units ordered / pageViews, in percent; 0 without page views, may exceed 100.'),
    ),
    salesSplit: known('Share in the sales of the rows on all pages, in percent.'),
    forecastTarget: known('Sales forecast of the period; null if no day of it has one.'),
    budgetTarget: known('Sales budget of the period; null if no day of it has one.'),
    adspendLimit: known('Budget of advertising spend; null if no day of the period has one.'),
    outOfStockPercentage: known(
      'SKUs with none available, in percent of those that the marketplace fulfils and that sold ' +
        `in the ${sellingDays} days up to the newest snapshot of inventory of the last ` +
        `${snapshotDays} days of the period or of the day after it; null without a snapshot or ` +
        'without such SKUs.',
    ),
    buyBoxSnapshot: Type.Object({
      percentage: known(
        'Share of page views with the featured offer, in percent, on the newest date of the last ' +
          `${snapshotDays} days of the period that has it.`,
      ),
      date: Type.Union([
        Type.String({ description: 'That date, YYYY-MM-DD; null without one.' }),
        Type.Null(),
      ]),
    }),
    healthStatus: OneOf(['good', 'warning', 'critical'], {
      description:
        'The worst of three marks, each from the figures of the row as they are shown. Sales in ' +
        'percent of budgetTarget, or of forecastTarget where there is no budget: warning below ' +
        `${warning.target}, critical below ${critical.target}. Buy box percentage: warning below ` +
        `${warning.buyBox}, critical below ${critical.buyBox}. outOfStockPercentage: warning ` +
        `from ${warning.outOfStock}, critical from ${critical.outOfStock}. A figure that ` +
        'is null and a target of 0 set no mark, so a store without known figures is good.',
    }),
    buckets: Type.Optional(
      Type.Array(
        Type.Object(
          {
            startTime: Type.String({
              description: 'Start of the bucket: ISO 8601 with the offset in force.',
            }),
            sales: known('Sales; null where they have no exchange rate.'),
            priorSales: known('Sales in the bucket of the prior period at the same position.'),
            orders: integerText(
              'Orders; each counts in the bucket of the first of its lines in the period.',
            ),
            priorOrders: integerText('Orders in that bucket of the prior period.'),
          },
          { component: 'SalesByChannelBucket' },
        ),
        {
          description:
            'Sales over time, if an interval is requested. Each is rounded by itself, so their ' +
            'sum may differ from sales by some of the smallest units where amounts are converted.',
        },
      ),
    ),
  },
  { component: 'SalesByChannelRow' },
);

/** A row of the answer. */
export type SalesByChannelRow = Type.Static<typeof SalesByChannelRow>;

/** POST /reports/view/salesByChannel */
export const viewSalesByChannel = contract({
  operation: 'viewSalesByChannel',
  access: 'key',
  method: 'POST',
  path: '/reports/view/salesByChannel',
  needs: 'reports:read',
  summary: 'View sales by channel',
  cacheable: true,
  description:
    'Sales, targets, stock and buy box of every channel that the caller may reach, in one ' +
    'currency, with a comparison period. Sales of seller channels are those of POST ' +
    '/reports/view/salesByPeriod over the same range, of vendor channels those of POST ' +
    '/reports/view/vendorSalesByPeriod: sales count by their instant, views and vendor figures ' +
    "by the marketplace's dates, from the local date of fromDate through that of toDate. Every " +
    'fact is converted at the rate of its own date, targets at the rates of their days. A period ' +
    'without facts has zeros. Values within one list of the filter are alternatives; a channel ' +
    'must pass all lists. A store with amounts in a currency without an exchange rate has null ' +
    'in place of what is made of them, and the header Vitrine-Warning names it. Percentages have ' +
    'two decimals. With an interval, each row also has its sales bucket by bucket. A page past ' +
    'the last has no rows.',
  body: Type.Object({
    ...periodFields,
    priorFromDate: EpochSeconds('Start of the comparison period.'),
    priorToDate: EpochSeconds('End of the comparison period, inclusive.'),
    timezone: Timezone(),
    currentCurrency: Currency({ default: 'USD' }),
    includeTax: IncludeTax(false),
    vendorRevenueType: VendorRevenue,
    interval: OptionalInterval,
    channelIds: Type.Optional(
      List(Text({ maxLength: 200 }), {
        description:
          'Restricts the answer to these channels; those out of reach match nothing. An empty ' +
          'list does not restrict.',
      }),
    ),
    ...channelFilterFields,
    sortKey: OneOf(sortKeys as unknown as [...typeof sortKeys], {
      default: 'sales',
      description:
        'Figure of the period by which the rows are sorted, null last in both directions; equal ' +
        'ones by storeId.',
    }),
    sortOrder: OneOf(['asc', 'desc'], {
      default: 'desc',
      description: 'Whether the rows rise or fall.',
    }),
    ...pageFields,
  }),
  rules: [
    rangeRule(''),
    rangeRule('', 'priorFromDate', 'priorToDate'),
    bucketRule('', 'fromDate', 'toDate'),
    bucketRule('', 'priorFromDate', 'priorToDate'),
  ],
  warns: true,
  example: {
    ...exampleMonth,
    ...examplePriorMonth,
    ...exampleZone,
    currentCurrency: 'EUR',
    pageSize: 1,
  },
  answer: Type.Object({
    rows: Type.Array(SalesByChannelRow),
    count: Type.Integer({ description: 'Number of matching channels on all pages.' }),
  }),
});
