/** How demand for outdoor gear varies over the years, the year, the week and the day. */

/** When a product sells best. */
export type Season = 'summer' | 'winter' | 'gift';

/** A day in the calendar. */
export type CalendarDay = ReturnType<typeof calendarDay>;

const millisecondsPerDay = 86_400_000;
const daysPerYear = 365.25;
const weekdayFactors = [1.06, 1.07, 1.04, 1.0, 0.97, 0.92, 0.94];
/** Relative orders by local hour: lowest at four in the morning, highest at nine in the evening. */
export const hourWeights: readonly number[] = [
  2.2, 1.3, 0.8, 0.5, 0.4, 0.6, 1.2, 2.3, 3.5, 4.5, 5.2, 5.5, 5.7, 5.5, 5.3, 5.2, 5.2, 5.3, 5.7,
  6.5, 7.4, 7.6, 6.2, 3.9,
];

/** How strongly demand varies over the year, the day of its peak, and its lift in the holidays. */
const seasons: Readonly<Record<Season, { wave: number; peak: number; holidays: number }>> = {
  summer: { wave: 0.42, peak: 192, holidays: 0.8 },
  winter: { wave: 0.45, peak: 350, holidays: 0.8 },
  gift: { wave: 0.05, peak: 192, holidays: 1.5 },
};

/** The lift on some days counted from 1 November; a straight line leads from each to the next. */
const holidayPath = [
  [0, 0],
  [20, 0.6],
  [35, 1],
  [47, 1],
  [54, 0.2],
  [61, 0],
] as const;

/** The calendar day of a day number; `ofNovember` counts from the eve of 1 November on. */
export function calendarDay(day: number) {
  const date = new Date(day * millisecondsPerDay);
  const [month, dayOfMonth] = [date.getUTCMonth() + 1, date.getUTCDate()];
  return {
    month,
    dayOfMonth,
    weekday: date.getUTCDay(),
    dayOfYear: day - Date.UTC(date.getUTCFullYear(), 0, 1) / millisecondsPerDay,
    ofNovember: month < 11 ? 0 : month === 11 ? dayOfMonth : dayOfMonth + 30,
  };
}

/** Demand after some days of yearly growth by a share, or before them. */
export function growthFactor(growth: number, days: number): number {
  return (1 + growth) ** (days / daysPerYear);
}

/** Seasonal demand for a product on a day, relative to an average week. */
export function seasonFactor(
  season: Season,
  { dayOfYear, ofNovember }: CalendarDay,
  southern: boolean,
): number {
  const { wave, peak, holidays } = seasons[season];
  const angle = (2 * Math.PI * (dayOfYear - peak - (southern ? 182 : 0))) / 365;
  return Math.exp(wave * Math.cos(angle)) * (1 + holidays * holidayLift(ofNovember));
}

/** How far buying for the holidays is under way: 0 before November, 1 in mid-December. */
function holidayLift(ofNovember: number): number {
  if (ofNovember === 0) return 0;
  const next = holidayPath.findIndex(([at]) => at >= ofNovember);
  const [[from, low], [to, high]] = [holidayPath[next - 1]!, holidayPath[next]!];
  return low + ((high - low) * (ofNovember - from)) / (to - from);
}

/** Demand on a day for any product: by weekday, deals, and the quiet days before Christmas. */
export function dayFactor(day: CalendarDay): number {
  return weekdayFactors[day.weekday]! * dealFactor(day) * quietFactor(day);
}

/** The lift on a day of deals; 1 on other days. */
export function dealFactor({ month, dayOfMonth, weekday, ofNovember }: CalendarDay): number {
  // Sales of two days from the second Tuesday: a large one in July, a smaller one in October.
  const sinceTuesday = dayOfMonth - 8 - (weekday - 2);
  const isSale = (weekday === 2 || weekday === 3) && sinceTuesday >= 0 && sinceTuesday <= 6;
  if (isSale && month === 7) return 2.7;
  if (isSale && month === 10) return 2;
  if (ofNovember === 0) return 1;
  // Black Friday follows the fourth Thursday of November.
  const firstWeekday = (((weekday - (ofNovember - 1)) % 7) + 7) % 7;
  const sinceFriday = ofNovember - 23 - ((4 - firstWeekday + 7) % 7);
  if (sinceFriday === 0) return 2.6;
  if (sinceFriday === 3) return 2.3;
  return sinceFriday >= -4 && sinceFriday <= 2 ? 1.5 : 1;
}

function quietFactor({ month, dayOfMonth }: CalendarDay): number {
  if (month !== 12) return 1;
  if (dayOfMonth === 25) return 0.45;
  return dayOfMonth >= 22 && dayOfMonth <= 24 ? 0.65 : 1;
}
