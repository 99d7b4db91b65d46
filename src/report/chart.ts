/** The answer of a view over time. */

/** The JSON of a view over time, made of the JSON of its rows. */
export function chartJson(currency: string, rows: readonly string[]): string {
  return `{"status":"success","currency":${JSON.stringify(currency)},"formattedChartData":[${rows.join(',')}]}`;
}
