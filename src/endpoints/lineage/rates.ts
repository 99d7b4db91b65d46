/** The exchange rates that convert figures of a date. */
import { isoDate, monthOfDay } from '../../calendar/period.ts';
import type { DatedDataset } from '../../contract/importable.ts';
import type { Ask } from '../../engine/warehouse.ts';
import { readRateSources } from '../../report/rateSources.ts';
import { readConversion } from '../../report/rates.ts';
import { rateSourceName } from '../../report/validRates.ts';

/** Reads the rates from currencies to the target on a day, as reports use them. */
export async function readLineageRates(
  ask: Ask,
  currencies: readonly string[],
  target: string,
  day: number,
  dataset: DatedDataset,
) {
  const isMonthMean = dataset === 'searchQueries';
  const { firstDay, lastDay } = monthOfDay(day);
  const days = isMonthMean ? { first: firstDay, last: lastDay } : { first: day, last: day };
  const rates = [];
  for (const from of currencies) {
    const currencies = new Set([from].filter((currency) => currency !== target));
    const wanted = { target, currencies, days, byMonth: isMonthMean };
    const { factor, missing } = await readConversion(ask, wanted);
    const isKnown = missing.size === 0;
    const sources =
      from === target || !isKnown ? [] : await readRateSources(ask, [from, target], days);
    rates.push({
      from,
      to: target,
      isMonthMean,
      rate: isKnown ? factor(from, day) : null,
      published: sources.map(({ currency, day: date, per_euro, peggedTo, import_id, source }) => ({
        currency,
        date: isoDate(date),
        perEuro: per_euro,
        peggedTo,
        importId: import_id,
        source: rateSourceName(source),
      })),
    });
  }
  return rates;
}
