import Type from 'typebox';
import { exampleChannel, exampleMonth, exampleZone } from '../../../../contract/examples.ts';
import { reportContract } from '../../../../contract/reportContract.ts';
import { reportTimezone } from '../../../../contract/reports.ts';
import {
  Currency,
  channelFields,
  IncludeTax,
  List,
  periodFields,
  rangeRule,
} from '../../../../contract/shapes.ts';

/** The most channels that one report may name besides its own. */
const channelIdsMax = 20;

/** POST /reports/create/channelProfitAndLoss */
export const createChannelProfitAndLossReport = reportContract('channelProfitAndLoss', {
  summary: 'Create a report of profit and loss by channel',
  description:
    'Creates a CSV report of the profit and loss of one or several seller channels, side by side ' +
    'and in one currency. Its rows are the lines of POST /profitability/storeProfitAndLoss in ' +
    'their order, then netProfit, margin and units. The column metric names the row. Each channel ' +
    'has three columns, which begin with its channelId: value, shareOfIncome, which is the value ' +
    'as a percentage of totalRevenue, and valuePerUnit, which is the value by units. The ' +
    'columns of Total follow, which adds up the shown values, then the currency of the row. margin ' +
    'is netProfit as a percentage of totalRevenue; units counts the units of sales posted in the ' +
    'period, returns not deducted. A ratio without a denominator is blank. An amount in another ' +
    'currency is converted at the rate of its date. Only users with access to all of its channels ' +
    'can see the report.',
  options: Type.Object({
    fromDate: periodFields.fromDate,
    toDate: periodFields.toDate,
    timezone: reportTimezone,
    channelIds: Type.Optional(
      List(channelFields.channelId, {
        distinctMax: channelIdsMax,
        description:
          'Channels other than channelId, in the order of their columns, at most ' +
          `${channelIdsMax} different ones.`,
      }),
    ),
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
  rules: [rangeRule('reportOptions')],
  example: {
    ...exampleChannel,
    reportOptions: { ...exampleMonth, ...exampleZone, channelIds: ['northwind-uk'] },
  },
});
