/** How all stores do, and which one to open now. */
import { TimeSeries } from '../charts/timeSeries.tsx';
import { ViewPage } from '../frame/viewPage.tsx';
import { Failed, Note, Skeleton } from '../parts/panel.tsx';
import { Segments } from '../parts/segments.tsx';
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
import type { SalesRow, Totals } from './figures.ts';
import { useStoreFigures } from './questions.ts';
import { type ProfitRows, pointsOf, type Series, seriesOfProfit, seriesOfSales } from './series.ts';
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

/** The questions of the overview. */
function useAnswers(view: View, interval: Interval) {
  const { stores, currency, dates } = view;
  const stored = useStoreFigures(view, interval);
  const profit = useProfitOf(sellersOf(stores), {
    reportOptions: { ...dates, interval },
    currentCurrency: currency,
  });
  return { ...stored, profit };
}

function Content({ view }: { readonly view: View }) {
  const { address, currency, comparison } = view;
  const interval = intervalOf(address.params, view.range);
  const { sales, figures, totals, profit } = useAnswers(view, interval);
  if (sales.problem !== undefined)
    return <Failed problem={sales.problem} name="the sales of your stores" retry={sales.retry} />;
  if (sales.value === undefined || figures === undefined || totals === undefined)
    return <Skeleton lines={8} height={480} />;
  const metrics = metricsOf(totals, sales.value.rows, profit.value?.rows);
  const tiles = metrics.map(({ tile }) => tile);
  const chosen =
    metrics.find(({ tile }) => tile.id === address.params.get('metric')) ?? metrics[0]!;
  const source = chosen.isOfProfit ? profit : sales;
  const hasPrior = comparison !== 'none';
  return (
    <>
      <Caveats view={view} unrated={totals.unrated} />
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
          of={intervalName(interval)}
          points={pointsOf(chosen.series, interval, view)}
          unit={chosen.tile.unit}
          currency={currency}
          hasPrior={hasPrior}
          request={source.request}
          isFaded={source.isLoading}
          isReady={source.value !== undefined}
          instead={
            source.problem && (
              <Failed
                problem={source.problem}
                name={chosen.tile.name.toLowerCase()}
                retry={source.retry}
              />
            )
          }
          controls={
            <Segments
              name="Interval"
              options={intervals}
              chosen={interval}
              hrefOf={(id) =>
                address.hrefOf({ interval: id === standardInterval(view.range) ? undefined : id })
              }
            />
          }
        />
        <Attention view={view} figures={figures} profit={profit.value?.rows} />
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

/** Notes on stores that the totals leave out. */
function Caveats({ view, unrated }: { readonly view: View; readonly unrated: readonly Store[] }) {
  if (unrated.length === 0) return null;
  const names = unrated.map(({ displayName }) => displayName).join(', ');
  return (
    <Note>
      The totals leave out {names}: there is no exchange rate to {view.currency} for all of their
      amounts.
    </Note>
  );
}
