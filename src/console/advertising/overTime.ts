/**
 * Spend and ad sales over time: by day in one currency; where several are converted, each point is
 * a question of its own, so longer periods are read by week.
 */
import { useMemo } from 'preact/hooks';
import type { LinePoint } from '../charts/points.ts';
import type { Refused } from '../client.ts';
import type { DataInput, PublicRequest } from '../data.ts';
import { requestOf } from '../data.ts';
import { useQueries } from '../queries.ts';
import { advertisingOf } from '../view/advertised.ts';
import { addDays, type Day, daysFrom, secondsOf } from '../view/days.ts';
import { inDay, inRange, inShortDay, inWeekday, numberOf } from '../view/format.ts';
import type { Range } from '../view/periods.ts';
import type { Store } from '../view/stores.tsx';
import type { View } from '../view/view.ts';
import { asked, type Scope, share } from './scope.ts';

/** Figures of a bucket that add up; undefined where nothing is known. */
type Sums = { readonly spend: number | undefined; readonly sales: number | undefined };
type Bucket = { readonly own: Sums; readonly prior: Sums };

/** The lines. */
export type OverTime = {
  /** The length of a point. */
  readonly of: 'Day' | 'Week';
  readonly lines: Readonly<Record<'spend' | 'sales' | 'acos', readonly LinePoint[]>>;
  readonly isLoading: boolean;
  readonly problem: Refused | undefined;
  /** The requests that answer the figures. */
  readonly requests: readonly PublicRequest[];
};

const daysOfWeek = 7;
/** Up to these days each point is a day. */
const daysMax = 2 * daysOfWeek;

/** Reads the lines of the stores. */
export function useOverTime(view: View, scope: Scope): OverTime {
  const stores = scope.stores ?? [];
  const hasOneCurrency = stores.every(({ currency }) => currency === view.currency);
  const byDay = useByDay(view, hasOneCurrency ? stores : []);
  const byWeek = useByWeek(view, hasOneCurrency ? [] : stores);
  const { buckets, points, isLoading, problem, requests } = hasOneCurrency ? byDay : byWeek;
  const isByDay = hasOneCurrency || daysFrom(view.range.first, view.range.last) <= daysMax;
  const partialFrom = firstPartialOf(stores, view);
  return useMemo(() => {
    const line = (figureOf: (sums: Sums) => number | undefined) =>
      buckets.map(({ own, prior }, place) => ({
        ...points[place]!,
        value: figureOf(own),
        prior: figureOf(prior),
        isPartial: points[place]!.last >= partialFrom,
      }));
    return {
      ...{ isLoading, problem, requests },
      of: isByDay ? ('Day' as const) : ('Week' as const),
      lines: {
        spend: line(({ spend }) => spend),
        sales: line(({ sales }) => sales),
        acos: line(({ spend, sales }) => share(spend, sales)),
      },
    };
  }, [buckets, points, isLoading, problem, partialFrom, isByDay]);
}

/** The first day that some of the stores lack. */
function firstPartialOf(stores: readonly Store[], { today }: View): Day {
  const last = stores.flatMap(({ freshness }) => freshness?.campaignDays ?? []).sort()[0];
  return last === undefined ? today : addDays(last, 1);
}

type Point = Pick<LinePoint, 'key' | 'label' | 'name' | 'priorName'> & { readonly last: Day };
type Read = {
  readonly buckets: readonly Bucket[];
  readonly points: readonly Point[];
  readonly isLoading: boolean;
  readonly problem: Refused | undefined;
  readonly requests: readonly PublicRequest[];
};

type Row = {
  readonly adSpend: string;
  readonly adSales: string;
  readonly priorAdSpend: string;
  readonly priorAdSales: string;
};

function useByDay(view: View, stores: readonly Store[]): Read {
  const inputOf = (store: Store) => ({
    channelId: store.channelId,
    merchantId: store.merchantId,
    reportOptions: { ...periodsOf(view, store.timezone), interval: 'd' as const },
  });
  const inputsOf = (kind: Store['kind']) =>
    stores.filter((store) => store.kind === kind).map(inputOf);
  const [own, vendors] = [inputsOf('seller'), inputsOf('vendor')];
  const sellerAnswers = useQueries('viewSalesByPeriod', own);
  const vendorAnswers = useQueries('viewVendorSalesByPeriod', vendors);
  const answers = [...sellerAnswers.values, ...vendorAnswers.values];
  const isLoading = sellerAnswers.isLoading || vendorAnswers.isLoading;
  const { range, prior } = view;
  const points = useMemo(
    () =>
      Array.from({ length: daysFrom(range.first, range.last) }, (_, place) => {
        const day = addDays(range.first, place);
        return {
          ...{ key: day, label: inShortDay(day), name: inWeekday(day), last: day },
          priorName: inDay(addDays(prior.first, place)),
        };
      }),
    [range.first, range.last, prior.first],
  );
  const buckets = isLoading
    ? []
    : points.map((_, place) => {
        const rows = answers.flatMap(
          (answer) => (answer?.formattedChartData[place] as Row | undefined) ?? [],
        );
        return {
          own: summed(rows.map((row) => [row.adSpend, row.adSales])),
          prior: summed(rows.map((row) => [row.priorAdSpend, row.priorAdSales])),
        };
      });
  return {
    ...{ buckets, points, isLoading, problem: sellerAnswers.problem ?? vendorAnswers.problem },
    requests: [
      ...own.map((input) => requestOf('viewSalesByPeriod', input)),
      ...vendors.map((input) => requestOf('viewVendorSalesByPeriod', input)),
    ],
  };
}

/** Both periods in the zone of a store. */
function periodsOf({ range, prior, comparison }: View, timezone: string) {
  const { fromDate, toDate } = secondsOf(range.first, range.last, timezone);
  const before = secondsOf(prior.first, prior.last, timezone);
  return {
    ...{ fromDate, toDate, timezone },
    ...(comparison !== 'none' && {
      priorFromDate: before.fromDate,
      priorToDate: before.toDate,
    }),
  };
}

function useByWeek(view: View, stores: readonly Store[]): Read {
  const { range, prior, comparison, zone } = view;
  const buckets = useMemo(() => bucketsOf(range, prior), [range.first, range.last, prior.first]);
  const inputs: DataInput<'viewAdvertisingByChannels'>[] =
    stores.length === 0
      ? []
      : buckets.map(({ own, prior: before }) => ({
          ...asked(view, periodsOf({ ...view, range: own, prior: before, comparison }, zone)),
          pageSize: 100,
        }));
  const { values, isLoading, problem } = useQueries('viewAdvertisingByChannels', inputs);
  const points = buckets.map(({ own, prior: before }) => ({
    ...{ key: own.first, label: inShortDay(own.last), name: inRange(own, false) },
    ...{ priorName: inRange(before, false), last: own.last },
  }));
  const sums = isLoading
    ? []
    : values.map((answer) => {
        const adsOf = advertisingOf(answer!.data.items);
        const items = stores.flatMap((store) => adsOf(store) ?? []);
        return {
          own: summed(items.map(({ spend, adsales }) => [spend, adsales])),
          prior: summed(items.map(({ priorSpend, priorAdsales }) => [priorSpend, priorAdsales])),
        };
      });
  const requests = inputs.map((input) => requestOf('viewAdvertisingByChannels', input));
  return { buckets: sums, points, isLoading, problem, requests };
}

/** Days, or whole weeks back from the last day; those of the comparison lie alike. */
function bucketsOf(range: Range, prior: Range): { readonly own: Range; readonly prior: Range }[] {
  const days = daysFrom(range.first, range.last);
  const step = days <= daysMax ? 1 : daysOfWeek;
  const shift = daysFrom(prior.first, range.first) - 1;
  return Array.from({ length: Math.floor(days / step) }, (_, place) => {
    const last = addDays(range.last, -place * step);
    const own = { first: addDays(last, 1 - step), last };
    return { own, prior: { first: addDays(own.first, -shift), last: addDays(last, -shift) } };
  }).reverse();
}

/** Adds figures up; "-" is unknown, and all unknown have no sum. */
function summed(rows: readonly (readonly [string, string])[]): Sums {
  const sumOf = (place: 0 | 1) => {
    const known = rows.flatMap((row) => numberOf(row[place]) ?? []);
    return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0);
  };
  return { spend: sumOf(0), sales: sumOf(1) };
}
