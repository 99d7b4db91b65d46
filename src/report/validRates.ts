/** Reads the exchange rates that are valid on a day. */
import type { DayNumber } from '../calendar/period.ts';
import type { RateSourceName } from '../contract/records.ts';
import { questionFile } from '../engine/question.ts';
import type { QueryLimits, Warehouse } from '../engine/warehouse.ts';
import { anchor, pegs } from '../figures/pegs.ts';

/** A rate as imported: its date, and its source as the warehouse stores it. */
export type ValidRate = {
  readonly currency: string;
  readonly day: number;
  readonly per_euro: number;
  readonly source: string;
};

const validRates = questionFile<ValidRate>(import.meta.url, 'validRates.sql');

/** The warehouse's name for a rate's source. */
export function rateSourceName(source: string): RateSourceName {
  return source === '' ? 'published' : 'own';
}

/**
 * Reads the rates that are valid on a day, for one currency or all. Pegged currencies without their
 * own rates follow the dollar.
 */
export async function readValidRates(
  warehouse: Warehouse,
  day: DayNumber,
  currency: string | undefined,
  limits: QueryLimits,
): Promise<readonly ValidRate[]> {
  const wanted = currency === undefined || pegs.has(currency) ? '' : currency;
  const found = await warehouse.ask(validRates, { channel: 0, day, currency: wanted }, limits);
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
