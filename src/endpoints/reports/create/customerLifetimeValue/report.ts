/** Cohorts of customers: who ordered for the first time when, and what they have ordered since. */

import type { Channel } from '../../../../access/channels.ts';
import {
  type Bucket,
  bucketOfDay,
  buckets,
  isoInstant,
  localDay,
  parseInterval,
} from '../../../../calendar/period.ts';
import { calendarOffsets } from '../../../../calendar/zone.ts';
import { questionFile } from '../../../../engine/question.ts';
import type { Ask } from '../../../../engine/warehouse.ts';
import type { Cell, Column } from '../../../../report/csv.ts';
import { currencyPlaces, type Sum, unitsOf } from '../../../../report/money.ts';
import { readFactors } from '../../../../report/rates.ts';
import { counted, countRatioCell, nothing, plus, ratioCell, sumCell } from '../cells.ts';
import type { ReportOptions } from '../contract.ts';
import type { Report } from '../report.ts';

type CustomerDay = {
  readonly day: number;
  readonly customers: number;
  readonly repeat_customers: number;
  readonly orders: number;
  readonly revenue: bigint;
  readonly revenue_converted: number;
  readonly repeat_revenue: bigint;
  readonly repeat_revenue_converted: number;
};

type Ordered = {
  readonly currency: string;
  readonly since: number;
  readonly until: number;
  readonly priced: number;
};

const customerOrders = questionFile<Ordered>(import.meta.url, 'customerOrders.sql');
const pricedCurrencies = questionFile<{ currency: string }>(
  import.meta.url,
  'pricedCurrencies.sql',
);
const customerCohorts = questionFile<CustomerDay>(import.meta.url, 'customerCohorts.sql');
const adSpend = questionFile<{ day: number; currency: string; ad_cost: bigint }>(
  import.meta.url,
  'adSpend.sql',
);

const slotSeconds = 900;
const percentPlaces = 2;
const ratioPlaces = 4;

/** The customers of a cohort, all that they have ever ordered, and what was spent on advertising on its dates. */
type Cohort = {
  readonly startTime: string;
  customers: number;
  repeatCustomers: number;
  orders: number;
  revenue: Sum;
  repeatRevenue: Sum;
  adSpend: Sum;
};

/** One row per bucket of the period: the customers whose first order ever falls into it. */
export const customerLifetimeValue: Report<'customerLifetimeValue', Cohort> = {
  reportType: 'customerLifetimeValue',
  columns: (_options, { currency }) => columnsIn(currency),
  async rows(options, { channel, warehouse, limits }, write) {
    const periods = buckets(
      options.timezone,
      options.fromDate,
      options.toDate,
      parseInterval(options.interval)!,
    );
    await write(
      await warehouse.read([0, channel.channelNumber], limits, (ask) =>
        readCohorts(ask, channel, options, periods),
      ),
    );
  },
};

function columnsIn(currency: string): Column<Cohort>[] {
  const places = currencyPlaces(currency);
  const number = (name: string, cell: (cohort: Cohort) => Cell) =>
    ({ name, type: 'number', cell }) as const;
  return [
    { name: 'startTime', type: 'text', cell: (cohort) => cohort.startTime },
    number('totalRevenue', (cohort) => sumCell(cohort.revenue, places)),
    number('repeatCustomersRevenue', (cohort) => sumCell(cohort.repeatRevenue, places)),
    number('repeatRevenuePercentage', ({ repeatRevenue, revenue }) =>
      ratioCell(repeatRevenue, revenue, percentPlaces, 100),
    ),
    number('totalCustomers', (cohort) => cohort.customers),
    number('repeatCustomers', (cohort) => cohort.repeatCustomers),
    number('repeatCustomersPercentage', ({ repeatCustomers, customers }) =>
      countRatioCell(repeatCustomers, customers, percentPlaces, 100),
    ),
    number('averageLTV', ({ revenue, customers }) =>
      ratioCell(revenue, counted(customers), places),
    ),
    number('averageRepeatLTV', ({ repeatRevenue, repeatCustomers }) =>
      ratioCell(repeatRevenue, counted(repeatCustomers), places),
    ),
    number('adSpend', (cohort) => sumCell(cohort.adSpend, places)),
    number('cac', ({ adSpend, customers }) => ratioCell(adSpend, counted(customers), places)),
    // Value and cost are both per customer, so the number of customers cancels out.
    number('ltvCacRatio', ({ customers, revenue, adSpend }) =>
      customers === 0 ? null : ratioCell(revenue, adSpend, ratioPlaces),
    ),
    number('repeatPurchases', ({ orders, customers }) => orders - customers),
    number('purchaseFrequency', ({ orders, customers }) =>
      countRatioCell(orders, customers, ratioPlaces),
    ),
    { name: 'currency', type: 'text', cell: () => currency },
  ];
}

async function readCohorts(
  ask: Ask,
  { channelNumber: channel, currency }: Channel,
  { fromDate: from, toDate: to, timezone: zone }: ReportOptions['customerLifetimeValue'],
  periods: readonly Bucket[],
): Promise<Cohort[]> {
  const ordered = await ask(customerOrders, { channel });
  const spent = await ask(adSpend, {
    channel,
    first: localDay(zone, from),
    last: localDay(zone, to),
  });
  const pricesForeign = await pricedOf(
    ask,
    channel,
    ordered.filter((orders) => orders.currency !== currency),
  );
  const spentForeign = spent.filter((spending) => spending.currency !== currency);
  const foreign = new Set([...pricesForeign, ...spentForeign].map((told) => told.currency));
  const days = [
    ...pricesForeign.flatMap(({ since, until }) => [
      localDay(zone, since),
      localDay(zone, until + slotSeconds),
    ]),
    ...spentForeign.map(({ day }) => day),
  ];
  const first = Math.min(...days);
  const last = Math.max(...days);
  const factor =
    foreign.size === 0 ? () => 1 : await readFactors(ask, foreign, currency, { first, last });

  const cohorts = periods.map(
    (period): Cohort => ({
      startTime: isoInstant(zone, period.startEpochSeconds),
      customers: 0,
      repeatCustomers: 0,
      orders: 0,
      revenue: nothing,
      repeatRevenue: nothing,
      adSpend: nothing,
    }),
  );
  for (const spending of spent) {
    const cohort = cohorts[bucketOfDay(periods, spending.day)]!;
    const cost =
      spending.currency === currency
        ? { exact: spending.ad_cost, converted: 0 }
        : {
            exact: 0n,
            converted: unitsOf(spending.ad_cost) * factor(spending.currency, spending.day),
          };
    cohort.adSpend = plus(cohort.adSpend, cost);
  }
  if (ordered.length === 0) return cohorts;
  const currencies = pricesForeign.map((orders) => orders.currency);
  const asked = {
    channel,
    currency,
    from,
    to,
    ...calendarOffsets(
      zone,
      Math.min(...ordered.map(({ since }) => since)),
      Math.max(...ordered.map(({ until }) => until)) + slotSeconds,
    ),
    converting: currencies.length > 0 ? 1 : 0,
    currencies,
    first: currencies.length > 0 ? first : 0,
    days: currencies.length > 0 ? last - first + 1 : 0,
    factors: currencies.flatMap((code) =>
      Array.from({ length: last - first + 1 }, (_, day) => factor(code, first + day)),
    ),
  };
  for (const row of await ask(customerCohorts, asked)) {
    const cohort = cohorts[bucketOfDay(periods, row.day)]!;
    cohort.customers += row.customers;
    cohort.repeatCustomers += row.repeat_customers;
    cohort.orders += row.orders;
    cohort.revenue = plus(cohort.revenue, { exact: row.revenue, converted: row.revenue_converted });
    cohort.repeatRevenue = plus(cohort.repeatRevenue, {
      exact: row.repeat_revenue,
      converted: row.repeat_revenue_converted,
    });
  }
  return cohorts;
}

/** Those in which anything has a price. Prices that add up to nothing are looked at one by one, which takes all lines. */
async function pricedOf(
  ask: Ask,
  channel: number,
  ordered: readonly Ordered[],
): Promise<Ordered[]> {
  const doubtful = ordered.filter(({ priced }) => priced === 0).map(({ currency }) => currency);
  const found =
    doubtful.length === 0 ? [] : await ask(pricedCurrencies, { channel, currencies: doubtful });
  return ordered.filter(
    ({ currency, priced }) => priced > 0 || found.some((priced) => priced.currency === currency),
  );
}
