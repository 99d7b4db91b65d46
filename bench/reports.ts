/**
 * Peak memory of the service while it computes reports of growing size and they are downloaded: a
 * million rows must need no more than a few. `node bench/reports.ts [rows=1000000]`
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Service, startService } from '../test/service.ts';
import { peakOf } from './measure.ts';

const program = fileURLToPath(new URL('../test/slowReports.ts', import.meta.url));
const mebibyte = 1024 * 1024;
const names = { channelId: 'bench', merchantId: 'BENCH' };

/** An owner's key and a channel. */
async function prepare(service: Service): Promise<string> {
  const { organisationId } = await service.operate('POST', '/operator/organisations', {
    name: 'Bench',
  });
  const { userId } = await service.operate('POST', '/operator/users', {
    organisationId,
    email: 'owner@example.com',
    role: 'owner',
  });
  const { key } = await service.operate('POST', '/operator/keys', {
    userId,
    limits: { perSecond: 1000, burst: 1000, perDay: 1_000_000 },
  });
  await service.operate('PUT', '/operator/channels/bench', {
    organisationId,
    merchantId: names.merchantId,
    marketplace: 'bench',
    kind: 'seller',
    countryCode: 'US',
    displayName: 'Bench',
    currency: 'USD',
    timezone: 'UTC',
    hasAdvertisingConnected: false,
  });
  return key;
}

/** Computes a report of `rows` rows, downloads it, and prints the cost. */
async function measure(rows: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-reports-'));
  const service = await startService(folder, {}, [
    program,
    join(folder, 'trace'),
    String(rows),
    '0',
  ]);
  try {
    const key = await prepare(service);
    const send = async (method: string, path: string, body?: object) => {
      const response = await service.ask(method, path, body, { 'x-api-key': key });
      if (response.status !== 200) throw new Error(await response.text());
      return (await response.json()) as { reportId: string; status: string; downloadUrl?: string };
    };
    const idle = peakOf(service.pid);
    const start = performance.now();
    const { reportId } = await send('POST', '/reports/create/inventoryReplenishment', names);
    let report = await send('GET', `/reports/status/${reportId}`);
    while (report.status !== 'done') {
      await delay(10);
      report = await send('GET', `/reports/status/${reportId}`);
    }
    const computed = performance.now();
    const computedPeak = peakOf(service.pid);
    const response = await fetch(`${service.address}${new URL(report.downloadUrl!).pathname}`, {
      headers: { 'accept-encoding': 'identity' },
    });
    let bytes = 0;
    for await (const chunk of response.body!) bytes += chunk.length;
    const seconds = (performance.now() - computed) / 1000;
    console.log(
      `${rows.toLocaleString('en').padStart(10)} rows, ${(bytes / mebibyte).toFixed(1)} MiB: ${Math.round(rows / ((computed - start) / 1000)).toLocaleString('en')} rows/s, ` +
        `downloaded at ${Math.round(bytes / mebibyte / seconds)} MiB/s; peak ${computedPeak} MiB, with the download ${peakOf(service.pid)} MiB (${idle} MiB before)`,
    );
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const rowsMost = Number(process.argv[2] ?? 1_000_000);
for (const rows of [1_000, rowsMost / 10, rowsMost]) await measure(rows);
