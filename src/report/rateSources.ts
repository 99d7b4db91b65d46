/** Reads the rates behind a factor, with their sources and the imports that brought them. */
import { questionFile } from '../engine/question.ts';
import type { Ask, DateRange } from '../engine/warehouse.ts';
import { anchor, pegs } from '../figures/pegs.ts';
import { allDays, lookBackDays } from './rates.ts';

type RateRow = {
  readonly currency: string;
  readonly day: number;
  readonly per_euro: number;
  readonly import_id: number;
  readonly source: string;
};

/** A rate as published or imported. */
export type RateSource = RateRow & {
  /** The currency of the rate, if this one is pegged to it. */
  readonly peggedTo: string | null;
};

const sources = questionFile<RateRow>(import.meta.url, 'rateSources.sql');

/**
 * Reads the rates of currencies that apply to the `days`: the rates of these days, and the last one
 * before them; before all rates, the first one. Before its own first rate, a pegged currency has
 * the rates of the dollar. The euro has none.
 */
export async function readRateSources(
  ask: Ask,
  currencies: readonly string[],
  days: DateRange,
): Promise<readonly RateSource[]> {
  const found: RateSource[] = [];
  for (const currency of new Set(currencies)) {
    if (currency === 'EUR') continue;
    const own = await applying(ask, currency, days);
    const peg = pegs.get(currency);
    const dollars = peg === undefined ? [] : await applying(ask, anchor, days);
    const since = own[0]?.day ?? Number.POSITIVE_INFINITY;
    const pegged = since <= days.first ? [] : dollars.filter(({ day }) => day < since);
    for (const rate of pegged)
      found.push({
        ...rate,
        currency,
        peggedTo: anchor,
        per_euro: Number((rate.per_euro * peg!.perDollar).toPrecision(15)),
      });
    const counting = pegged.length === 0 ? own : own.filter(({ day }) => day <= days.last);
    found.push(...counting.map((rate) => ({ ...rate, peggedTo: null })));
  }
  return found;
}

async function applying(ask: Ask, currency: string, days: DateRange): Promise<RateRow[]> {
  const read = ({ first, last }: DateRange) =>
    ask(sources, { channel: 0, currencies: [currency], first, last });
  const near = await read({ first: days.first - lookBackDays, last: days.last });
  const isEnough = near.some(({ day }) => day <= days.first);
  const rates = isEnough ? near : await read(allDays);
  const before = rates.filter(({ day }) => day <= days.first);
  const since = rates.filter(({ day }) => day > days.first && day <= days.last);
  const first = before.at(-1) ?? rates[0];
  return [...new Set([...(first === undefined ? [] : [first]), ...since])];
}
