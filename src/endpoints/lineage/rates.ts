/** The exchange rates that convert figures of a date. */
import { isoDate, monthOfDay } from '../../calendar/period.ts';
import type { DatedDataset } from '../../contract/importable.ts';
import type { Ask } from '../../engine/warehouse.ts';
import { readRateSources } from '../../report/rateSources.ts';
import { purposeOf, readKnownFactors, readMonthFactors } from '../../report/rates.ts';
import { rateSourceName } from '../../report/validRates.ts';

/** Reads the rates from currencies to the target on a day, as reports use them. */
export async function readLineageRates(
  ask: Ask,
  currencies: readonly string[],
  target: string,
  day: number,
  { dataset, channelId }: { readonly dataset: DatedDataset; readonly channelId: string },
) {
  const isMonthMean = dataset === 'searchQueries';
  const { firstDay, lastDay } = monthOfDay(day);
  const days = isMonthMean ? { first: firstDay, last: lastDay } : { first: day, last: day };
  const rates = [];
  for (const from of currencies) {
    const asked = new Set([from]);
    const { factor, missing } = await readKnownFactors(ask, asked, target, days);
    const isKnown = from === target || missing.length === 0;
    const factorOf =
      isMonthMean && isKnown && from !== target
        ? await readMonthFactors(ask, asked, target, days, purposeOf({ channelId }))
        : factor;
    const sources =
      from === target || !isKnown ? [] : await readRateSources(ask, [from, target], days);
    rates.push({
      ...{ from, to: target, isMonthMean },
      rate: isKnown ? factorOf(from, day) : null,
      published: sources.map(({ currency, day: date, per_euro, peggedTo, import_id, source }) => ({
        ...{ currency, date: isoDate(date), perEuro: per_euro, peggedTo, importId: import_id },
        source: rateSourceName(source),
      })),
    });
  }
  return rates;
}
