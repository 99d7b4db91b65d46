/** Runs every benchmark, one after another: `npm run bench`. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

for (const file of [
  'salesByPeriod.ts',
  'views.ts',
  'firstView.ts',
  'advertising.ts',
  'searchQueries.ts',
  'profitAndLoss.ts',
  'orders.ts',
  'trafficReport.ts',
  'imports.ts',
  'finance.ts',
  'fairness.ts',
  'besideReports.ts',
]) {
  console.log(`\n== ${file}`);
  const { status } = spawnSync(process.execPath, [fileURLToPath(new URL(file, import.meta.url))], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}
