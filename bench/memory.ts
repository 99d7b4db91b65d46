/**
 * Peak memory of the service while it imports documents of growing size: 10 million rows must need
 * no more than a million.
 * `node bench/memory.ts [rows=10000000] [orderLines|traffic] [ndjson|csv]`
 */
import { freshService, makeCustomer } from '../test/service.ts';
import { zone } from './folders.ts';
import { peakOf } from './measure.ts';
import { contentTypes, type Format, orderLine, trafficRow } from './rows.ts';
import { upload } from './upload.ts';

const rowsPerDay = 4000;
const rowsPerChunk = 2000;

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

/** Imports rows into a fresh service and prints its peak memory. */
async function measure(rows: number, dataset: string, format: Format): Promise<void> {
  await using service = await freshService();
  await makeCustomer(service, 'bench', { marketplace: 'bench', timezone: zone });
  const idle = peakOf(service.pid);
  const start = performance.now();
  const path = `imports/${dataset}?channelId=bench`;
  const document = documentOf(rows, dataset, format);
  const [status, text] = await upload(service, path, document, contentTypes[format]);
  const seconds = (performance.now() - start) / 1000;
  if (status !== 200 || JSON.parse(text).rowsAccepted !== rows) throw new Error(text);
  console.log(
    `${dataset} ${format} ${rows.toLocaleString('en').padStart(12)} rows: ` +
      `${Math.round(rows / seconds).toLocaleString('en')} rows/s, ` +
      `peak ${peakOf(service.pid)} MiB (${idle} MiB before)`,
  );
}

const rowsMost = Number(process.argv[2] ?? 10_000_000);
const dataset = process.argv[3] ?? 'orderLines';
const format = (process.argv[4] ?? 'ndjson') as Format;
for (const rows of [10_000, 1_000_000, rowsMost]) await measure(rows, dataset, format);
