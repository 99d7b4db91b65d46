/** Reports cohorts of customers by their first order, and their orders since. */

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
import type { Ask, Parameters } from '../../../../engine/warehouse.ts';
import type { Conversion } from '../../../../figures/conversion.ts';
import { currencyPlaces, type Sum, unitsOf } from '../../../../figures/money.ts';
import type { Cell } from '../../../../report/csv.ts';
import { purposeOf, readConversion } from '../../../../report/rates.ts';
import type { Digits, TypedColumn } from '../../../../report/typedColumns.ts';
import { counted, countRatioCell, nothing, plus, ratioCell, sumCell } from '../cells.ts';
import type { ReportOptions } from '../contract.ts';
import type { Report } from '../report.ts';

type CustomerDay = {
  /** Null for orders without a customer, and for orders of customers of other days. */
  readonly day: number | null;
  /** 1 if an order's lines name different customers. */
  readonly differs: number;
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

const orderedCurrencies = questionFile<Ordered>(import.meta.url, 'orderedCurrencies.sql');
const pricedCurrencies = questionFile<{ currency: string }>(
  import.meta.url,
  'pricedCurrencies.sql',
);
const customerDays = questionFile<CustomerDay>(import.meta.url, 'customerLifetimeValue.sql');
const comparedCustomerDays = questionFile<CustomerDay>(import.meta.url, 'comparedCustomers.sql');
type AdSpend = { readonly day: number; readonly currency: string; readonly ad_cost: bigint };
const adSpend = questionFile<AdSpend>(import.meta.url, 'adSpend.sql');

const slotSeconds = 900;
const percentPlaces = 2;
const ratioPlaces = 4;

/** The customers of a cohort, all their orders, and the advertising cost on its dates. */
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
  channelKind: 'seller',
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

function columnsIn(currency: string): TypedColumn<Cohort>[] {
  const places = currencyPlaces(currency);
  const number = (name: string, digits: Digits, cell: (cohort: Cohort) => Cell) =>
    ({ name, type: 'number', digits, cell }) as const;
  return [
    { name: 'startTime', type: 'text', cell: (cohort) => cohort.startTime },
    number('totalRevenue', places, (cohort) => sumCell(cohort.revenue, places)),
    number('repeatCustomersRevenue', places, (cohort) => sumCell(cohort.repeatRevenue, places)),
    number('repeatRevenuePercentage', percentPlaces, ({ repeatRevenue, revenue }) =>
      ratioCell(repeatRevenue, revenue, percentPlaces, 100),
    ),
    number('totalCustomers', 'whole', (cohort) => cohort.customers),
    number('repeatCustomers', 'whole', (cohort) => cohort.repeatCustomers),
    number('repeatCustomersPercentage', percentPlaces, ({ repeatCustomers, customers }) =>
      countRatioCell(repeatCustomers, customers, percentPlaces, 100),
    ),
    number('averageLTV', places, ({ revenue, customers }) =>
      ratioCell(revenue, counted(customers), places),
    ),
    number('averageRepeatLTV', places, ({ repeatRevenue, repeatCustomers }) =>
      ratioCell(repeatRevenue, counted(repeatCustomers), places),
    ),
    number('adSpend', places, (cohort) => sumCell(cohort.adSpend, places)),
    number('cac', places, ({ adSpend, customers }) =>
      ratioCell(adSpend, counted(customers), places),
    ),
    // Value and cost are both per customer, so the number of customers cancels out.
    number('ltvCacRatio', ratioPlaces, ({ customers, revenue, adSpend }) =>
      customers === 0 ? null : ratioCell(revenue, adSpend, ratioPlaces),
    ),
    number('repeatPurchases', 'whole', ({ orders, customers }) => orders - customers),
    number('purchaseFrequency', ratioPlaces, ({ orders, customers }) =>
      countRatioCell(orders, customers, ratioPlaces),
    ),
    { name: 'currency', type: 'text', cell: () => currency },
  ];
}

async function readCohorts(
  ask: Ask,
  channel: Channel,
  { fromDate: from, toDate: to, timezone: zone }: ReportOptions['customerLifetimeValue'],
  periods: readonly Bucket[],
): Promise<Cohort[]> {
  const { channelNumber, currency } = channel;
  const ordered = await ask(orderedCurrencies, { channel: channelNumber });
  const dates = { first: localDay(zone, from), last: localDay(zone, to) };
  const spent = await ask(adSpend, { channel: channelNumber, ...dates });
  const priced = await pricedOf(
    ask,
    channelNumber,
    ordered.filter((orders) => orders.currency !== currency),
  );
  const conversion = await readForeign(ask, channel, zone, priced, spent);
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
  for (const { day, currency: spentIn, ad_cost } of spent) {
    const cohort = cohorts[bucketOfDay(periods, day)]!;
    const cost =
      spentIn === currency
        ? { exact: ad_cost, converted: 0 }
        : { exact: 0n, converted: unitsOf(ad_cost) * conversion.factor(spentIn, day) };
    cohort.adSpend = plus(cohort.adSpend, cost);
  }
  if (ordered.length === 0) return cohorts;
  const since = Math.min(...ordered.map((orders) => orders.since));
  const until = Math.max(...ordered.map((orders) => orders.until)) + slotSeconds;
  const parameters = {
    channel: channelNumber,
    from,
    to,
    ...calendarOffsets(zone, since, until),
    ...conversion.parameters(priced.map((orders) => orders.currency)),
  };
  for (const row of await readCustomerDays(ask, parameters))
    if (row.day !== null) addTo(cohorts[bucketOfDay(periods, row.day)]!, row);
  return cohorts;
}

/** Reads the days of customers. In most channels, all lines of an order name the same one. */
async function readCustomerDays(ask: Ask, parameters: Parameters): Promise<CustomerDay[]> {
  const rows = await ask(customerDays, parameters);
  const differs = rows.some((row) => row.differs === 1);
  return differs ? await ask(comparedCustomerDays, parameters) : rows;
}

function addTo(cohort: Cohort, row: CustomerDay): void {
  cohort.customers += row.customers;
  cohort.repeatCustomers += row.repeat_customers;
  cohort.orders += row.orders;
  cohort.revenue = plus(cohort.revenue, { exact: row.revenue, converted: row.revenue_converted });
  cohort.repeatRevenue = plus(cohort.repeatRevenue, {
    exact: row.repeat_revenue,
    converted: row.repeat_revenue_converted,
  });
}

/** Reads the rates of foreign prices and foreign advertising cost, on the days that have any. */
async function readForeign(
  ask: Ask,
  channel: Channel,
  zone: string,
  priced: readonly Ordered[],
  spent: readonly AdSpend[],
): Promise<Conversion> {
  const { currency } = channel;
  const spentForeign = spent.filter((spending) => spending.currency !== currency);
  const foreign = new Set([...priced, ...spentForeign].map((row) => row.currency));
  const all = [
    ...priced.flatMap(({ since, until }) => [
      localDay(zone, since),
      localDay(zone, until + slotSeconds),
    ]),
    ...spentForeign.map(({ day }) => day),
  ];
  return await readConversion(ask, {
    target: currency,
    currencies: foreign,
    days: { first: Math.min(...all), last: Math.max(...all) },
    purpose: purposeOf(channel),
  });
}

/** The currencies with a price. Lines are read only if all sums of quarters of an hour are zero. */
async function pricedOf(
  ask: Ask,
  channel: number,
  ordered: readonly Ordered[],
): Promise<Ordered[]> {
  const uncertain = ordered.filter(({ priced }) => priced === 0).map(({ currency }) => currency);
  const found =
    uncertain.length === 0 ? [] : await ask(pricedCurrencies, { channel, currencies: uncertain });
  return ordered.filter(
    ({ currency, priced }) => priced > 0 || found.some((row) => row.currency === currency),
  );
}
