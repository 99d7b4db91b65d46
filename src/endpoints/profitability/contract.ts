import Type from 'typebox';
import { firstFailures } from '../../contract/check.ts';
import { contract, type Rule, type RuleFailures } from '../../contract/endpoint.ts';
import { exampleChannel, exampleMonth, exampleZone } from '../../contract/examples.ts';
import { isObject } from '../../contract/jsonSchema.ts';
import { statementFields } from '../../contract/profitLines.ts';
import {
  channelFields,
  EpochSeconds,
  IncludeTax,
  List,
  OneOf,
  pageFields,
  pageSizeDefault,
  periodFields,
  rangeRule,
  Text,
  Timezone,
} from '../../contract/shapes.ts';

/** The most rows of one request. */
export const directCostsMax = 10_000;

/** The most currencies that one request may name; fewer exist. */
const currenciesMax = 200;
const skuLengthMax = 200;
/** A double of this size still holds every digit of the sixth place. */
const costMax = 1_000_000_000;
const costPlaces = 6;
/** The last second of the year 2199, the last that a fact may have. */
const effectiveMax = 7_258_118_399;

const cost = (description: string) => Type.Number({ minimum: 0, maximum: costMax, description });
const costCurrency = (description: string) =>
  Type.String({
    pattern: '^[A-Za-z]{3}$',
    letters: 'upper',
    description,
    words: { pattern: 'must be a currency code of three letters' },
  });

const DirectCost = Type.Object(
  {
    sellerSku: Text({
      maxLength: skuLengthMax,
      description: "The seller's SKU, as the channel's facts spell it. An unknown one is kept.",
    }),
    cogs: cost('Cost of the goods of one unit, in cogsCurrency, with at most six decimal places.'),
    cogsCurrency: costCurrency('ISO 4217 code of three letters, in any letter case.'),
    shippingCost: Type.Optional(
      cost(
        'Cost of shipping one unit that the seller ships, in shippingCostCurrency, with at most six decimal places. 0 when it is not given.',
      ),
    ),
    shippingCostCurrency: Type.Optional(
      costCurrency(
        'ISO 4217 code of three letters, in any letter case. When it is not given, that of cogsCurrency.',
      ),
    ),
  },
  { component: 'DirectCost' },
);
/** The rows of a request, some of which may be malformed. */
type Costs = { readonly directCosts: readonly unknown[] };

/** The texts about those rows that are objects. */
function ofRows(
  { directCosts }: Costs,
  textsOf: (row: Readonly<Record<string, unknown>>, name: string) => readonly string[],
): RuleFailures {
  const texts = directCosts.flatMap((row, place) =>
    isObject(row) ? textsOf(row, `directCosts[${place}]`) : [],
  );
  return firstFailures(texts, 'directCosts');
}

const costRules: readonly Rule[] = [
  {
    at: 'directCosts',
    check: (input: Costs) =>
      ofRows(input, ({ sellerSku, ...row }, name) => [
        // Facts count a character outside the basic plane as two.
        ...(typeof sellerSku === 'string' &&
        sellerSku.length > skuLengthMax &&
        [...sellerSku].length <= skuLengthMax
          ? [`${name}.sellerSku must have at most ${skuLengthMax} UTF-16 units`]
          : []),
        ...['cogs', 'shippingCost']
          .filter((field) => placesOf(row[field]) > costPlaces)
          .map((field) => `${name}.${field} must have at most ${costPlaces} decimal places`),
      ]),
  },
  {
    at: 'directCosts',
    check: (input: Costs) => {
      const names = new Map<unknown, string>();
      return ofRows(input, ({ sellerSku }, name) => {
        const first = names.get(sellerSku);
        if (first !== undefined) return [`${name}.sellerSku repeats that of ${first}`];
        if (typeof sellerSku === 'string' && sellerSku !== '') names.set(sellerSku, name);
        return [];
      });
    },
  },
  {
    at: 'directCosts',
    reads: ['directCosts[]'],
    check: ({ directCosts }: { directCosts: readonly Type.Static<typeof DirectCost>[] }) =>
      new Set(
        directCosts.flatMap((row) => [
          row.cogsCurrency,
          row.shippingCostCurrency ?? row.cogsCurrency,
        ]),
      ).size > currenciesMax
        ? `directCosts must name at most ${currenciesMax} different currencies`
        : undefined,
  },
];

/** The number of decimal places in the shortest text of a number. */
function placesOf(value: unknown): number {
  if (typeof value !== 'number') return 0;
  const [digits = '', exponent = '0'] = String(value).split('e');
  return Math.max(0, (digits.split('.')[1]?.length ?? 0) - Number(exponent));
}

/** POST /profitability/directCosts */
export const saveDirectCosts = contract({
  operation: 'saveDirectCosts',
  access: 'key',
  method: 'POST',
  path: '/profitability/directCosts',
  needs: 'profitability:write',
  audience: 'sharers',
  summary: 'Set unit costs',
  description:
    'Sets the unit costs of SKUs from a date on. A cost applies until the next date with costs for ' +
    'its SKU. Costs replace earlier ones of the same SKU and date; those of other SKUs and dates ' +
    'stay. Either all rows of a request are saved, or none. The answer names a job; ' +
    'GET /profitability/directCostsJobStatus returns its status. The jobs of a channel run in the ' +
    'order of their requests.',
  body: Type.Object({
    ...channelFields,
    fromDate: EpochSeconds('The costs hold from the UTC date of this instant on.', {
      maximum: effectiveMax,
    }),
    directCosts: List(DirectCost, {
      minItems: 1,
      maxItems: directCostsMax,
      description: 'A row for each SKU.',
    }),
  }),
  rules: costRules,
  channel: true,
  idempotencyKey: true,
  example: {
    ...exampleChannel,
    fromDate: 1798761600,
    directCosts: [{ sellerSku: 'NW-BOTTLE-STEEL', cogs: 61.5, cogsCurrency: 'CNY' }],
  },
  answer: Type.Object({ jobId: Type.String({ description: 'Identifier of the job.' }) }),
});

/** GET /profitability/directCostsJobStatus */
export const readDirectCostsJobStatus = contract({
  operation: 'readDirectCostsJobStatus',
  access: 'key',
  method: 'GET',
  path: '/profitability/directCostsJobStatus',
  needs: 'profitability:read',
  summary: 'Read how far a job of unit costs is',
  description:
    'COMPLETED once every figure is made with the costs of the job; FAILED where none of them was taken. A job can be asked for during 30 days.',
  query: Type.Object({
    ...channelFields,
    jobId: Text({
      maxLength: 100,
      description: 'Identifier of the job, as POST /profitability/directCosts answered it.',
    }),
  }),
  channel: true,
  example: { ...exampleChannel, jobId: 'a7f32e9a-c2a9-41ed-ad31-4c248d5f8aab' },
  answer: Type.Object({
    jobStatus: OneOf(['IN_PROGRESS', 'COMPLETED', 'FAILED'], {
      description: 'How far the job is; COMPLETED and FAILED are final.',
    }),
  }),
});

/** The most rows of a page of products. */
const productsMax = 50;
/** The most SKUs that one request may name. */
const sellerSkusMax = 50;

const { fromDate, toDate } = periodFields;
const profitOptions = {
  includeTax: IncludeTax(false),
  includeCogsRefunds: Type.Boolean({
    default: false,
    description: 'When true, cogs is less the cost of the units returned.',
  }),
};

const lines = statementFields((description) => Type.Number({ description }));

/** The sentences about the figures that both descriptions share. */
const figuresText =
  'Financial events count at the instant they were posted. Each line is rounded to the minor unit ' +
  "of the channel's currency, and totals are sums of the rounded lines. Amounts in other " +
  'currencies are converted at the rate of their date. The unit cost of an event is the latest ' +
  'one of its SKU that applies on the date of the event; before the first one it is zero. Amounts ' +
  'that only move money, such as a transfer to the bank, do not count. Seller channels only.';

/** POST /profitability/storeProfitAndLoss */
export const readStoreProfitAndLoss = contract({
  operation: 'readStoreProfitAndLoss',
  access: 'key',
  method: 'POST',
  path: '/profitability/storeProfitAndLoss',
  needs: 'profitability:read',
  warns: true,
  summary: "Read a store's profit and loss",
  description:
    `The profit and loss of a seller channel. ${figuresText} Dates are those of the time zone. Advertising is what was posted in the range; of a ` +
    'channel that never had an ad charge posted, what the advertising reports of the dates from that of fromDate through that of toDate say.',
  body: Type.Object({
    ...channelFields,
    reportOptions: Type.Object({
      fromDate,
      toDate,
      timezone: Timezone({
        default: 'UTC',
        description:
          'IANA time zone whose dates unit costs and rates are looked up by, such as Europe/London.',
      }),
      ...profitOptions,
    }),
  }),
  rules: [rangeRule('reportOptions')],
  channel: true,
  cacheable: true,
  example: { ...exampleChannel, reportOptions: { ...exampleMonth, ...exampleZone } },
  answer: Type.Object(lines, { component: 'StoreProfitAndLoss' }),
});

const ProductProfitAndLoss = Type.Object(
  {
    sellerSku: Type.String({ description: "The seller's SKU." }),
    productSku: Type.String({
      description: 'The product id of the platform, "" when it is not known.',
    }),
    title: Type.String({ description: 'The title, "" when it is not known.' }),
    totalProfit: Type.Number({ description: 'totalRevenue - totalExpenses.' }),
    ...lines,
  },
  { component: 'ProductProfitAndLoss' },
);

/** POST /profitability/productProfitAndLoss */
export const readProductProfitAndLoss = contract({
  operation: 'readProductProfitAndLoss',
  access: 'key',
  method: 'POST',
  path: '/profitability/productProfitAndLoss',
  needs: 'profitability:read',
  warns: true,
  summary: 'Read the profit and loss of products',
  description:
    `The profit and loss of each SKU of a seller channel that has an event in the range, whatever it adds up to, or reported advertising spend ` +
    `that counts. ${figuresText} Dates are those of UTC. Events without a SKU count for the store alone. Advertising is what was posted for the SKU; of ` +
    'a channel that never had an ad charge of a SKU posted, what the advertising reports of products say of its SKUs. Rows are sorted by sales as ' +
    'they are shown, the largest first, and equal ones by sellerSku; a page past the last has none.',
  body: Type.Object({
    ...channelFields,
    reportOptions: Type.Object({
      fromDate,
      toDate,
      ...profitOptions,
      sellerSkus: Type.Optional(
        List(Text({ maxLength: skuLengthMax }), {
          distinctMax: sellerSkusMax,
          description: `Restricts the rows to these SKUs, at most ${sellerSkusMax} different ones. Unknown ones are ignored; an empty list does not restrict.`,
        }),
      ),
      ...pageFields,
      pageSize: Type.Integer({
        minimum: 1,
        maximum: productsMax,
        default: pageSizeDefault,
        description: 'Rows of a page.',
      }),
    }),
  }),
  rules: [rangeRule('reportOptions')],
  channel: true,
  cacheable: true,
  example: {
    ...exampleChannel,
    reportOptions: { ...exampleMonth, includeCogsRefunds: true, pageSize: 1 },
  },
  answer: Type.Object({
    productEvents: Type.Array(ProductProfitAndLoss),
    count: Type.Integer({ description: 'Rows on all pages together.' }),
  }),
});
