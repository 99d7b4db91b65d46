/** Exact arithmetic and rates for recomputations of reports. */
import { Decimal } from 'decimal.js';
import { rowsOf } from '../table.ts';
import { type Rate, withRates } from '../world.ts';

const Exact = Decimal.clone({ precision: 60, rounding: Decimal.ROUND_HALF_UP });

/** A number of sixty digits. */
export const exact = (value: Decimal.Value): Decimal => new Exact(value);

/** Units of a currency for a euro, from a date on. A pound is always half a dollar. */
export const published = {
  USD: [
    ['2025-03-01', '1.0713'],
    ['2025-03-04', '1.0931'],
    ['2025-03-30', '1.0713'],
    ['2025-04-02', '1.1029'],
  ],
  GBP: [
    ['2025-03-01', '2.1426'],
    ['2025-03-04', '2.1862'],
    ['2025-03-30', '2.1426'],
    ['2025-04-02', '2.2058'],
  ],
  JPY: [['2025-03-02', '161.33']],
  EUR: [['2025-01-01', '1']],
} satisfies Record<string, [date: string, perEuro: string][]>;

/** A currency with rates. */
export type Currency = keyof typeof published;

/** The rates as rows of their dataset, which has none of the euro itself. */
export const rateRows = (Object.keys(published) as Currency[])
  .filter((currency) => currency !== 'EUR')
  .flatMap((currency) =>
    published[currency].map(([date, perEuro]) => ({ date, currency, perEuro })),
  );

/** Rates of a winter; each changes within the days of random facts. */
export const winterRates: readonly Rate[] = rowsOf(`
  date,       USD,    GBP,     JPY
  2024-11-18, 1.0563, 0.83698, 163.41
  2025-01-03, 1.0299, 0.82975, 162.11
  2025-01-27, 1.0485, 0.83928, 162.29
  2025-02-28, 1.0411, 0.82608, 156.49
  2025-03-11, 1.0912, 0.84193, 161.37
`).flatMap(({ date, ...units }) =>
  Object.entries(units).map(([currency, perEuro]) => ({ date, currency, perEuro })),
);

/** A world with these rates. */
export const inWinter = withRates('the rates of a winter', winterRates);

/** An amount in another currency, at the rate of a date or, before all rates, at the first. */
export function converted(
  amount: Decimal.Value,
  from: string,
  to: string,
  date: string,
  among: readonly Rate[] = rateRows,
): Decimal {
  const perEuro = (currency: string) => {
    if (currency === 'EUR') return 1;
    const rates = among.filter((rate) => rate.currency === currency);
    return (rates.findLast((rate) => rate.date <= date) ?? rates[0]!).perEuro;
  };
  return from === to ? exact(amount) : exact(amount).times(perEuro(to)).div(perEuro(from));
}

/** A number as it is shown; what a quotient lost to its end is rounded away before. */
export const shown = (value: Decimal, places: number): number =>
  value.toDecimalPlaces(30).toDecimalPlaces(places).toNumber() + 0;

/** Digits of amounts of a currency. */
export const placesOf = (currency: string): number => (currency === 'JPY' ? 0 : 2);

/** A number as text, without the sign of a nothing. */
export const plain = (value: Decimal, places: number): string =>
  value.toFixed(places).replace(/^-(0(\.0+)?)$/, '$1');

/** A ratio as text, blank without a whole. */
export const ratio = (part: Decimal.Value, whole: Decimal.Value, places: number): string =>
  exact(whole).gt(0) ? plain(exact(part).div(whole), places) : '';

/** The sum of amounts. */
export const sumOf = (amounts: readonly Decimal[]): Decimal =>
  amounts.reduce((sum, amount) => sum.plus(amount), exact(0));

/** The order of texts by their bytes. */
export const byBytes = (a: string, b: string): number =>
  Buffer.compare(Buffer.from(a), Buffer.from(b));
