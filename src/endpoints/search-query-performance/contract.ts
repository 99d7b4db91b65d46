import Type from 'typebox';
import { contract } from '../../contract/endpoint.ts';
import {
  exampleChannel,
  exampleMonth,
  examplePriorMonth,
  exampleZone,
} from '../../contract/examples.ts';
import {
  Currency,
  channelFields,
  EpochSeconds,
  List,
  OneOf,
  PageOf,
  pageFields,
  rangeRule,
  Text,
  Timezone,
} from '../../contract/shapes.ts';

/** The most rows of a page. */
const rowsMax = 50;
/** The default number of rows of a page. */
const rowsDefault = 25;

const count = (description: string) => Type.Integer({ description });
const percent = (description: string) =>
  Type.Number({ description: `${description}, in percent; 0 without a denominator.` });
const amount = (description: string) => Type.Number({ description });

const figures = {
  searchQueryVolume: count('How often the queries were searched for.'),
  totalImpressions: count('Times that any product was shown for the queries.'),
  impressions: count('Times that this product was shown.'),
  impressionShare: percent('impressions / totalImpressions'),
  totalClicks: count('Clicks on any product.'),
  clicks: count('Clicks on this product.'),
  clickShare: percent('clicks / totalClicks'),
  totalCtr: percent('totalClicks / totalImpressions'),
  ctr: percent('clicks / impressions'),
  totalCartAdds: count('Times that any product was put into a cart.'),
  cartAdds: count('Times that this product was put into a cart.'),
  atcRate: percent('cartAdds / clicks'),
  totalPurchases: count('Purchases of any product.'),
  purchases: count('Purchases of this product.'),
  purchaseShare: percent('purchases / totalPurchases'),
  totalCvr: percent('totalPurchases / totalClicks'),
  cvr: percent('purchases / clicks'),
  currentRevenue: amount(
    "purchases of each query and month x the product's median purchase price; where that is not known the market's, else the product's median click price.",
  ),
};
const opportunity = amount('totalOpportunity - currentRevenue, at least 0.');

const SqpMetrics = Type.Object(
  {
    ...figures,
    totalOpportunity: amount(
      "totalPurchases of each query and month x the market's median purchase price.",
    ),
    opportunity,
    currencyCode: Type.String({ description: 'Currency of the amounts: that of meta.' }),
  },
  { component: 'SqpMetrics' },
);

/** The figures of a product in one of the two periods. */
export type SqpMetrics = Type.Static<typeof SqpMetrics>;

const SqpRow = Type.Object(
  {
    asin: Type.String({ description: 'The product.' }),
    current: SqpMetrics,
    prior: SqpMetrics,
  },
  { component: 'SqpRow' },
);

/** A figure that rows may be sorted by. */
export type SortableFigure = keyof typeof figures | 'opportunity';

const sortableFigures = Object.keys({ ...figures, opportunity }) as SortableFigure[];

const date = (description: string) => Type.String({ description: `${description}, YYYY-MM-DD.` });

/** GET /search-query-performance/asins */
export const listSearchQueryPerformance = contract({
  operation: 'listSearchQueryPerformance',
  access: 'key',
  method: 'GET',
  path: '/search-query-performance/asins',
  needs: 'searchQueryPerformance:read',
  summary: 'List Search Query Performance by products',
  description:
    'The results of searches on the primary marketplace by product, summed over queries and ' +
    'months, with a comparison period. Figures are monthly: both periods are widened to whole ' +
    'months of the time zone, and meta.dateRange returns the dates used.\n\n' +
    'Rows are products with figures in either period: those of asins, or else those with the most ' +
    "impressions in the current period, up to the number of the organisation's entitlement. Rows " +
    'are sorted by figures of the current period, and equal ones by asin, ascending. A period ' +
    'without figures of a product has zeros. Amounts are converted at the mean of the daily ' +
    'reference rates of their month, summed, and rounded once.\n\n' +
    "The channel's marketplace must be primarymkt, and the organisation must have access to " +
    'Search Query Performance.',
  query: Type.Object({
    ...channelFields,
    fromDate: EpochSeconds('Start of the period; its month counts whole.'),
    toDate: EpochSeconds('End of the period; its month counts whole.'),
    priorFromDate: EpochSeconds('Start of the comparison period; its month counts whole.'),
    priorToDate: EpochSeconds('End of the comparison period; its month counts whole.'),
    timezone: Timezone({
      description:
        'IANA time zone in which the months of the dates are found, such as Europe/London.',
    }),
    ...pageFields,
    pageSize: Type.Integer({
      minimum: 1,
      maximum: rowsMax,
      default: rowsDefault,
      description: 'Rows of a page.',
    }),
    sortKey: OneOf(['asin', ...sortableFigures], {
      default: 'searchQueryVolume',
      description: 'Column that the rows are sorted by.',
    }),
    sortOrder: OneOf(['asc', 'desc'], {
      default: 'asc',
      description: 'Whether the rows rise or fall.',
    }),
    asins: Type.Optional(
      List(Text({ maxLength: 200 }), {
        minItems: 1,
        examples: [['B0NORTHW01']],
        description:
          "Restricts the rows to these products, at most as many different ones as the organisation's entitlement allows.",
      }),
    ),
    currency: Currency({ default: 'USD' }),
  }),
  rules: [rangeRule(''), rangeRule('', 'priorFromDate', 'priorToDate')],
  channel: true,
  cacheable: true,
  example: {
    ...exampleChannel,
    ...exampleMonth,
    ...examplePriorMonth,
    ...exampleZone,
    pageSize: 1,
    sortKey: 'purchases',
    sortOrder: 'desc',
  },
  answer: Type.Object({
    ...PageOf(SqpRow).properties,
    meta: Type.Object({
      currency: Type.String({ description: 'Currency of all amounts, ISO 4217.' }),
      dateRange: Type.Object({
        fromDate: date('First date of the period'),
        toDate: date('Last date of the period'),
        priorFromDate: date('First date of the comparison period'),
        priorToDate: date('Last date of the comparison period'),
      }),
    }),
  }),
});
