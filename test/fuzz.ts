/**
 * Prints the results of a run of random requests.
 * `node test/fuzz.ts [requests=100000] [seed] [embedded|served]`
 */
import { fuzz } from './fuzz/run.ts';
import type { Pair } from './harness.ts';

if (import.meta.main) {
  const [requests = '100000', seed = String(Date.now() % 1_000_000_000), pair = 'embedded'] =
    process.argv.slice(2);
  const begun = performance.now();
  const report = await fuzz(pair as Pair, Number(requests), Number(seed));
  for (const [operation, statuses] of Object.entries(report.statuses))
    console.log(operation.padEnd(24), JSON.stringify(statuses));
  for (const { operation, reason, request } of report.failures)
    console.log(`\n${operation}: ${reason}\n  ${request}`);
  console.log(
    `\n${report.requests} requests, seed ${report.seed}, ${report.failures.length} failures, at most ${report.mebibytes} MiB, ${Math.round((performance.now() - begun) / 1000)} s`,
  );
  process.exitCode = report.failures.length === 0 ? 0 : 1;
}
