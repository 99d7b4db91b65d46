import Type from 'typebox';
import {
  bucketFields,
  byPeriod,
  byPeriodRules,
  DailyInterval,
  withPrior,
} from '../../../../contract/byPeriod.ts';
import { contract, type Rule } from '../../../../contract/endpoint.ts';
import {
  exampleChannel,
  exampleMonth,
  examplePriorMonth,
  exampleZone,
} from '../../../../contract/examples.ts';
import { statementFields } from '../../../../contract/profitLines.ts';
import {
  ByPeriodOptions,
  Currency,
  channelFields,
  Figure,
  IncludeTax,
  List,
} from '../../../../contract/shapes.ts';

/** The most stores that one answer may add up. */
const channelIdsMax = 20;

type Named = {
  readonly channelId?: string;
  readonly merchantId?: string;
  readonly channelIds?: readonly string[];
};

const channelRules: readonly Rule[] = [
  {
    at: 'channelId',
    reads: ['merchantId', 'channelIds'],
    check: ({ channelId, merchantId, channelIds = [] }: Named) =>
      channelId === undefined && merchantId === undefined && channelIds.length === 0
        ? 'channelId or channelIds is required'
        : undefined,
  },
  {
    at: 'merchantId',
    reads: ['channelId'],
    check: ({ channelId, merchantId }: Named) =>
      (channelId === undefined) === (merchantId === undefined)
        ? undefined
        : 'channelId and merchantId must be given together',
  },
];

/** The lines with their companions, in the order of the answer. */
function comparedLines() {
  const fields = {
    ...statementFields(Figure),
    netProfit: Figure('totalRevenue - totalExpenses.'),
    margin: Figure('netProfit / totalRevenue, in percent.'),
    salesWithoutUnitCosts: Figure(
      'Of sales, those without any cost of goods: no unit cost of the SKU applies on their date ' +
        'and no source reports one in the bucket.',
    ),
  };
  type Fields = typeof fields;
  type Compared = {
    [Name in keyof Fields | `prior${Capitalize<keyof Fields & string>}`]: Type.TString;
  };
  const compared = Object.entries(fields).map(([name, field]) => withPrior(name, field));
  return Object.assign({}, ...compared) as Compared;
}

const ProfitByPeriodRow = Type.Object(
  {
    ...bucketFields,
    ...comparedLines(),
    ...withPrior(
      'productsWithoutUnitCosts',
      Type.Integer({ description: 'How many SKUs these sales are of.' }),
    ),
  },
  { component: 'ProfitByPeriodRow' },
);

/** A row of the answer. */
export type ProfitByPeriodRow = Type.Static<typeof ProfitByPeriodRow>;

/** POST /reports/view/profitByPeriod */
export const viewProfitByPeriod = contract({
  operation: 'viewProfitByPeriod',
  access: 'key',
  method: 'POST',
  path: '/reports/view/profitByPeriod',
  needs: 'reports:read',
  warns: true,
  summary: 'View profit by period',
  description:
    'The profit and loss of one or several seller channels, bucket by bucket, with a comparison ' +
    'period. Buckets are calendar buckets of the time zone, the first and the last clipped to the ' +
    'range, empty ones included; the comparison period is divided alike and paired by position. ' +
    'The lines mean what they mean in POST /profitability/storeProfitAndLoss, and over all ' +
    'buckets they add up to its lines. Numbers in text never have separators; "-" stands for a ' +
    'margin without revenue, and for a comparison without any fact. An amount in another ' +
    'currency is converted at the rate of its date. salesWithoutUnitCosts says how much of the ' +
    'sales has no cost of goods, which makes profit look larger than it is.',
  body: Type.Object({
    channelId: Type.Optional(channelFields.channelId),
    merchantId: Type.Optional(channelFields.merchantId),
    channelIds: Type.Optional(
      List(channelFields.channelId, {
        distinctMax: channelIdsMax,
        description:
          `Channels that are added up, at most ${channelIdsMax} different ones; with channelId ` +
          'and merchantId, beside that one.',
      }),
    ),
    reportOptions: Type.Object({ ...ByPeriodOptions.properties, interval: DailyInterval }),
    currentCurrency: Type.Optional(
      Currency({
        description:
          'Currency that amounts are converted to: an ISO 4217 code, in any letter case. Without ' +
          'it, amounts are in the currency of the channels, or in USD if they have several.',
      }),
    ),
    includeTax: IncludeTax(false),
    includeCogsRefunds: Type.Boolean({
      default: false,
      description: 'When true, cogs is less the cost of the units returned.',
    }),
  }),
  rules: [...channelRules, ...byPeriodRules],
  cacheable: true,
  example: {
    ...exampleChannel,
    reportOptions: { ...exampleMonth, ...examplePriorMonth, ...exampleZone, interval: 'month' },
  },
  answer: byPeriod(ProfitByPeriodRow),
});
