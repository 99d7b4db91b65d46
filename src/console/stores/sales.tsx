/** The sales of a store: totals, one of them over time, and the figures behind them. */

import { TimeSeries } from '../charts/timeSeries.tsx';
import { IntervalChoice } from '../parts/intervalChoice.tsx';
import { NoSales } from '../parts/noSales.tsx';
import { Empty, Failed, Note } from '../parts/panel.tsx';
import { Tiles } from '../parts/tiles.tsx';
import { type RequestQuery, useQuery } from '../queries.ts';
import { inDay } from '../view/format.ts';
import type { Store } from '../view/stores.tsx';
import type { View } from '../view/view.ts';
import {
  type Interval,
  intervalName,
  intervalOf,
  intervalsOf,
  standardInterval,
} from './intervals.ts';
import { LineageOfDay } from './lineage.tsx';
import {
  type Metric,
  type Row,
  sellerMetrics,
  shopMetrics,
  totalOf,
  vendorMetrics,
} from './metrics.ts';
import { knownTo, pointsOf } from './points.ts';

type SalesProps = { readonly view: View; readonly store: Store };
/** A question whose answer has a row per bucket. */
type Figures = RequestQuery<{
  readonly currency: string;
  readonly formattedChartData: readonly Row[];
}>;

const tilesMax = 6;
const smallHeight = 132;

/** The sales of a store. */
export function Sales({ view, store }: SalesProps) {
  const isVendor = store.kind === 'vendor';
  const isShop = !isVendor && store.marketplace !== 'primarymkt';
  const metrics = isVendor ? vendorMetrics : isShop ? shopMetrics : sellerMetrics;
  const { params } = view.address;
  const metric = metrics.find(({ id }) => id === params.get('metric')) ?? metrics[0]!;
  const hasHours = !isVendor && metric.dataset === undefined;
  const interval = intervalOf(params, view.range, hasHours);
  const daily = intervalOf(params, view.range, false);
  const totals = useFigures(view, store, 'y');
  const series = useFigures(view, store, interval);
  const ofDays = useFigures(view, store, daily === interval ? undefined : daily);
  const days = daily === interval ? series : ofDays;
  return (
    <>
      <Totals view={view} store={store} metrics={metrics} metric={metric} totals={totals} />
      <ShortComparison
        view={view}
        store={store}
        metric={metrics[0]!}
        interval={daily}
        figures={days}
      />
      <Chart
        view={view}
        store={store}
        metric={metric}
        interval={interval}
        figures={series}
        controls={
          <IntervalChoice
            view={view}
            options={intervalsOf(view.range, hasHours)}
            chosen={interval}
            standard={standardInterval(view.range, hasHours)}
          />
        }
      />
      {!isShop && (
        <div class="multiples">
          {smallOf(metrics).map((one) => (
            <Chart
              key={one.id}
              view={view}
              store={store}
              interval={daily}
              figures={days}
              metric={one}
              height={smallHeight}
            />
          ))}
        </div>
      )}
      <LineageOfDay view={view} store={store} />
    </>
  );
}

const smallIds = ['sessions', 'views', 'conversion', 'buy-box', 'spend', 'cogs'];
const smallOf = (metrics: readonly Metric[]) => metrics.filter(({ id }) => smallIds.includes(id));

/** Asks a store for its figures by period. */
function useFigures(view: View, store: Store, interval: Interval | 'y' | undefined): Figures {
  const { fromDate, toDate, priorFromDate, priorToDate, timezone } = view.dates;
  const input = {
    channelId: store.channelId,
    merchantId: store.merchantId,
    reportOptions: {
      fromDate,
      toDate,
      timezone,
      ...(view.comparison !== 'none' && { priorFromDate, priorToDate }),
    },
  };
  const isVendor = store.kind === 'vendor';
  const seller = useQuery(
    'viewSalesByPeriod',
    isVendor || interval === undefined
      ? undefined
      : { ...input, includeTax: false, reportOptions: { ...input.reportOptions, interval } },
  );
  const vendor = useQuery(
    'viewVendorSalesByPeriod',
    !isVendor || interval === undefined || interval === 'h'
      ? undefined
      : { ...input, reportOptions: { ...input.reportOptions, interval } },
  );
  return isVendor ? vendor : seller;
}

type TotalsProps = SalesProps & {
  readonly metrics: readonly Metric[];
  readonly metric: Metric;
  readonly totals: Figures;
};

function Totals({ view, store, metrics, metric, totals }: TotalsProps) {
  const { value, problem, isLoading, retry } = totals;
  if (problem !== undefined)
    return (
      <div class="panel">
        <Failed problem={problem} name="the totals" retry={retry} />
      </div>
    );
  const rows = value?.formattedChartData;
  const tiles = metrics.slice(0, tilesMax).map((one) => {
    const known = knownTo(store, one);
    const isCut = known !== undefined && known !== '' && known < view.range.last;
    return {
      ...one,
      value: known === '' ? undefined : rows && totalOf(one, rows, false),
      prior: known === '' ? undefined : rows && totalOf(one, rows, true),
      isWaiting: rows === undefined,
      ...(isCut && { incomplete: `data to ${inDay(known)}` }),
    };
  });
  return (
    <Tiles
      tiles={tiles}
      currency={value?.currency ?? store.currency}
      chosen={metric.id}
      hasComparison={view.comparison !== 'none'}
      isLoading={isLoading}
    />
  );
}

/** The part of the comparison that may lack sales at its beginning without a note. */
const silentPart = 0.1;

/** Says that the comparison begins before the data. */
function ShortComparison({ view, store, metric, interval, figures }: ChartProps) {
  const rows = figures.value?.formattedChartData ?? [];
  const points = pointsOf(metric, rows, interval, view, store);
  const first = points.findIndex(({ prior }) => prior !== undefined);
  if (view.comparison === 'none' || first <= points.length * silentPart) return null;
  return (
    <Note>
      Sales of the comparison begin with {points[first]!.priorName}, so the changes read too high.
    </Note>
  );
}

type ChartProps = SalesProps & {
  readonly metric: Metric;
  readonly interval: Interval;
  readonly figures: Figures;
  readonly height?: number;
  readonly controls?: preact.ComponentChildren;
};

function Chart({ view, store, metric, interval, figures, height, controls }: ChartProps) {
  const { value, problem, isLoading, retry, request } = figures;
  const rows = value?.formattedChartData ?? [];
  const instead = problem ? (
    <Failed problem={problem} name={metric.name.toLowerCase()} retry={retry} />
  ) : knownTo(store, metric) === '' ? (
    <NoData metric={metric} />
  ) : height === undefined && value !== undefined && isEmpty(rows) ? (
    <NoSales view={view} />
  ) : undefined;
  return (
    <TimeSeries
      title={metric.name}
      of={intervalName(interval)}
      points={pointsOf(metric, rows, interval, view, store)}
      unit={metric.unit}
      currency={value?.currency ?? store.currency}
      hasPrior={view.comparison !== 'none'}
      request={request}
      controls={controls}
      isLoading={isLoading}
      isReady={value !== undefined}
      {...(height && { height })}
      instead={instead}
    />
  );
}

const soldFields = ['sales', 'unitsSold', 'pageViews', 'orderedRevenue', 'glanceViews'];
/** Whether nothing was sold, and nothing was viewed. */
const isEmpty = (rows: readonly Row[]): boolean =>
  rows.every((row) => soldFields.every((field) => Number(row[field] ?? 0) === 0));

function NoData({ metric }: { readonly metric: Metric }) {
  const isAdvertising = metric.dataset === 'campaignDays';
  return (
    <Empty icon="chart" title={isAdvertising ? 'No advertising data' : 'No traffic data'}>
      <p>
        {isAdvertising ? 'Reports of campaigns bring it' : 'The Sales and Traffic report brings it'}
        . <a href="/guides/importing">Import one</a>
      </p>
    </Empty>
  );
}
