/** Exchange rates as they were published. */
import type { DayNumber } from '../calendar/period.ts';
import { questionFile } from '../engine/question.ts';
import type { QueryLimits, Warehouse } from '../engine/warehouse.ts';
import { anchor, pegs } from './pegs.ts';

type PublishedRate = { readonly currency: string; readonly day: number; readonly per_euro: number };

const publishedRates = questionFile<PublishedRate>(import.meta.url, 'publishedRates.sql');

/**
 * Reads the rates that are valid on a day, of one currency or of all. Pegged currencies without
 * rates of their own follow the dollar.
 */
export async function readPublishedRates(
  warehouse: Warehouse,
  day: DayNumber,
  currency: string | undefined,
  limits: QueryLimits,
): Promise<readonly PublishedRate[]> {
  const asked = currency === undefined || pegs.has(currency) ? '' : currency;
  const found = await warehouse.ask(publishedRates, { channel: 0, day, currency: asked }, limits);
  const dollar = found.find((rate) => rate.currency === anchor);
  const known = new Set(found.map((rate) => rate.currency));
  const pegged = [...pegs].flatMap(([code, { perDollar }]) =>
    dollar === undefined || known.has(code)
      ? []
      : [{ ...dollar, currency: code, per_euro: product(dollar.per_euro, perDollar) }],
  );
  return [...found, ...pegged]
    .filter((rate) => currency === undefined || rate.currency === currency)
    .sort((one, other) => (one.currency < other.currency ? -1 : 1));
}

/** The product without the noise of the last digit. */
function product(one: number, other: number): number {
  return Number((one * other).toPrecision(15));
}
