/** The points of a chart over time, and the scales that place them. */
import type { scaleLinear } from 'd3-scale';
import { type Interval, namedBuckets } from '../view/intervals.ts';
import type { View } from '../view/view.ts';

/** A point of the line. */
export type LinePoint = {
  readonly key: string;
  /** Its name on the axis. */
  readonly label: string;
  /** Its name in full. */
  readonly name: string;
  readonly priorName: string;
  /** Undefined where data is missing, which breaks the line. */
  readonly value: number | undefined;
  readonly prior: number | undefined;
  /** Whether the bucket is not over yet; its line is dotted. */
  readonly isPartial?: boolean;
  /** An event of that day, such as Black Friday; written on the line. */
  readonly event?: string | undefined;
  /** An event of the day that it is compared with. */
  readonly priorEvent?: string | undefined;
};

/** A figure of this period and of the prior one. */
export type Pair = Pick<LinePoint, 'value' | 'prior'>;

/** The points of a chart: the buckets of a view with their figures. */
export const pointsOf = (
  { range, prior, today }: Pick<View, 'range' | 'prior' | 'today'>,
  interval: Interval,
  figuresAt: (place: number) => Pair,
): LinePoint[] =>
  namedBuckets(range, prior, interval).map((bucket, place) => ({
    ...bucket,
    ...figuresAt(place),
    isPartial: bucket.isCut || bucket.last >= today,
  }));

/** A scale of a chart. */
export type Scale = ReturnType<typeof scaleLinear<number, number>>;
/** Points with their scales. */
export type Drawn = { readonly x: Scale; readonly y: Scale; readonly points: readonly LinePoint[] };
