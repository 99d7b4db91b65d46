/** A full file system: imports get 503, questions are answered, and all recovers with more room. */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Pair } from '../test/harness.ts';
import { startClickHouse } from '../test/servers/clickhouse.ts';
import { type Customer, makeCustomer, type Service, startService } from '../test/service.ts';
import { importRows } from './importRows.ts';
import { amountOf, type Extent, type Finding, found, notMeasured } from './promise.ts';

type Disk = {
  readonly path: string;
  readonly resize: (megabytes: number) => void;
  readonly remove: () => void;
};

const smallMegabytes = { embedded: 140, served: 500 };
const largeMegabytes = 2_000;
const rowsPerDocument = 600;
const titleBytes = 1_000;
const roundsInFull = 3;
const documentsMax = 1_000;
const returnMillisecondsMax = 5_000;
const pollMilliseconds = 50;
const traffic = { date: '2025-03-01', pageViews: 7 };

/** Mounts a file system in memory; undefined where that is not permitted. */
function mountDisk(megabytes: number): Disk | undefined {
  const path = mkdtempSync(join(tmpdir(), 'vitrine-disk-'));
  const mount = (options: string) =>
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', path], { stdio: 'ignore' });
  try {
    mount(`size=${megabytes}m`);
  } catch {
    rmSync(path, { recursive: true });
    return undefined;
  }
  return {
    path,
    resize: (size) => mount(`remount,size=${size}m`),
    remove() {
      execFileSync('umount', ['--lazy', path]);
      rmSync(path, { recursive: true, force: true });
    },
  };
}

/** Products whose texts no engine can pack. */
function products(): string {
  const rows = Array.from({ length: rowsPerDocument }, () =>
    JSON.stringify({
      sku: randomBytes(12).toString('hex'),
      title: randomBytes(titleBytes).toString('base64').slice(0, titleBytes),
      imageUrl: `https://example.com/${randomBytes(titleBytes).toString('base64url')}`,
    }),
  );
  return rows.join('\n');
}

async function importProducts(service: Service, { channelId }: Customer): Promise<number> {
  const path = `/operator/imports/products?channelId=${channelId}`;
  const response = await service.ask('POST', path, products(), {
    authorization: service.authorization,
    'content-type': 'application/x-ndjson',
  });
  await response.text();
  return response.status;
}

async function readStatus(service: Service, { key, ...names }: Customer): Promise<string> {
  const fromDate = 1_740_787_200 - Math.floor(Math.random() * 80_000);
  const reportOptions = { fromDate, toDate: 1_740_873_599, timezone: 'UTC' };
  const body = { ...names, reportOptions };
  const path = '/reports/view/salesByPeriod';
  const response = await service.ask('POST', path, body, { 'x-api-key': key });
  const text = await response.text();
  return response.status === 200 && text.includes('"pageViews":7') ? 'right' : text.slice(0, 200);
}

/** Fills the disk, and returns the failures and the time of the recovery. */
async function fill(service: Service, tenant: Customer, disk: Disk, small: number) {
  const wrong: string[] = [];
  let status = 200;
  let documents = 0;
  for (; status === 200 && documents < documentsMax; documents++)
    status = await importProducts(service, tenant);
  if (status !== 503) wrong.push(`the disk was full, and an import answered ${status}`);
  for (let times = 0; times < 3; times++) {
    const answer = await readStatus(service, tenant);
    if (answer !== 'right') wrong.push(`a question answered ${answer}`);
    const again = await importProducts(service, tenant);
    if (again !== 503 && again !== 200) wrong.push(`an import answered ${again}`);
  }
  if ((await service.ask('GET', '/healthz')).status !== 200) wrong.push('not healthy');
  const { bavail, bsize } = await statfs(disk.path);
  disk.resize(small + largeMegabytes);
  const begun = performance.now();
  while ((await importProducts(service, tenant)) !== 200) {
    if (performance.now() - begun > 60_000) break;
    await wait(pollMilliseconds);
  }
  const took = performance.now() - begun;
  if ((await readStatus(service, tenant)) !== 'right')
    wrong.push('a question was wrong afterwards');
  if ((await service.ask('GET', '/readyz')).status !== 200) wrong.push('not ready afterwards');
  return { wrong, took, documents, freeBytes: bavail * bsize };
}

/** Fills the disk of the embedded pair, or of ClickHouse. */
export async function measureFullDisk(pair: Pair, extent: Extent): Promise<Finding> {
  const took: number[] = [];
  const wrong: string[] = [];
  for (let round = 0; round < amountOf(extent, roundsInFull, 1); round++) {
    const small = smallMegabytes[pair];
    const disk = mountDisk(small);
    if (disk === undefined)
      return notMeasured('this user may not mount a small file system: run it as root on Linux');
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-full-'));
    const directory = join(disk.path, 'data');
    mkdirSync(directory);
    const clickhouse = pair === 'served' ? await startClickHouse({ directory }) : undefined;
    const service = await startService(clickhouse ? folder : directory, {
      VITRINE_SILENCE_MILLISECONDS: '1200',
      ...(clickhouse && { CLICKHOUSE_URL: clickhouse.url }),
    });
    try {
      const tenant = await makeCustomer(service, 'full');
      await importRows(service, 'traffic', tenant.channelId, [traffic]);
      const filled = await fill(service, tenant, disk, small);
      took.push(filled.took);
      wrong.push(...filled.wrong);
      const left = Math.round(filled.freeBytes / 1_000_000);
      extent.say(
        `${filled.documents} documents, ${left} MB left: ${filled.wrong.join('; ') || 'right'}`,
      );
    } finally {
      await service.kill();
      await clickhouse?.kill();
      disk.remove();
      rmSync(folder, { recursive: true, force: true });
    }
  }
  const slowest = Math.max(...took);
  return found(
    wrong.length === 0 && slowest <= returnMillisecondsMax,
    `${took.length} times full: ${wrong.length} wrong answers${wrong.length > 0 ? ` (${wrong[0]})` : ''}, ` +
      `imports again at most ${(slowest / 1_000).toFixed(2)} s after there was room`,
  );
}
