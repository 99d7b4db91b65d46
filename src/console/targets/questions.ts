/** The questions of the view of targets. */
import { type Answer, type ApiRequest, type Ask, type Input, requestOf } from '../client.ts';
import { askPages } from '../lists.ts';
import { useGathered } from '../queries.ts';
import { type AdvertisingItem, advertisingOf } from '../view/advertised.ts';
import { addMonths, secondsOf } from '../view/days.ts';
import { numberOf } from '../view/format.ts';
import type { Store } from '../view/stores.tsx';
import type { View } from '../view/view.ts';
import { type Goal, type GoalName, goalsOf, type Month, type StoreGoals } from './figures.ts';

type SalesRow = Answer<'viewSalesByChannel'>['rows'][number];

function salesQuestion(view: View, month: Month, last: string): Input<'viewSalesByChannel'> {
  const { zone, narrowed, currency } = view;
  const prior = secondsOf(addMonths(month.first, -1), addMonths(last, -1), zone);
  return {
    ...secondsOf(month.first, last, zone),
    priorFromDate: prior.fromDate,
    priorToDate: prior.toDate,
    timezone: zone,
    currentCurrency: currency,
    includeTax: false,
    vendorRevenueType: 'orderedRevenue',
    sortKey: 'sales',
    sortOrder: 'desc',
    ...(narrowed && { channelIds: [...narrowed] }),
  };
}

function advertisingQuestion(
  { zone, currency }: View,
  { first, to }: Month,
): Input<'viewAdvertisingByChannels'> {
  return {
    reportOptions: { ...secondsOf(first, to, zone), timezone: zone },
    currentCurrency: currency,
    includeTax: false,
    vendorRevenueType: 'orderedRevenue',
    orderBy: 'spend',
  };
}

/** The targets of each store, in the currency of the view. */
export function useStoreGoals(view: View, month: Month) {
  const whole = salesQuestion(view, month, month.last);
  const past = month.past === 0 ? undefined : salesQuestion(view, month, month.to);
  const advertising = month.past === 0 ? undefined : advertisingQuestion(view, month);
  const names = view.stores.map(({ channelId }) => channelId);
  const key = `targets ${JSON.stringify([whole, past, names])}`;
  const query = useGathered(key, async (ask) => {
    const [ofMonth, soFar, spent] = await Promise.all([
      askPages(ask, 'viewSalesByChannel', whole),
      past && askPages(ask, 'viewSalesByChannel', past),
      advertising && askPages(ask, 'viewAdvertisingByChannels', advertising),
    ]);
    return {
      currency: view.currency,
      rows: join(view.stores, month, ofMonth.rows, soFar?.rows, spent?.rows),
    };
  });
  const request: ApiRequest[] = [
    requestOf('viewSalesByChannel', whole),
    ...(past ? [requestOf('viewSalesByChannel', past)] : []),
    ...(advertising ? [requestOf('viewAdvertisingByChannels', advertising)] : []),
  ];
  return { ...query, request };
}

function join(
  stores: readonly Store[],
  month: Month,
  ofMonth: readonly SalesRow[],
  soFar: readonly SalesRow[] = [],
  spent: readonly AdvertisingItem[] = [],
): StoreGoals[] {
  const wholes = new Map(ofMonth.map((row) => [row.storeId, row]));
  const parts = new Map(soFar.map((row) => [row.storeId, row]));
  const adsOf = advertisingOf(spent);
  return stores.flatMap((store) => {
    const whole = wholes.get(store.channelId);
    if (whole === undefined) return [];
    const part = parts.get(store.channelId);
    const target = (name: 'budgetTarget' | 'forecastTarget' | 'adspendLimit') => ({
      toDate: numberOf(part?.[name]),
      target: numberOf(whole[name]),
    });
    const targets = {
      budget: target('budgetTarget'),
      forecast: target('forecastTarget'),
      ads: target('adspendLimit'),
    };
    const spend = numberOf(adsOf(store)?.spend);
    return [goalsOf(store, numberOf(part?.sales.value), spend, targets, month)];
  });
}

/** A target of a store by the day, in the store's own currency. */
export type DailyGoal = {
  /** The question that it answers. */
  readonly of: string;
  /** The target of each day of the month; null where a day has none. */
  readonly targets: readonly (number | null)[];
  /** Reached on each day with data. */
  readonly actuals: readonly number[];
};

const targetFields = {
  budget: 'salesBudget',
  forecast: 'salesForecast',
  ads: 'adSpendBudget',
} as const satisfies Record<GoalName, string>;

/** A target of a store and what was reached, by the day; an undefined store asks nothing. */
export function useDailyGoal(
  { zone }: View,
  month: Month,
  store: Store | undefined,
  name: GoalName,
) {
  const { channelId = '', merchantId = '' } = store ?? {};
  const whole = secondsOf(month.first, month.last, zone);
  const ofTargets = { channelId, merchantId, ...whole, timezone: zone, interval: 'day' } as const;
  const past = {
    channelId,
    merchantId,
    reportOptions: {
      ...secondsOf(month.first, month.to, zone),
      timezone: zone,
      interval: 'd' as const,
    },
  };
  const isVendor = store?.kind === 'vendor';
  const key = store && `target ${name} ${isVendor} ${JSON.stringify([ofTargets, past])}`;
  const query = useGathered(key, async (ask): Promise<DailyGoal> => {
    const [targets, actuals] = await Promise.all([
      ask('readTargets', ofTargets),
      month.past === 0 ? [] : actualsOf(ask, past, isVendor, name),
    ]);
    const ofDays = targets.data.map((bucket) => bucket[targetFields[name]]);
    return { of: key!, targets: ofDays, actuals };
  });
  // The days of another store would be in its currency.
  const value = query.value?.of === key ? query.value : undefined;
  const request = store && [
    requestOf('readTargets', ofTargets),
    isVendor
      ? requestOf('viewVendorSalesByPeriod', past)
      : requestOf('viewSalesByPeriod', { ...past, includeTax: false }),
  ];
  return { ...query, value, request };
}

async function actualsOf(
  ask: Ask,
  past: Input<'viewVendorSalesByPeriod'>,
  isVendor: boolean,
  name: GoalName,
): Promise<number[]> {
  if (isVendor) {
    const { formattedChartData: rows } = await ask('viewVendorSalesByPeriod', past);
    return rows.map((row) => numberOf(name === 'ads' ? row.adSpend : row.orderedRevenue) ?? 0);
  }
  const { formattedChartData: rows } = await ask('viewSalesByPeriod', {
    ...past,
    includeTax: false,
  });
  return rows.map((row) => numberOf(name === 'ads' ? row.adSpend : row.sales) ?? 0);
}

/** The target of a store from its days. */
export function goalOfDays({ targets, actuals }: DailyGoal): Omit<Goal, 'projected'> {
  const sum = (values: readonly (number | null)[]) =>
    values.every((value) => value === null)
      ? undefined
      : values.reduce<number>((total, value) => total + (value ?? 0), 0);
  return {
    actual: actuals.length === 0 ? undefined : actuals.reduce((total, value) => total + value, 0),
    toDate: sum(targets.slice(0, actuals.length)),
    target: sum(targets),
  };
}
