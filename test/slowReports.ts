/**
 * The service with invented reports, for tests of its processes: `node test/slowReports.ts <trace>
 * <rows> <pause>`. A report has `rows` rows, notes its start and its end, named by its fromDate, in
 * the file `trace`, and pauses for `pause` milliseconds before its last portion.
 */
import { appendFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { readConfig } from '../src/config.ts';
import { start } from '../src/main.ts';
import type { TypedColumn } from '../src/report/typedColumns.ts';
import { stopOnSignals } from '../src/stopping.ts';
import { reportsWith } from './reports.ts';

const [trace, rows, pause] = process.argv.slice(2) as [string, string, string];
const portionRows = 1_000;

type Row = { readonly number: number; readonly name: number };

const columns: readonly TypedColumn<Row>[] = [
  { name: 'number', type: 'number', digits: 'whole', cell: ({ number }) => number },
  { name: 'text', type: 'text', cell: ({ number, name }) => `row ${number} of ${name}` },
];

const reports = reportsWith<Row>(columns, async (options, { limits: { signal } }, write) => {
  const name = options?.fromDate ?? 0;
  appendFileSync(trace, `begin ${name}\n`);
  const count = Number(rows);
  for (let made = 0; made < count; made += portionRows) {
    if (made + portionRows >= count) await delay(Number(pause), undefined, { signal: signal! });
    const portion = Math.min(portionRows, count - made);
    await write(Array.from({ length: portion }, (_, index) => ({ number: made + index, name })));
  }
  appendFileSync(trace, `end ${name}\n`);
});

const running = await start(readConfig(process.env), { reports });
stopOnSignals(running);
console.error(running.address);
