/** The points of a metric over time. */
import type { LinePoint } from '../charts/points.ts';
import type { Day } from '../view/days.ts';
import { none } from '../view/format.ts';
import type { Store } from '../view/stores.tsx';
import type { View } from '../view/view.ts';
import { type Bucket, bucketsOfView, type Interval } from './intervals.ts';
import { figureOf, type Metric, type Row } from './metrics.ts';

/** The last day with the data of a metric: "" where there is none, undefined where it is unknown. */
export function knownTo({ freshness }: Store, { dataset }: Metric): Day | undefined {
  if (dataset === undefined || freshness === undefined) return undefined;
  return freshness[dataset] ?? '';
}

/** The points of a metric, from rows that follow the buckets of the view. */
export function pointsOf(
  metric: Metric,
  rows: readonly Row[],
  interval: Interval,
  view: View,
  store: Store,
): LinePoint[] {
  const { today } = view;
  const buckets = bucketsOfView(view, interval);
  const known = knownTo(store, metric);
  return rows.flatMap((row, place) => {
    const bucket = buckets[place];
    if (bucket === undefined) return [];
    const isMissing = bucket.first > today || (known !== undefined && bucket.first > known);
    return [
      {
        key: `${place}`,
        label: bucket.label,
        name: bucket.name,
        priorName: bucket.priorName ?? none,
        value: isMissing ? undefined : figureOf(row, metric.field, false),
        prior: bucket.priorName === undefined ? undefined : priorOf(metric, row),
        isPartial: isPartial(bucket, place === rows.length - 1, known, today),
        event: bucket.event,
        priorEvent: bucket.priorEvent,
      },
    ];
  });
}

/** The figure of the comparison; a count of nothing there means that nothing is known. */
function priorOf(metric: Metric, row: Row): number | undefined {
  const figure = figureOf(row, metric.field, true);
  return metric.dataset !== undefined && metric.making === 'sum' && figure === 0
    ? undefined
    : figure;
}

function isPartial(
  { last, isCut }: Bucket,
  isLast: boolean,
  known: Day | undefined,
  today: Day,
): boolean {
  return last >= today || (isLast && isCut) || (known !== undefined && last > known);
}
