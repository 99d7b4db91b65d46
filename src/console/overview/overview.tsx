/** How all stores do, and which one to open now. */
import { TimeSeries } from '../charts/timeSeries.tsx';
import { ViewPage } from '../frame/viewPage.tsx';
import { Failed, Note, Skeleton } from '../parts/panel.tsx';
import { Segments } from '../parts/segments.tsx';
import { type Tile, Tiles } from '../parts/tiles.tsx';
import { useQuery } from '../queries.ts';
import type { Store } from '../view/stores.tsx';
import type { View } from '../view/view.ts';
import { Attention } from './attention.tsx';
import type { SalesRow, Totals } from './figures.ts';
import { useStoreFigures } from './questions.ts';
import { type ProfitRows, pointsOf, type Series, seriesOfProfit, seriesOfSales } from './series.ts';
import { StoresTable } from './storesTable.tsx';

/** Stores that one question about profit can add up. */
const profitStoresMax = 20;

const intervals = [
  { id: 'day', name: 'Day' },
  { id: 'week', name: 'Week' },
  { id: 'month', name: 'Month' },
] as const;
type Interval = (typeof intervals)[number]['id'];

/** The overview. */
export function Overview() {
  return <ViewPage title="Overview">{(view) => <Content view={view} />}</ViewPage>;
}

/** The questions of the overview. */
function useAnswers(view: View, interval: Interval) {
  const { stores, currency, dates } = view;
  const sellers = sellersOf(stores);
  const stored = useStoreFigures(view, interval);
  const profit = useQuery(
    'viewProfitByPeriod',
    sellers.length === 0
      ? undefined
      : {
          channelIds: sellers.map(({ channelId }) => channelId),
          reportOptions: { ...dates, interval },
          currentCurrency: currency,
        },
  );
  return { ...stored, profit, sellers };
}

function Content({ view }: { readonly view: View }) {
  const { address, currency, comparison } = view;
  const interval =
    intervals.find(({ id }) => id === address.params.get('interval')) ?? intervals[0];
  const { sales, figures, totals, profit, sellers } = useAnswers(view, interval.id);
  if (sales.problem !== undefined)
    return <Failed problem={sales.problem} name="the sales of your stores" retry={sales.retry} />;
  if (sales.value === undefined || figures === undefined || totals === undefined)
    return <Skeleton lines={8} height={480} />;
  const metrics = metricsOf(totals, sales.value.rows, profit.value?.formattedChartData);
  const tiles = metrics.map(({ tile }) => tile);
  const chosen =
    metrics.find(({ tile }) => tile.id === address.params.get('metric')) ?? metrics[0]!;
  const source = chosen.isOfProfit ? profit : sales;
  const hasPrior = comparison !== 'none';
  return (
    <>
      <Caveats view={view} unrated={totals.unrated} sellers={sellers.length} />
      <Tiles
        tiles={tiles}
        currency={currency}
        chosen={chosen.tile.id}
        hasComparison={hasPrior}
        isLoading={sales.isLoading}
      />
      <div class="columns">
        <TimeSeries
          title={chosen.tile.name}
          of={interval.name}
          points={pointsOf(chosen.series, interval.id, view)}
          unit={chosen.tile.unit}
          currency={currency}
          hasPrior={hasPrior}
          request={source.request}
          isFaded={source.isLoading}
          isReady={source.value !== undefined}
          controls={
            <Segments
              name="Interval"
              options={intervals}
              chosen={interval.id}
              hrefOf={(id) => address.hrefOf({ interval: id === 'day' ? undefined : id })}
            />
          }
        />
        <Attention view={view} figures={figures} profit={profit.value?.formattedChartData} />
      </div>
      <StoresTable
        view={view}
        figures={figures}
        totals={totals}
        request={sales.request}
        isLoading={sales.isLoading}
      />
    </>
  );
}

type Metric = {
  readonly tile: Tile;
  readonly series: Series;
  /** Whether it comes from the profit, which is asked by itself. */
  readonly isOfProfit: boolean;
};

/** The metrics in the order of their tiles. */
function metricsOf(
  totals: Totals,
  rows: readonly SalesRow[],
  profit: ProfitRows | undefined,
): Metric[] {
  const ofSales = seriesOfSales(rows);
  const { netProfit, margin, tacos } = seriesOfProfit(profit);
  const metric = (tile: Tile, series: Series, isOfProfit = false) => ({ tile, series, isOfProfit });
  const amount = 'amount' as const;
  return [
    metric({ id: 'sales', name: 'Sales', unit: amount, ...totals.sales }, ofSales.sales),
    metric(
      { id: 'profit', name: 'Net profit', unit: amount, ...netProfit.total },
      netProfit.buckets,
      true,
    ),
    metric(
      { id: 'margin', name: 'Margin', unit: 'percent', ...margin.total },
      margin.buckets,
      true,
    ),
    metric({ id: 'orders', name: 'Orders', unit: 'count', ...totals.orders }, ofSales.orders),
    metric(
      { id: 'average', name: 'Average order', unit: amount, ...totals.averageOrder },
      ofSales.average,
    ),
    metric(
      { id: 'tacos', name: 'TACoS', unit: 'percent', meaning: 'bad', ...totals.tacos },
      tacos,
      true,
    ),
  ];
}

const sellersOf = (stores: readonly Store[]) =>
  stores.filter(({ kind }) => kind !== 'vendor').slice(0, profitStoresMax);

type CaveatsProps = {
  readonly view: View;
  readonly unrated: readonly Store[];
  /** Stores that the profit adds up. */
  readonly sellers: number;
};

/** Notes on stores that the totals leave out. */
function Caveats({ view, unrated, sellers }: CaveatsProps) {
  const vendors = view.stores.filter(({ kind }) => kind === 'vendor').length;
  const left = view.stores.length - vendors - sellers;
  const names = unrated.map(({ displayName }) => displayName).join(', ');
  return (
    <>
      {unrated.length > 0 && (
        <Note>
          The totals leave out {names}: there is no exchange rate to {view.currency} for all of
          their amounts.
        </Note>
      )}
      {left > 0 && (
        <Note>
          Profit adds up the first {sellers} stores; choose stores to see that of the other {left}.
        </Note>
      )}
    </>
  );
}
