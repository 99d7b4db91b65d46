/** Compares exchange rates with known ones, so that a slip cannot distort converted figures. */
import { isoDate } from '../../../calendar/period.ts';
import type { Cells } from '../../datasets/dataset.ts';
import type { ImportSession } from '../../session.ts';

const secondsPerDay = 86_400;
/** From this multiple of the known rates on, a rate counts as a slip. */
const timesMax = 10;
/** The clock of the service may be a day behind. */
const publishedDaysAhead = 1;
/** Operators plan with rates of the next year. */
const plannedDaysAhead = 366;
/** A gold ounce buys thousands of euros, and no currency is a billionth of one. */
const rateMin = 0.000_01;
const rateMax = 1_000_000_000;

type Range = { readonly least: number; readonly most: number };

/** The last date, as a day number, that published rates can have. */
export function latestPublished(now: number): number {
  return Math.floor(now / secondsPerDay) + publishedDaysAhead;
}

/** The published rates of each currency, by year. */
export class KnownRates {
  readonly #ranges = new Map<string, Range>();
  readonly #years = new Map<string, string[]>();
  /** The rate of each currency in the previous row. */
  readonly #before = new Map<string, number>();

  private constructor() {}

  /** The published rates that the installation has. */
  static async of(session: ImportSession): Promise<KnownRates> {
    const known = new KnownRates();
    for (const row of await session.existing.rows('publishedRanges')) {
      const [currency, year] = [row.currency as string, row.year as string];
      known.#years.set(currency, [...(known.#years.get(currency) ?? []), year]);
      const range = { least: row.least as number, most: row.most as number };
      known.#ranges.set(`${currency} ${year}`, range);
    }
    return known;
  }

  /** Reports that a published rate is far from the rates of its year or of the previous row. */
  problemOf(currency: string, date: string, perEuro: number): string | undefined {
    // The row itself is rejected then.
    if (!(perEuro > 0)) return undefined;
    if (currency === 'EUR' && perEuro !== 1) return `the rate of EUR is ${perEuro}, not 1`;
    const before = this.#before.get(currency) ?? perEuro;
    this.#before.set(currency, perEuro);
    if (isFar(perEuro, { least: before, most: before }))
      return `the rate of ${currency} on ${date} is ${perEuro}, but ${before} in the row before`;
    const far = this.#farFrom(currency, date, perEuro);
    return far && `the rate of ${currency} on ${date} is ${perEuro}, but ${far}`;
  }

  /** Why a row of an operator's own rates is rejected. */
  reasonAgainst({ date, currency, perEuro }: Cells, now: number): string | undefined {
    const [day, code, rate] = [date as string, currency as string, perEuro as number];
    if (code === 'EUR')
      return rate === 1
        ? undefined
        : 'perEuro of EUR must be 1, as rates are those of the euro: omit the row';
    const latest = isoDate(Math.floor(now / secondsPerDay) + plannedDaysAhead);
    if (day > latest)
      return `date must not be more than a year ahead (after ${latest}): correct the year, or import the rate when its time comes`;
    const far = this.#farFrom(code, day, rate);
    if (far !== undefined)
      return `perEuro is ${rate}, but ${far}: give the units of ${code} that one euro buys`;
    return rate < rateMin || rate > rateMax
      ? `perEuro must be from ${rateMin.toFixed(5)} to ${rateMax}: give the units of ${code} that one euro buys`
      : undefined;
  }

  /** In words, the published rates of the year from which a rate is far away. */
  #farFrom(currency: string, date: string, perEuro: number): string | undefined {
    const years = this.#years.get(currency) ?? [];
    const wanted = date.slice(0, 4);
    const year = years.findLast((one) => one <= wanted) ?? years[0];
    const range = year === undefined ? undefined : this.#ranges.get(`${currency} ${year}`)!;
    if (range === undefined || !isFar(perEuro, range)) return undefined;
    return `the published rates of ${year} are ${range.least} to ${range.most}`;
  }
}

function isFar(rate: number, { least, most }: Range): boolean {
  return rate * timesMax <= least || rate >= most * timesMax;
}
