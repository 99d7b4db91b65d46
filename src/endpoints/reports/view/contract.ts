import Type from 'typebox';
import {
  bucketFields,
  byPeriod,
  byPeriodRules,
  DailyInterval,
  withPrior,
} from '../../../contract/byPeriod.ts';
import { channelFilterFields, VendorRevenue } from '../../../contract/channelFilter.ts';
import { contract } from '../../../contract/endpoint.ts';
import {
  exampleChannel,
  exampleMonth,
  examplePriorMonth,
  exampleVendorChannel,
  exampleZone,
} from '../../../contract/examples.ts';
import {
  ByPeriodOptions,
  Currency,
  channelFields,
  Figure,
  IncludeTax,
  List,
  OneOf,
  pageFields,
  periodFields,
  periodRules,
  Text,
  Timezone,
} from '../../../contract/shapes.ts';

const count = (description: string) => Type.Integer({ description });

const SalesByPeriodRow = Type.Object(
  {
    ...bucketFields,
    ...withPrior('unitsSold', count('Units ordered.')),
    ...withPrior('lineItemCount', count('Order lines.')),
    ...withPrior('pageViews', count('Page views.')),
    ...withPrior('totalSessions', count('Sessions.')),
    ...withPrior('impressions', count('Times ads were shown.')),
    ...withPrior('clicks', count('Clicks on ads.')),
    ...withPrior('sales', Figure('Ordered product sales, with tax by includeTax.')),
    ...withPrior('avgLineItemValue', Figure('sales / lineItemCount.')),
    ...withPrior('pageViewsConversions', Figure('unitsSold / pageViews, in percent.')),
    ...withPrior(
      'sessionConversions',
      Figure('unitsSold / totalSessions, in percent; may exceed 100.'),
    ),
    ...withPrior(
      'buyboxWinPercentage',
      Figure('Share of page views with the featured offer, in percent.'),
    ),
    ...withPrior('adSpend', Figure('Cost of ads.')),
    ...withPrior('adSales', Figure('Sales attributed to ads.')),
    ...withPrior('clickThroughRate', Figure('clicks / impressions, in percent with two decimals.')),
    ...withPrior('acos', Figure('adSpend / adSales, in percent.')),
    ...withPrior('tacos', Figure('adSpend / sales, in percent.')),
  },
  { component: 'SalesByPeriodRow' },
);

/** A row of the answer. */
export type SalesByPeriodRow = Type.Static<typeof SalesByPeriodRow>;

/** POST /reports/view/salesByPeriod */
export const viewSalesByPeriod = contract({
  operation: 'viewSalesByPeriod',
  access: 'key',
  method: 'POST',
  path: '/reports/view/salesByPeriod',
  needs: 'reports:read',
  summary: 'View sales by period',
  description:
    'Sales, traffic and advertising of a seller channel, bucket by bucket, with a comparison ' +
    'period. Buckets are calendar buckets of the time ' +
    'zone, the first and the last clipped to the range, empty ones included; the comparison ' +
    'period is divided alike and paired by position. ' +
    'Numbers in text never have separators; "-" stands for a ratio without a denominator, and ' +
    'for a comparison without any fact. The click-through rate is "-" where some clicks come from ' +
    'search terms alone, which the header Vitrine-Warning names. ' +
    "Amounts are in the channel's currency. From the first local date of the channel's order " +
    'lines on, sales, units and line items come from ' +
    "order lines; on dates before, from the marketplace's Sales and Traffic figures, which have " +
    'no tax. By the hour, the ' +
    'figures that exist by day only (traffic, advertising) are "-" and 0.',
  body: Type.Object({
    ...channelFields,
    reportOptions: ByPeriodOptions,
    includeTax: IncludeTax(true),
    sellerSkus: Type.Optional(
      List(Text({ maxLength: 200 }), {
        description:
          'Restricts order lines, traffic and product-level advertising to these SKUs. Unknown ' +
          'ones are ignored; an empty list does not restrict.',
      }),
    ),
  }),
  warns: true,
  rules: byPeriodRules,
  channel: true,
  cacheable: true,
  example: {
    ...exampleChannel,
    reportOptions: { ...exampleMonth, ...examplePriorMonth, ...exampleZone, interval: 'month' },
  },
  answer: byPeriod(SalesByPeriodRow),
});

const VendorSalesByPeriodRow = Type.Object(
  {
    ...bucketFields,
    ...withPrior('glanceViews', count('Views of product pages.')),
    ...withPrior('orderedUnits', count("Units ordered of the vendor's products.")),
    ...withPrior('shippedUnits', count('Units shipped that the vendor itself supplied.')),
    ...withPrior(
      'shippedUnitsManufacturing',
      count("Units shipped of all the vendor's products, from any supplier."),
    ),
    ...withPrior('impressions', count('Times ads were shown.')),
    ...withPrior('clicks', count('Clicks on ads.')),
    ...withPrior('orderedRevenue', Figure("Ordered revenue of all the vendor's products.")),
    ...withPrior(
      'conversionRate',
      Figure('orderedUnits / glanceViews, in percent; may exceed 100.'),
    ),
    ...withPrior('retailPrice', Figure('orderedRevenue / orderedUnits.')),
    ...withPrior(
      'shippedRevenue',
      Figure('Revenue of the shipped units that the vendor itself supplied.'),
    ),
    ...withPrior(
      'shippedRevenueManufacturing',
      Figure("Revenue of all shipped units of the vendor's products."),
    ),
    ...withPrior(
      'shippedCogs',
      Figure('What the marketplace paid for the shipped units that the vendor itself supplied.'),
    ),
    ...withPrior(
      'shippedCogsManufacturing',
      Figure("What the marketplace paid for all shipped units of the vendor's products."),
    ),
    ...withPrior('adSales', Figure('Sales attributed to ads.')),
    ...withPrior('adSpend', Figure('Cost of ads.')),
    ...withPrior('acos', Figure('adSpend / adSales, in percent.')),
    ...withPrior('tacosOrderedRevenue', Figure('adSpend / orderedRevenue, in percent.')),
    ...withPrior('tacosShippedRevenue', Figure('adSpend / shippedRevenue, in percent.')),
    ...withPrior(
      'tacosManufacturing',
      Figure('adSpend / shippedRevenueManufacturing, in percent.'),
    ),
    ...withPrior('clickThroughRate', Figure('clicks / impressions, in percent with two decimals.')),
  },
  { component: 'VendorSalesByPeriodRow' },
);

/** A row of the answer. */
export type VendorSalesByPeriodRow = Type.Static<typeof VendorSalesByPeriodRow>;

/** POST /reports/view/vendorSalesByPeriod */
export const viewVendorSalesByPeriod = contract({
  operation: 'viewVendorSalesByPeriod',
  access: 'key',
  method: 'POST',
  path: '/reports/view/vendorSalesByPeriod',
  needs: 'reports:read',
  summary: 'View vendor sales by period',
  description:
    'Sales and advertising of a vendor channel, bucket by bucket, with a comparison period. ' +
    'Buckets are calendar buckets of the time zone, the ' +
    'first and the last clipped to the range, empty ones included; the comparison period is ' +
    'divided alike and paired by position. All figures ' +
    "belong to the marketplace's dates: a bucket has those of every date that it touches. " +
    'Numbers in text never have separators; "-" stands ' +
    'for a ratio without a denominator, and for a comparison without any fact. Amounts are in ' +
    'the currency of the channel; an amount in ' +
    'another currency is converted at the rate of its date.',
  body: Type.Object({
    ...channelFields,
    reportOptions: Type.Object({ ...ByPeriodOptions.properties, interval: DailyInterval }),
    asins: Type.Optional(
      List(Text({ maxLength: 200 }), {
        description:
          'Restricts sales and advertised products to these ASINs. Unknown ones are ignored; an ' +
          'empty list does not restrict.',
      }),
    ),
  }),
  warns: true,
  rules: byPeriodRules,
  channel: true,
  cacheable: true,
  example: {
    ...exampleVendorChannel,
    reportOptions: { ...exampleMonth, ...examplePriorMonth, ...exampleZone, interval: 'month' },
  },
  answer: byPeriod(VendorSalesByPeriodRow),
});

const AdvertisingByChannelItem = Type.Object(
  {
    store: Type.String({ description: 'Name of the store.' }),
    countryCode: Type.String({ description: 'ISO 3166-1 alpha-3 code of the country.' }),
    marketplace_id: Type.String({
      description: 'The part of merchantId after " @ ", "" where there is none.',
    }),
    seller_id: Type.String({
      description: 'The part of merchantId before " @ ", all of it where there is none.',
    }),
    ...withPrior('adsales', Figure('Sales attributed to ads.')),
    ...withPrior('spend', Figure('Cost of ads.')),
    ...withPrior('acos', Figure('spend / adsales, in percent.')),
    ...withPrior('roas', Figure('adsales / spend.')),
    ...withPrior('tacos', Figure('spend / total sales, in percent.')),
    ...withPrior('troas', Figure('Total sales / spend.')),
    ctr: Figure('clicks / impressions, in percent.'),
    cpc: Figure('spend / clicks.'),
    conv: Figure('orders / clicks, in percent.'),
    NTB_sales: Figure(
      'Attributed sales to customers new to the brand; Sponsored Products have none.',
    ),
    pecentage_sales_NTB: Figure('NTB_sales / adsales, in percent. The name is spelled so.'),
    percentage_orders_NTB: Figure('NTB_orders / orders, in percent.'),
    percentage_units_NTB: Figure('NTB_units / units, in percent.'),
    impressions: count('Times ads were shown.'),
    clicks: count('Clicks on ads.'),
    orders: count('Orders attributed to ads.'),
    units: count('Units attributed to ads.'),
    NTB_orders: count('Attributed orders of customers new to the brand.'),
    NTB_units: count('Attributed units of customers new to the brand.'),
    attributed_units_ordered_same_sku: count('Attributed units of the advertised product itself.'),
  },
  { component: 'AdvertisingByChannelItem' },
);

/** An item of the answer. */
export type AdvertisingByChannelItem = Type.Static<typeof AdvertisingByChannelItem>;

/** A field of an item, as `orderBy` names it. */
export type AdvertisingByChannelField = keyof AdvertisingByChannelItem;

const itemFields = Object.keys(AdvertisingByChannelItem.properties) as AdvertisingByChannelField[];

/** POST /reports/view/advertisingByChannels */
export const viewAdvertisingByChannels = contract({
  operation: 'viewAdvertisingByChannels',
  access: 'key',
  method: 'POST',
  path: '/reports/view/advertisingByChannels',
  needs: 'reports:read',
  summary: 'View advertising by channels',
  cacheable: true,
  description:
    'Advertising of every channel that the caller may reach and that has advertising connected, ' +
    'with a comparison period; channels without ' +
    'figures have zeros. Values within one list of the filter are alternatives; a channel must ' +
    'pass all lists. Advertising figures belong to ' +
    "the marketplace's dates, from the local date of fromDate through that of toDate. Total " +
    'sales, which tacos and troas are made with, are ' +
    'those of POST /reports/view/salesByPeriod over the same range; of vendor channels, the ' +
    "marketplace's ordered revenue or the revenue of " +
    'the units that the vendor supplied. Every fact is converted at the rate of its own date. ' +
    'Numbers in text never have separators; "-" ' +
    'stands for a ratio without a denominator, and for a comparison period without any ' +
    'advertising figure. A store with amounts in a currency without an exchange rate has "-" in ' +
    'place of what is made of them, and the header Vitrine-Warning names it. A page past the last ' +
    'has no items.',
  body: Type.Object({
    reportOptions: Type.Object({ ...periodFields, timezone: Timezone() }),
    currentCurrency: Currency(),
    includeTax: IncludeTax(false),
    vendorRevenueType: VendorRevenue,
    orderBy: OneOf(itemFields, {
      default: 'impressions',
      description:
        'Field by which the items are sorted, the largest first, "-" last; equal ones by ' +
        'channelId.',
    }),
    ...pageFields,
    ...channelFilterFields,
  }),
  rules: periodRules('reportOptions'),
  warns: true,
  example: {
    reportOptions: { ...exampleMonth, ...examplePriorMonth, ...exampleZone },
    currentCurrency: 'EUR',
    orderBy: 'spend',
    pageSize: 1,
    filter: { tags: ['org://europe'] },
  },
  answer: Type.Object({
    status: Type.Literal('success'),
    data: Type.Object({
      items: Type.Array(AdvertisingByChannelItem),
      pageIndex: Type.Integer({ description: 'Number of this page, the first being 0.' }),
      pageSize: Type.Integer({ description: 'Items of a page.' }),
      totalItems: Type.Integer({ description: 'Items on all pages together.' }),
      totalPages: Type.Integer({ description: 'Pages that have items.' }),
    }),
  }),
});
