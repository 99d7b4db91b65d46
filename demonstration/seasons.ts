/** How demand for outdoor gear varies over the year, the week and the day. */

/** When a product sells best. */
export type Season = 'summer' | 'winter' | 'gift';

/** A day in the calendar. */
export type CalendarDay = {
  readonly month: number;
  readonly dayOfMonth: number;
  readonly dayOfYear: number;
  readonly weekday: number;
};

const secondsPerDay = 86_400;
const weekdayFactors = [1.06, 1.07, 1.04, 1.0, 0.97, 0.92, 0.94];
/** Relative orders by local hour: lowest at four in the morning, highest at nine in the evening. */
export const hourWeights: readonly number[] = [
  2.2, 1.3, 0.8, 0.5, 0.4, 0.6, 1.2, 2.3, 3.5, 4.5, 5.2, 5.5, 5.7, 5.5, 5.3, 5.2, 5.2, 5.3, 5.7,
  6.5, 7.4, 7.6, 6.2, 3.9,
];

/** The lift on some days counted from 1 November; a straight line leads from each to the next. */
const holidayPath = [
  [0, 0],
  [20, 0.6],
  [35, 1],
  [47, 1],
  [54, 0.2],
  [61, 0],
] as const;

/** The calendar day of a day number. */
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

/** Seasonal demand for a product on a day, relative to an average week. */
export function seasonFactor(
  season: Season,
  { month, dayOfMonth, dayOfYear }: CalendarDay,
  southern: boolean,
): number {
  const wave = (peakDay: number) =>
    Math.cos((2 * Math.PI * (dayOfYear - peakDay - (southern ? 182 : 0))) / 365);
  const base =
    season === 'summer'
      ? Math.exp(0.42 * wave(192))
      : season === 'winter'
        ? Math.exp(0.45 * wave(350))
        : Math.exp(0.05 * wave(192));
  return base * (1 + (season === 'gift' ? 1.5 : 0.8) * holidayLift(month, dayOfMonth));
}

/** How far buying for the holidays is under way: 0 before November, 1 in mid-December. */
function holidayLift(month: number, dayOfMonth: number): number {
  if (month < 11) return 0;
  const day = month === 11 ? dayOfMonth : dayOfMonth + 30;
  const next = holidayPath.findIndex(([at]) => at >= day);
  const [[from, low], [to, high]] = [holidayPath[next - 1]!, holidayPath[next]!];
  return low + ((high - low) * (day - from)) / (to - from);
}

/** Demand on a day for any product: by weekday, deals, and the quiet days before Christmas. */
export function dayFactor(day: CalendarDay): number {
  return weekdayFactors[day.weekday]! * dealFactor(day) * quietFactor(day);
}

/** The lift on a day of deals; 1 on other days. */
export function dealFactor({ month, dayOfMonth, weekday }: CalendarDay): number {
  // Sales of two days from the second Tuesday: a large one in July, a smaller one in October.
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

/** Day of November of Black Friday, from a day counted from 1 November and its weekday. */
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
