/**
 * Peak memory of the service while it imports documents of growing size: 10 million rows must need
 * no more than a million.
 * `node bench/memory.ts [rows=10000000] [orderLines|traffic] [ndjson|csv]`
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Service, startService } from '../test/service.ts';
import { peakOf } from './measure.ts';
import { type Format, orderLine, trafficRow } from './rows.ts';

const rowsPerDay = 4000;
const rowsPerChunk = 2000;
const contentTypes: Record<Format, string> = { ndjson: 'application/x-ndjson', csv: 'text/csv' };

/** A document of `rows` rows, generated while it is read. */
function* documentOf(rows: number, dataset: string, format: Format): Generator<string> {
  const row = (number: number): Record<string, string | number> => {
    const [day, sku] = [Math.floor(number / rowsPerDay), number % rowsPerDay];
    return dataset === 'traffic'
      ? trafficRow(day, sku)
      : { ...orderLine(day, sku % 400), orderId: `112-${number}` };
  };
  const write = (fields: Record<string, string | number>) =>
    format === 'csv' ? Object.values(fields).join(',') : JSON.stringify(fields);
  if (format === 'csv') yield `${Object.keys(row(0)).join(',')}\n`;
  for (let made = 0; made < rows; ) {
    const lines: string[] = [];
    for (const end = Math.min(rows, made + rowsPerChunk); made < end; made++)
      lines.push(write(row(made)));
    yield `${lines.join('\n')}\n`;
  }
}

/** Sends the document and reads the answer, without a time limit. */
async function importRows(
  { address, authorization }: Service,
  rows: number,
  dataset: string,
  format: Format,
): Promise<number> {
  const upload = request(`${address}/operator/imports/${dataset}?channelId=bench`, {
    method: 'POST',
    headers: { authorization, 'content-type': contentTypes[format] },
  });
  const answered = once(upload, 'response') as Promise<[IncomingMessage]>;
  await pipeline(Readable.from(documentOf(rows, dataset, format)), upload);
  const [response] = await answered;
  const body = (await response.setEncoding('utf8').toArray()).join('');
  if (response.statusCode !== 200) throw new Error(`${response.statusCode}: ${body}`);
  return JSON.parse(body).rowsAccepted;
}

/** Imports rows into a fresh service and prints its peak memory. */
async function measure(rows: number, dataset: string, format: Format): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-memory-'));
  const service = await startService(folder);
  try {
    const { organisationId } = await service.operate('POST', '/operator/organisations', {
      name: 'Bench',
    });
    await service.operate('PUT', '/operator/channels/bench', {
      organisationId,
      merchantId: 'BENCH',
      marketplace: 'bench',
      kind: 'seller',
      countryCode: 'US',
      displayName: 'Bench',
      currency: 'USD',
      timezone: 'America/Los_Angeles',
      hasAdvertisingConnected: false,
    });
    const idle = peakOf(service.pid);
    const start = performance.now();
    const accepted = await importRows(service, rows, dataset, format);
    const seconds = (performance.now() - start) / 1000;
    if (accepted !== rows) throw new Error(`${accepted} of ${rows} rows were accepted`);
    console.log(
      `${dataset} ${format} ${rows.toLocaleString('en').padStart(12)} rows: ${Math.round(rows / seconds).toLocaleString('en')} rows/s, ` +
        `peak ${peakOf(service.pid)} MiB (${idle} MiB before)`,
    );
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const rowsMost = Number(process.argv[2] ?? 10_000_000);
const dataset = process.argv[3] ?? 'orderLines';
const format = (process.argv[4] ?? 'ndjson') as Format;
for (const rows of [10_000, 1_000_000, rowsMost]) await measure(rows, dataset, format);
