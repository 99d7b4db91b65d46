/** The answer of a view over time. */
import { type Bucket, isoInstant } from '../calendar/period.ts';
import type { JsonBytes } from '../figures/jsonBytes.ts';
import { writeInSlices } from './slices.ts';

/** Writes a view over time as JSON in parts: a row for each bucket, which `write` writes. */
export function writeChart(
  currency: string,
  buckets: readonly Bucket[],
  write: (out: JsonBytes, bucket: Bucket, index: number) => void,
): Promise<Buffer[]> {
  const head = `{"status":"success","currency":${JSON.stringify(currency)},"formattedChartData":[`;
  return writeInSlices(head, buckets, write, ']}');
}

/**
 * The JSON of the first fields of a row, without a closing brace: the first and the last second of
 * its bucket, and the currency.
 */
export function timesOf(
  zone: string,
  { startEpochSeconds, endEpochSeconds }: Bucket,
  currency: string,
): string {
  const [start, end] = [isoInstant(zone, startEpochSeconds), isoInstant(zone, endEpochSeconds)];
  return `{"startTime":"${start}","endTime":"${end}","currency":"${currency}"`;
}
