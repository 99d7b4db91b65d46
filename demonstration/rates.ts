/** Exchange rates: the European Central Bank's reference rates, from a bundled snapshot. */
import { readFileSync } from 'node:fs';
import { strFromU8, unzipSync } from 'fflate';
import { isoDate } from '../src/calendar/period.ts';
import { snapshot } from '../src/import/ecb/history.ts';

/** A published rate. */
type RateRow = {
  readonly date: string;
  readonly currency: string;
  readonly perEuro: string;
};

/** The rates since a day, newest first; only those of the last date if the snapshot ends earlier. */
export function* ratesSince(firstDay: number): Generator<RateRow> {
  const archive = unzipSync(readFileSync(snapshot));
  const [header, newest, ...older] = strFromU8(archive['eurofxref-hist.csv']!).split('\n') as [
    string,
    string,
    ...string[],
  ];
  const currencies = header.split(',').slice(1);
  const first = isoDate(firstDay);
  for (const line of [newest, ...older]) {
    const [date, ...rates] = line.trim().split(',') as [string, ...string[]];
    if (line !== newest && date < first) return;
    for (const [at, perEuro] of rates.entries()) {
      const currency = currencies[at]!.trim();
      if (currency !== '' && perEuro !== 'N/A' && perEuro !== '') yield { date, currency, perEuro };
    }
  }
}

/** Rates as the bank's history has them: a line per date, a column per currency. */
export function historyOf(rates: Iterable<RateRow>): string {
  const rows = [...rates];
  const currencies = [...new Set(rows.map(({ currency }) => currency))];
  const byDate = Map.groupBy(rows, ({ date }) => date);
  const lines = [...byDate].map(([date, ofDate]) => {
    const known = new Map(ofDate.map(({ currency, perEuro }) => [currency, perEuro]));
    return [date, ...currencies.map((currency) => known.get(currency) ?? 'N/A')].join(',');
  });
  return `${[['Date', ...currencies].join(','), ...lines].join('\n')}\n`;
}
