/** How all stores do, and which one to open now. */
import { type Pair, pointsOf } from '../charts/points.ts';
import { TimeSeries } from '../charts/timeSeries.tsx';
import { ViewPage } from '../frame/viewPage.tsx';
import { IntervalChoice } from '../parts/intervalChoice.tsx';
import { NoSales } from '../parts/noSales.tsx';
import { Failed, Note } from '../parts/panel.tsx';
import { type Tile, Tiles } from '../parts/tiles.tsx';
import {
  type Interval,
  intervalName,
  intervalOf,
  intervals,
  standardInterval,
} from '../view/intervals.ts';
import { sellersOf, useProfitOf } from '../view/profits.ts';
import type { Store } from '../view/stores.tsx';
import { useView, type View } from '../view/view.ts';
import { Attention } from './attention.tsx';
import { type Stored, useStoreFigures } from './questions.ts';
import { type Series, seriesOfProfit, seriesOfSales } from './series.ts';
import { StoresTable } from './storesTable.tsx';

/** The overview. */
export function Overview() {
  const { stores } = useView();
  const hasVendors = sellersOf(stores).length < stores.length;
  return (
    <ViewPage
      title="Overview"
      caveats={[hasVendors ? 'Profit leaves out vendor stores.' : undefined]}
    >
      {(view) => <Content view={view} />}
    </ViewPage>
  );
}

function Content({ view }: { readonly view: View }) {
  const { address, currency, comparison, stores, dates } = view;
  const interval = intervalOf(address.params, view.range);
  const stored = useStoreFigures(view, interval);
  const profit = useProfitOf(sellersOf(stores), {
    reportOptions: { ...dates, interval },
    currentCurrency: currency,
  });
  const { sales, figures, totals } = stored;
  if (sales.problem !== undefined)
    return (
      <div class="panel">
        <Failed problem={sales.problem} name="the sales of your stores" retry={sales.retry} />
      </div>
    );
  const metrics = metricsOf(stored, profit);
  const chosen =
    metrics.find(({ tile }) => tile.id === address.params.get('metric')) ?? metrics[0]!;
  return (
    <>
      <Caveats view={view} unrated={totals?.unrated ?? []} advertising={stored.advertising} />
      <Tiles
        tiles={metrics.map(({ tile }) => tile)}
        currency={currency}
        chosen={chosen.tile.id}
        hasComparison={comparison !== 'none'}
        isLoading={sales.isLoading}
      />
      <div class="columns">
        <Chart
          view={view}
          interval={interval}
          metric={chosen}
          isEmpty={totals !== undefined && !totals.sales.value && !totals.orders.value}
        />
        <Attention view={view} figures={figures} profit={profit} />
      </div>
      <StoresTable view={view} stored={stored} />
    </>
  );
}

type ChartProps = {
  readonly view: View;
  readonly interval: Interval;
  readonly metric: Metric;
  /** Whether nothing was sold. */
  readonly isEmpty: boolean;
};

function Chart({ view, interval, metric, isEmpty }: ChartProps) {
  const { range, currency, comparison } = view;
  const { tile, series, source } = metric;
  const { problem, retry } = source;
  return (
    <TimeSeries
      title={tile.name}
      of={intervalName(interval)}
      points={pointsOf(view, interval, (place) => series[place] ?? unknown)}
      unit={tile.unit}
      currency={currency}
      hasPrior={comparison !== 'none'}
      request={source.request}
      isLoading={source.isLoading}
      isReady={source.value !== undefined}
      instead={
        problem ? (
          <Failed problem={problem} name={tile.name.toLowerCase()} retry={retry} />
        ) : isEmpty ? (
          <NoSales view={view} />
        ) : undefined
      }
      controls={
        <IntervalChoice
          view={view}
          options={intervals}
          chosen={interval}
          standard={standardInterval(range)}
        />
      }
    />
  );
}

const unknown: Pair = { value: undefined, prior: undefined };

type Profit = ReturnType<typeof useProfitOf>;
type Metric = {
  readonly tile: Tile;
  readonly series: Series;
  /** Its figures over time; profit is a question of its own. */
  readonly source: Stored['sales'] | Profit;
};

/** The metrics in the order of their tiles. */
function metricsOf({ sales, totals, advertising }: Stored, profit: Profit): Metric[] {
  const ofSales = seriesOfSales(sales.value?.rows ?? []);
  const { netProfit, margin, tacos } = seriesOfProfit(profit.value?.rows);
  const isWaiting = (query: { readonly value: unknown; readonly problem: unknown }) =>
    query.value === undefined && query.problem === undefined;
  const ofStores = (
    tile: Pick<Tile, 'id' | 'name' | 'unit'>,
    figures: Pair | undefined,
    series: Series,
  ): Metric => ({
    tile: { ...tile, ...(figures ?? unknown), isWaiting: isWaiting(sales) },
    series,
    source: sales,
  });
  const ofProfit = (
    tile: Pick<Tile, 'id' | 'name' | 'unit' | 'meaning'>,
    { total, buckets }: { readonly total: Pair; readonly buckets: Series },
    source: { readonly value: unknown; readonly problem: unknown } = profit,
  ): Metric => ({
    tile: { ...tile, ...total, isWaiting: isWaiting(source) || isWaiting(sales) },
    series: buckets,
    source: profit,
  });
  return [
    ofStores({ id: 'sales', name: 'Sales', unit: 'amount' }, totals?.sales, ofSales.sales),
    ofProfit({ id: 'profit', name: 'Net profit', unit: 'amount' }, netProfit),
    ofProfit({ id: 'margin', name: 'Margin', unit: 'percent' }, margin),
    ofStores({ id: 'orders', name: 'Orders', unit: 'count' }, totals?.orders, ofSales.orders),
    ofStores(
      { id: 'average', name: 'Average order', unit: 'amount' },
      totals?.averageOrder,
      ofSales.average,
    ),
    ofProfit(
      { id: 'tacos', name: 'TACoS', unit: 'percent', meaning: 'bad' },
      { total: totals?.tacos ?? unknown, buckets: tacos },
      advertising,
    ),
  ];
}

type CaveatsProps = {
  readonly view: View;
  readonly unrated: readonly Store[];
  readonly advertising: Stored['advertising'];
};

/** Notes on what the totals leave out. */
function Caveats({ view, unrated, advertising }: CaveatsProps) {
  const names = unrated.map(({ displayName }) => displayName).join(', ');
  return (
    <>
      {unrated.length > 0 && (
        <Note>
          The totals leave out {names}: there is no exchange rate to {view.currency} for all of
          their amounts.
        </Note>
      )}
      {advertising.problem !== undefined && (
        <Failed
          problem={advertising.problem}
          name="advertising, which TACoS needs"
          retry={advertising.retry}
        />
      )}
    </>
  );
}
