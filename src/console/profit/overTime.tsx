/** The chosen figure of the profit over time. */
import { pointsOf } from '../charts/points.ts';
import { TimeSeries } from '../charts/timeSeries.tsx';
import { IntervalChoice } from '../parts/intervalChoice.tsx';
import { Failed } from '../parts/panel.tsx';
import { intervalName, intervalOf, intervals, standardInterval } from '../view/intervals.ts';
import type { ProfitRow } from '../view/profits.ts';
import type { Store } from '../view/stores.tsx';
import type { View } from '../view/view.ts';
import { sumOf } from './figures.ts';
import type { ProfitMetric } from './metrics.ts';
import { useProfit } from './questions.ts';

const height = 230;

type OverTimeProps = {
  readonly view: View;
  readonly stores: readonly Store[];
  readonly metric: ProfitMetric;
};

/** The panel. */
export function OverTime({ view, stores, metric }: OverTimeProps) {
  const { address, range, comparison, currency } = view;
  const interval = intervalOf(address.params, range);
  const query = useProfit(view, stores, interval);
  if (query.problem !== undefined)
    return (
      <section class="panel">
        <Failed
          problem={query.problem}
          name={`${metric.name.toLowerCase()} over time`}
          retry={query.retry}
        />
      </section>
    );
  const rows = query.value?.rows ?? [];
  const figureOf = (row: ProfitRow | undefined, isPrior: boolean) => {
    const figures = row && sumOf([row], isPrior);
    return figures && metric.of(figures);
  };
  const points = pointsOf(view, interval, (place) => ({
    value: figureOf(rows[place], false),
    prior: figureOf(rows[place], true),
  }));
  return (
    <TimeSeries
      title={metric.name}
      of={intervalName(interval)}
      points={points}
      unit={metric.unit}
      currency={query.value?.currency ?? currency}
      hasPrior={comparison !== 'none'}
      request={query.request}
      isLoading={query.isLoading}
      isReady={query.value !== undefined}
      height={height}
      form={metric.unit === 'amount' ? 'columns' : 'lines'}
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
