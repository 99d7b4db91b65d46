/**
 * Spend and ad sales over time: by day in one currency; where several are converted, each point is
 * a question of its own, so longer periods are read by week.
 */

import { useMemo } from 'preact/hooks';
import type { LinePoint } from '../charts/points.ts';
import { type ApiRequest, type Input, requestOf } from '../client.ts';
import { askPages, inTurns } from '../lists.ts';
import { useGathered } from '../queries.ts';
import type { Refused } from '../refused.ts';
import { advertisingOf } from '../view/advertised.ts';
import { addDays, type Day, daysFrom, secondsOf } from '../view/days.ts';
import { inRange, inShortDay, numberOf } from '../view/format.ts';
import { namedBuckets } from '../view/intervals.ts';
import type { Range } from '../view/periods.ts';
import type { Store } from '../view/stores.tsx';
import type { View } from '../view/view.ts';
import { questionOf, type Scope, share } from './scope.ts';

/** Figures of a bucket that add up; undefined where nothing is known. */
type Sums = { readonly spend: number | undefined; readonly sales: number | undefined };
type Bucket = { readonly own: Sums; readonly prior: Sums };

/** The lines. */
export type OverTime = {
  /** The length of a point. */
  readonly of: 'Day' | 'Week';
  /** Undefined until the figures are known. */
  readonly lines: Readonly<Record<'spend' | 'sales' | 'acos', readonly LinePoint[]>> | undefined;
  readonly isLoading: boolean;
  readonly problem: Refused | undefined;
  readonly retry: () => void;
  /** The requests that answer the figures. */
  readonly requests: readonly ApiRequest[];
};

const daysOfWeek = 7;
/** Up to these days each point is a day. */
const daysMax = 2 * daysOfWeek;
const pageSize = 100;
/** Weeks that are read at a time. */
const weeksAtOnce = 3;

/** Reads the lines of the stores. */
export function useOverTime(view: View, scope: Scope): OverTime {
  const stores = scope.stores ?? [];
  const hasOneCurrency = stores.every(({ currency }) => currency === view.currency);
  const byDay = useByDay(view, hasOneCurrency ? stores : []);
  const byWeek = useByWeek(view, hasOneCurrency ? [] : stores);
  const { points, buckets, ...query } = hasOneCurrency ? byDay : byWeek;
  const isByDay = hasOneCurrency || daysFrom(view.range.first, view.range.last) <= daysMax;
  const partialFrom = firstPartialOf(stores, view);
  const lines = useMemo(() => {
    if (buckets === undefined) return undefined;
    const line = (figureOf: (sums: Sums) => number | undefined) =>
      points.map((point, place) => ({
        ...point,
        value: figureOf(buckets[place]?.own ?? unknown),
        prior: figureOf(buckets[place]?.prior ?? unknown),
        isPartial: point.last >= partialFrom,
      }));
    return {
      spend: line(({ spend }) => spend),
      sales: line(({ sales }) => sales),
      acos: line(({ spend, sales }) => share(spend, sales)),
    };
  }, [buckets, partialFrom]);
  return { ...query, lines, of: isByDay ? 'Day' : 'Week' };
}

const unknown: Sums = { spend: undefined, sales: undefined };

/** The first day that some of the stores lack. */
function firstPartialOf(stores: readonly Store[], { today }: View): Day {
  const last = stores.flatMap(({ freshness }) => freshness?.campaignDays ?? []).sort()[0];
  return last === undefined ? today : addDays(last, 1);
}

type Read = Pick<OverTime, 'isLoading' | 'problem' | 'retry' | 'requests'> & {
  readonly points: readonly (Pick<LinePoint, 'key' | 'label' | 'name' | 'priorName'> & {
    readonly last: Day;
  })[];
  readonly buckets: readonly Bucket[] | undefined;
};

type Row = {
  readonly adSpend: string;
  readonly adSales: string;
  readonly priorAdSpend: string;
  readonly priorAdSales: string;
};

function useByDay(view: View, stores: readonly Store[]): Read {
  const inputsOf = (kind: Store['kind']) =>
    stores
      .filter((store) => store.kind === kind)
      .map(({ channelId, merchantId, timezone }) => ({
        channelId,
        merchantId,
        reportOptions: { ...periodsOf(view, timezone), interval: 'd' as const },
      }));
  const [own, vendors] = [inputsOf('seller'), inputsOf('vendor')];
  const key = stores.length === 0 ? undefined : `ads by day ${JSON.stringify([own, vendors])}`;
  const { value, ...query } = useGathered(key, async (ask) => {
    const answers: { readonly formattedChartData: readonly Row[] }[] = await Promise.all([
      ...own.map((input) => ask('viewSalesByPeriod', input)),
      ...vendors.map((input) => ask('viewVendorSalesByPeriod', input)),
    ]);
    return {
      buckets: answers[0]!.formattedChartData.map((_, place): Bucket => {
        const rows = answers.flatMap((answer) => answer.formattedChartData[place] ?? []);
        return {
          own: summed(rows.map((row) => [row.adSpend, row.adSales])),
          prior: summed(rows.map((row) => [row.priorAdSpend, row.priorAdSales])),
        };
      }),
    };
  });
  return {
    ...query,
    points: namedBuckets(view.range, view.prior, 'd'),
    buckets: value?.buckets,
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
    fromDate,
    toDate,
    timezone,
    ...(comparison !== 'none' && {
      priorFromDate: before.fromDate,
      priorToDate: before.toDate,
    }),
  };
}

function useByWeek(view: View, stores: readonly Store[]): Read {
  const ranges = bucketsOf(view.range, view.prior);
  const inputs: Input<'viewAdvertisingByChannels'>[] =
    stores.length === 0
      ? []
      : ranges.map(({ own: range, prior }) =>
          questionOf(view, periodsOf({ ...view, range, prior }, view.zone)),
        );
  const ids = stores.map(({ channelId }) => channelId);
  const key = stores.length === 0 ? undefined : `ads by week ${JSON.stringify([ids, inputs])}`;
  const { value, ...query } = useGathered(key, async (ask) => ({
    buckets: await inTurns(inputs.length, weeksAtOnce, async (place): Promise<Bucket> => {
      const { rows } = await askPages(ask, 'viewAdvertisingByChannels', inputs[place]!);
      const adsOf = advertisingOf(rows);
      const items = stores.flatMap((store) => adsOf(store) ?? []);
      return {
        own: summed(items.map(({ spend, adsales }) => [spend, adsales])),
        prior: summed(items.map(({ priorSpend, priorAdsales }) => [priorSpend, priorAdsales])),
      };
    }),
  }));
  return {
    ...query,
    points: ranges.map(({ own, prior }) => ({
      key: own.first,
      label: inShortDay(own.last),
      name: inRange(own, false),
      priorName: inRange(prior, false),
      last: own.last,
    })),
    buckets: value?.buckets,
    requests: inputs.map((input) =>
      requestOf('viewAdvertisingByChannels', { ...input, pageIndex: 0, pageSize }),
    ),
  };
}

/** Days, or whole weeks back from the last day; the comparison is divided alike. */
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
