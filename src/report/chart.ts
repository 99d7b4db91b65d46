/** The answer of a view over time. */
import { writeInSlices } from './slices.ts';

/** Writes a view over time as JSON in parts: a row for each bucket, which `rowOf` writes. */
export function writeChart<Bucket>(
  currency: string,
  buckets: readonly Bucket[],
  rowOf: (bucket: Bucket, index: number) => string,
): Promise<Buffer[]> {
  const head = `{"status":"success","currency":${JSON.stringify(currency)},"formattedChartData":[`;
  return writeInSlices(head, buckets, rowOf, ']}');
}
