/**
 * The service with reports made up for tests of its processes. `node test/slowReports.ts <trace> <rows> <pause>`: a report has so many rows,
 * notes its beginning and its end, by its fromDate, in the file `trace`, and rests so many milliseconds before its last portion.
 */
import { appendFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { readConfig } from '../src/config.ts';
import type { ReportKind } from '../src/endpoints/reports/create/kind.ts';
import { closeOnSignals, start } from '../src/main.ts';

const [trace, rows, pause] = process.argv.slice(2) as [string, string, string];
const portionRows = 1_000;

function kindOf<Type extends ReportKind['reportType']>(reportType: Type): ReportKind<Type> {
  return {
    reportType,
    columns: () => [
      { name: 'number', type: 'number' },
      { name: 'text', type: 'text' },
    ],
    async rows(options, { limits: { signal } }, put) {
      const name = options?.fromDate ?? 0;
      appendFileSync(trace, `begin ${name}\n`);
      const count = Number(rows);
      for (let made = 0; made < count; made += portionRows) {
        if (made + portionRows >= count) await delay(Number(pause), undefined, { signal: signal! });
        const portion = Math.min(portionRows, count - made);
        await put(
          Array.from({ length: portion }, (_, place) => [
            made + place,
            `row ${made + place} of ${name}`,
          ]),
        );
      }
      appendFileSync(trace, `end ${name}\n`);
    },
  };
}

const kinds = {
  customerLifetimeValue: kindOf('customerLifetimeValue'),
  trafficAndConversion: kindOf('trafficAndConversion'),
  inventoryReplenishment: kindOf('inventoryReplenishment'),
};
const running = await start(readConfig(process.env), { kinds });
closeOnSignals(running);
console.error(running.address);
