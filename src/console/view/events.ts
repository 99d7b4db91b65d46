/** Days on which shops sell more than usual, as far as the calendar fixes them. */
import { addDays, type Day } from './days.ts';

/** The name of such a day; undefined for a common day. */
export function eventOf(day: Day): string | undefined {
  const date = day.slice(5);
  if (date === '11-11') return 'Singles’ Day';
  if (date === '12-26') return 'Boxing Day';
  const year = day.slice(0, 4);
  if (day === blackFriday(year)) return 'Black Friday';
  return day === addDays(blackFriday(year), 3) ? 'Cyber Monday' : undefined;
}

/** The day after the fourth Thursday of November. */
function blackFriday(year: string): Day {
  const weekday = new Date(`${year}-11-01`).getUTCDay();
  const firstThursday = 1 + ((4 - weekday + 7) % 7);
  return addDays(`${year}-11-01`, firstThursday + 21);
}
