/** The points of a chart over time, and the scales that place them. */
import type { scaleLinear } from 'd3-scale';

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
};

/** A scale of a chart. */
export type Scale = ReturnType<typeof scaleLinear<number, number>>;
/** Points with their scales. */
export type Drawn = { readonly x: Scale; readonly y: Scale; readonly points: readonly LinePoint[] };
