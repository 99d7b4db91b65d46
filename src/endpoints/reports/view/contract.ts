import Type from 'typebox';
import { bucketsMax, countBuckets, localDay, parseInterval, startOfDay } from '../../../calendar/period.ts';
import { contract, type Rule } from '../../../contract/endpoint.ts';
import { ByPeriodOptions, channelFields, IncludeTax, List, periodRules, Text } from '../../../contract/shapes.ts';

/** The longest range that can be asked by hours, in days. */
export const hourlyDaysMax = 31;

type Options = Type.Static<typeof ByPeriodOptions>;

/** The rules of a range that is divided into buckets: not too many of them, and hours only over a month. */
function bucketRules(): Rule[] {
  return (['', 'prior'] as const).map((side) => {
    const [from, to] = side === '' ? (['fromDate', 'toDate'] as const) : (['priorFromDate', 'priorToDate'] as const);
    return {
      at: `reportOptions.${to}`,
      reads: [`reportOptions.${from}`, 'reportOptions.timezone', 'reportOptions.interval'],
      check: ({ reportOptions }: { reportOptions: Options }) => {
        const { timezone, [from]: start, [to]: end } = reportOptions;
        const interval = parseInterval(reportOptions.interval)!;
        if (start === undefined || end === undefined || end < start) return undefined;
        if (interval === 'h' && end >= daysLater(timezone, start, hourlyDaysMax)) {
          return `reportOptions.interval h is for ranges of at most ${hourlyDaysMax} days: reportOptions.${from} to reportOptions.${to} is longer`;
        }
        return countBuckets(timezone, start, end, interval) > bucketsMax
          ? `reportOptions.${from} to reportOptions.${to} has more than ${bucketsMax} buckets: ask for longer ones by reportOptions.interval`
          : undefined;
      },
    };
  });
}

/** The same time of the local day so many days later, as an instant. */
function daysLater(zone: string, instant: number, days: number): number {
  const day = localDay(zone, instant);
  const later = startOfDay(zone, day + days) ?? startOfDay(zone, day + days + 1)!;
  return later + (instant - startOfDay(zone, day)!);
}

/** A metric of a row with its companion for the comparison period. */
function withPrior<const Name extends string, Metric extends Type.TSchema>(name: Name, metric: Metric) {
  const prior = `prior${name[0]!.toUpperCase()}${name.slice(1)}` as `prior${Capitalize<Name>}`;
  return { [name]: metric, [prior]: metric } as { [K in Name | `prior${Capitalize<Name>}`]: Metric };
}

const count = (description: string) => Type.Integer({ description });
const number = (description: string) => Type.String({ description });

const SalesByPeriodRow = Type.Object({
  startTime: Type.String({ description: 'Start of the bucket: ISO 8601 with the offset in force.' }),
  endTime: Type.String({ description: 'Last second of the bucket.' }),
  currency: Type.String({ description: "The channel's currency, ISO 4217." }),
  ...withPrior('unitsSold', count('Units ordered.')),
  ...withPrior('lineItemCount', count('Order lines.')),
  ...withPrior('pageViews', count('Page views.')),
  ...withPrior('totalSessions', count('Sessions.')),
  ...withPrior('impressions', count('Times ads were shown.')),
  ...withPrior('clicks', count('Clicks on ads.')),
  ...withPrior('sales', number('Ordered product sales, with tax by includeTax.')),
  ...withPrior('avgLineItemValue', number('sales / lineItemCount.')),
  ...withPrior('pageViewsConversions', number('unitsSold / pageViews, in percent.')),
  ...withPrior('sessionConversions', number('unitsSold / totalSessions, in percent; may exceed 100.')),
  ...withPrior('buyboxWinPercentage', number('Share of page views with the featured offer, in percent.')),
  ...withPrior('adSpend', number('Cost of ads.')),
  ...withPrior('adSales', number('Sales attributed to ads.')),
  ...withPrior('clickThroughRate', number('clicks / impressions, in percent.')),
  ...withPrior('acos', number('adSpend / adSales, in percent.')),
  ...withPrior('tacos', number('adSpend / sales, in percent.')),
});

/** A row of the answer. */
export type SalesByPeriodRow = Type.Static<typeof SalesByPeriodRow>;

/** POST /reports/view/salesByPeriod */
export const viewSalesByPeriod = contract({
  operation: 'viewSalesByPeriod',
  method: 'POST',
  path: '/reports/view/salesByPeriod',
  summary: 'View sales by period',
  description:
    'Sales, traffic and advertising of a seller channel, bucket by bucket, with a comparison period. Buckets are calendar buckets of the time ' +
    'zone, the first and the last clipped to the range, empty ones included; the comparison period is divided alike and paired by position. ' +
    'Numbers in text never have separators; "-" stands for a ratio without a denominator, and for a comparison without any fact. ' +
    "Amounts are in the channel's currency. From the first local date of the channel's order lines on, sales, units and line items come from " +
    "order lines; on dates before, from the marketplace's Sales and Traffic figures, which have no tax to leave out. Asked by hours, the " +
    'figures that exist by day only (traffic, advertising) are "-" and 0.',
  body: Type.Object({
    ...channelFields,
    reportOptions: ByPeriodOptions,
    includeTax: IncludeTax(true),
    sellerSkus: Type.Optional(
      List(Text({ maxLength: 200 }), {
        description:
          'Restricts order lines, traffic and product-level advertising to these SKUs. Unknown ones are ignored; an empty list does not restrict.',
      }),
    ),
  }),
  rules: [...periodRules('reportOptions'), ...bucketRules()],
  channel: true,
  answer: Type.Object({
    status: Type.Literal('success'),
    currency: Type.String({ description: "The channel's currency, ISO 4217." }),
    formattedChartData: Type.Array(SalesByPeriodRow),
  }),
});
