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
import { useStoreFigures } from './questions.ts';
import { pointsOf, type Series, seriesOfProfit, seriesOfSales } from './series.ts';
import { StoresTable } from './storesTable.tsx';

/** Stores that one question about profit can add up. */
const profitStoresMax = 20;

const intervals = [
  { id: 'day', name: 'Day', of: 'Day' },
  { id: 'week', name: 'Week', of: 'Week' },
  { id: 'month', name: 'Month', of: 'Month' },
] as const;
type Interval = (typeof intervals)[number]['id'];

/** The overview. */
export function Overview() {
  return <ViewPage title="Overview">{(view) => <Content view={view} />}</ViewPage>;
}

function Content({ view }: { readonly view: View }) {
  const { address, stores, currency, dates, comparison } = view;
  const interval =
    intervals.find(({ id }) => id === address.params.get('interval')) ?? intervals[0];
  const { sales, figures, totals } = useStoreFigures(view, interval.id);
  const { timezone, ...windows } = dates;
  const sellers = sellersOf(stores);
  const profit = useQuery(
    'viewProfitByPeriod',
    sellers.length === 0
      ? undefined
      : {
          channelIds: sellers.map(({ channelId }) => channelId),
          reportOptions: { ...windows, timezone, interval: interval.id },
          currentCurrency: currency,
        },
  );
  if (sales.problem !== undefined)
    return <Failed problem={sales.problem} name="the sales of your stores" retry={sales.retry} />;
  if (sales.value === undefined || figures === undefined || totals === undefined)
    return <Skeleton lines={8} height={480} />;
  const ofProfit = seriesOfProfit(profit.value?.formattedChartData);
  const tiles: Tile[] = [
    { id: 'sales', name: 'Sales', unit: 'amount', ...totals.sales },
    { id: 'profit', name: 'Net profit', unit: 'amount', ...ofProfit.netProfit.total },
    { id: 'margin', name: 'Margin', unit: 'percent', ...ofProfit.margin.total },
    { id: 'orders', name: 'Orders', unit: 'count', ...totals.orders },
    { id: 'average', name: 'Average order', unit: 'amount', ...totals.averageOrder },
    { id: 'tacos', name: 'TACoS', unit: 'percent', meaning: 'bad', ...totals.tacos },
  ];
  const ofSales = seriesOfSales(sales.value.rows);
  const metric = chartMetric(address.params.get('metric'), tiles);
  const isOfProfit = metric.id === 'profit' || metric.id === 'margin' || metric.id === 'tacos';
  const series: Series = {
    sales: ofSales.sales,
    orders: ofSales.orders,
    average: ofSales.average,
    profit: ofProfit.netProfit.buckets,
    margin: ofProfit.margin.buckets,
    tacos: ofProfit.tacos,
  }[metric.id as 'sales']!;
  const source = isOfProfit ? profit : sales;
  const hasPrior = comparison !== 'none';
  return (
    <>
      <Caveats view={view} unrated={totals.unrated} sellers={sellers.length} />
      <Tiles
        tiles={tiles}
        currency={currency}
        chosen={metric.id}
        hasComparison={hasPrior}
        isLoading={sales.isLoading}
      />
      <div class="columns">
        <TimeSeries
          title={metric.name}
          of={interval.of}
          points={pointsOf(series, interval.id as Interval, view)}
          unit={metric.unit}
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

const chartMetric = (wanted: string | null, tiles: readonly Tile[]) =>
  tiles.find(({ id }) => id === wanted) ?? tiles[0]!;

const sellersOf = (stores: readonly Store[]) =>
  stores.filter(({ kind }) => kind !== 'vendor').slice(0, profitStoresMax);

type CaveatsProps = {
  readonly view: View;
  readonly unrated: readonly Store[];
  /** Stores that the profit adds up. */
  readonly sellers: number;
};

/** What the totals leave out. */
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
