/** Exchange rates: the European Central Bank's reference rates, from a bundled snapshot. */
import { readFileSync } from 'node:fs';
import { strFromU8, unzipSync } from 'fflate';
import { isoDate } from '../src/calendar/period.ts';
import { snapshot } from '../src/import/ecb/history.ts';

/** The lines of the bank's history since a day, below their header, with the last date at least. */
export function historySince(firstDay: number): string[] {
  const archive = unzipSync(readFileSync(snapshot));
  const lines = strFromU8(archive['eurofxref-hist.csv']!).trimEnd().split('\n');
  const first = isoDate(firstDay);
  return lines.filter((line, at) => at < 2 || line.slice(0, first.length) >= first);
}
