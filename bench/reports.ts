/**
 * Peak memory of the service while it computes reports of growing size and they are downloaded: a
 * million rows must need no more than a few. `node bench/reports.ts [rows=1000000]`
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { askAs, freshService, makeCustomer } from '../test/service.ts';
import { peakOf } from './measure.ts';

const program = fileURLToPath(new URL('../test/slowReports.ts', import.meta.url));
const mebibyte = 1024 * 1024;

/** Computes a report of `rows` rows, downloads it, and prints the cost. */
async function measure(rows: number): Promise<void> {
  const trace = mkdtempSync(join(tmpdir(), 'vitrine-reports-'));
  await using service = await freshService({}, [program, join(trace, 'trace'), String(rows), '0']);
  const customer = await makeCustomer(service, 'bench', { marketplace: 'bench' });
  const { channelId, merchantId } = customer;
  const idle = peakOf(service.pid);
  const start = performance.now();
  const path = '/reports/create/inventoryReplenishment';
  const { reportId } = await askAs(service, customer, 'POST', path, { channelId, merchantId });
  const read = () => askAs(service, customer, 'GET', `/reports/status/${reportId}`);
  let report = await read();
  while (report.status !== 'done') {
    await delay(10);
    report = await read();
  }
  const computed = performance.now();
  const computedPeak = peakOf(service.pid);
  const response = await fetch(`${service.address}${new URL(report.downloadUrl!).pathname}`, {
    headers: { 'accept-encoding': 'identity' },
  });
  let bytes = 0;
  for await (const chunk of response.body!) bytes += chunk.length;
  const seconds = (performance.now() - computed) / 1000;
  const perSecond = Math.round(rows / ((computed - start) / 1000)).toLocaleString('en');
  console.log(
    `${rows.toLocaleString('en').padStart(10)} rows, ${(bytes / mebibyte).toFixed(1)} MiB: ` +
      `${perSecond} rows/s, downloaded at ${Math.round(bytes / mebibyte / seconds)} MiB/s; ` +
      `peak ${computedPeak} MiB, with the download ${peakOf(service.pid)} MiB (${idle} MiB before)`,
  );
  rmSync(trace, { recursive: true });
}

const rowsMost = Number(process.argv[2] ?? 1_000_000);
for (const rows of [1_000, rowsMost / 10, rowsMost]) await measure(rows);
