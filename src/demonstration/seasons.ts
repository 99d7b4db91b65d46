/** How demand for outdoor gear goes up and down over a year, a week and a day. */

/** When a product is wanted most. */
export type Season = 'summer' | 'winter' | 'gift';

/** A day's place in the calendar. */
export type CalendarDay = {
  readonly month: number;
  readonly dayOfMonth: number;
  readonly dayOfYear: number;
  readonly weekday: number;
};

const secondsPerDay = 86_400;
const weekdayFactors = [1.06, 1.07, 1.04, 1.0, 0.97, 0.92, 0.94];
/** Orders by local hour, in relation to each other: asleep at four, at lunch, and on the sofa at nine. */
export const hourWeights: readonly number[] = [
  2.2, 1.3, 0.8, 0.5, 0.4, 0.6, 1.2, 2.3, 3.5, 4.5, 5.2, 5.5, 5.7, 5.5, 5.3, 5.2, 5.2, 5.3, 5.7,
  6.5, 7.4, 7.6, 6.2, 3.9,
];

/** The calendar's view of a day number. */
export function calendarDay(day: number): CalendarDay {
  const date = new Date(day * secondsPerDay * 1000);
  const dayOfYear = day - Date.UTC(date.getUTCFullYear(), 0, 1) / 86_400_000;
  return {
    month: date.getUTCMonth() + 1,
    dayOfMonth: date.getUTCDate(),
    dayOfYear,
    weekday: date.getUTCDay(),
  };
}

/** How much more than in an average week a kind of product is wanted on a day. */
export function seasonFactor(
  season: Season,
  { month, dayOfMonth, dayOfYear }: CalendarDay,
  southern: boolean,
): number {
  const wave = (peakDay: number) =>
    Math.cos((2 * Math.PI * (dayOfYear - peakDay - (southern ? 182 : 0))) / 365);
  const base =
    season === 'summer'
      ? Math.exp(0.55 * wave(192))
      : season === 'winter'
        ? Math.exp(0.6 * wave(350))
        : Math.exp(0.12 * wave(192));
  const toGiftPeak = (month === 12 ? dayOfMonth : dayOfMonth - 30) - 13;
  const giving = month >= 11 ? Math.exp(-((toGiftPeak / 10) ** 2)) : 0;
  return base * (1 + (season === 'gift' ? 1.5 : 0.75) * giving);
}

/** How much more is ordered on a day, whatever the product: weekdays, deal days, and the quiet days when parcels no longer arrive in time. */
export function dayFactor(day: CalendarDay): number {
  return weekdayFactors[day.weekday]! * dealFactor(day) * quietFactor(day);
}

/** The lift of a day of deals, 1 on every other day. */
export function dealFactor({ month, dayOfMonth, weekday }: CalendarDay): number {
  // Two days from the second Tuesday: in July the larger sale, in October the smaller one.
  const isSale =
    (weekday === 2 && dayOfMonth >= 8 && dayOfMonth <= 14) ||
    (weekday === 3 && dayOfMonth >= 9 && dayOfMonth <= 15);
  if (isSale && month === 7) return 2.7;
  if (isSale && month === 10) return 2;
  if (month !== 11 && month !== 12) return 1;
  // Black Friday follows the fourth Thursday of November.
  const sinceFriday =
    (month === 11 ? dayOfMonth : dayOfMonth + 30) -
    blackFriday(month === 11 ? dayOfMonth : dayOfMonth + 30, weekday);
  if (sinceFriday === 0) return 2.6;
  if (sinceFriday === 3) return 2.3;
  return sinceFriday >= -4 && sinceFriday <= 2 ? 1.5 : 1;
}

/** The day of November on which Black Friday falls, told from any day counted from the first of November and its weekday. */
function blackFriday(dayOfNovember: number, weekday: number): number {
  const firstWeekday = (((weekday - (dayOfNovember - 1)) % 7) + 7) % 7;
  const firstThursday = 1 + ((4 - firstWeekday + 7) % 7);
  return firstThursday + 22;
}

function quietFactor({ month, dayOfMonth }: CalendarDay): number {
  if (month !== 12) return 1;
  if (dayOfMonth === 25) return 0.45;
  return dayOfMonth >= 22 && dayOfMonth <= 24 ? 0.65 : 1;
}
