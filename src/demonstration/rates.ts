/**
 * Exchange rates for the demonstration. They are made up: a random walk on working days, pulled towards levels of recent years. Whoever
 * imports the real history of the European Central Bank replaces them.
 */
import { randomOf } from './random.ts';
import { calendarDay } from './seasons.ts';

const levels: Readonly<Record<string, { readonly perEuro: number; readonly places: number; readonly daily: number }>> = {
  AUD: { perEuro: 1.72, places: 4, daily: 0.0045 },
  CAD: { perEuro: 1.54, places: 4, daily: 0.0038 },
  CHF: { perEuro: 0.95, places: 4, daily: 0.0032 },
  GBP: { perEuro: 0.855, places: 5, daily: 0.003 },
  JPY: { perEuro: 163, places: 2, daily: 0.005 },
  MXN: { perEuro: 20.8, places: 4, daily: 0.0065 },
  SEK: { perEuro: 11.2, places: 4, daily: 0.0035 },
  USD: { perEuro: 1.11, places: 4, daily: 0.004 },
};
/** How much of its distance from the level a rate loses in a day. */
const pull = 0.012;

/** A row of the dataset exchangeRates. */
export type RateRow = { readonly date: string; readonly currency: string; readonly perEuro: number };

/** The rates of the working days from one day number through another. */
export function* makeRates(firstDay: number, lastDay: number): Generator<RateRow> {
  const walks = Object.entries(levels).map(([currency, level]) => ({ currency, level, random: randomOf(`rate ${currency}`), offset: 0 }));
  for (let day = firstDay; day <= lastDay; day++) {
    if (isHoliday(day)) continue;
    const date = new Date(day * 86_400_000).toISOString().slice(0, 10);
    for (const walk of walks) {
      walk.offset = walk.offset * (1 - pull) + Math.log(walk.random.factor(walk.level.daily));
      yield { date, currency: walk.currency, perEuro: Number((walk.level.perEuro * Math.exp(walk.offset)).toFixed(walk.level.places)) };
    }
  }
}

function isHoliday(day: number): boolean {
  const { month, dayOfMonth, weekday } = calendarDay(day);
  if (weekday === 0 || weekday === 6) return true;
  return (
    (month === 1 && dayOfMonth === 1) || (month === 5 && dayOfMonth === 1) || (month === 12 && (dayOfMonth === 25 || dayOfMonth === 26))
  );
}
