/** Writes the answer of a view over time. */
import { type Bucket, isoInstant } from '../calendar/period.ts';
import { writeInSlices } from './slices.ts';

/** Writes a view over time as JSON in parts, with one row per bucket, written by `rowOf`. */
export function writeChart(
  currency: string,
  buckets: readonly Bucket[],
  rowOf: (bucket: Bucket, index: number) => string,
): Promise<Buffer[]> {
  const head = `{"status":"success","currency":${JSON.stringify(currency)},"formattedChartData":[`;
  return writeInSlices(head, buckets, rowOf, ']}');
}

/** The first fields of a row: the first and last second of its bucket, and the currency. */
export function timesOf(
  zone: string,
  { startEpochSeconds, endEpochSeconds }: Bucket,
  currency: string,
) {
  return {
    startTime: isoInstant(zone, startEpochSeconds),
    endTime: isoInstant(zone, endEpochSeconds),
    currency,
  };
}
