/** Formats numbers and times in the reader's language and time zone. */

const { language } = navigator;
/** The reader's time zone, such as Europe/Berlin. */
export const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Time zones as the options of a choice, each once. */
export const zoneOptions = (zones: Iterable<string>) =>
  [...new Set(zones)].map((id) => ({ id, name: id.replaceAll('_', ' ') }));

const numbers = new Intl.NumberFormat(language);
const momentWords = new Intl.DateTimeFormat(language, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});
const secondWords = new Intl.DateTimeFormat(language, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});
const timeWords = new Intl.DateTimeFormat(language, { timeStyle: 'medium' });
const dayWords = new Intl.DateTimeFormat(language, {
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});
const weekdayWords = new Intl.DateTimeFormat(language, {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  timeZone: 'UTC',
});

/** Such as 12,345. */
export const inNumbers = (value: number) => numbers.format(value);
/** Epoch seconds as 3 Mar 2026, 14:05. */
export const inMoment = (seconds: number) => momentWords.format(seconds * 1000);
/** Epoch seconds as 2 minutes ago, or as a moment where that is longer than an hour ago. */
export function inAgo(seconds: number): string {
  const minutes = Math.floor((Date.now() / 1000 - seconds) / 60);
  if (minutes < 0 || minutes >= 60) return inMoment(seconds);
  return minutes === 0 ? 'Just now' : `${minutes} min ago`;
}
/** Epoch milliseconds as 3 Mar, 14:05:09; without the day where it is today. */
export function inSeconds(milliseconds: number): string {
  const isToday = new Date(milliseconds).toDateString() === new Date().toDateString();
  return (isToday ? timeWords : secondWords).format(milliseconds);
}
/** A date as 3 Mar. */
export const inDay = (date: string) => dayWords.format(Date.parse(date));
/** A date as Tuesday, 3 March. */
export const inWeekday = (date: string) => weekdayWords.format(Date.parse(date));
/** Milliseconds as 12 ms or 1.3 s. */
export const inDuration = (milliseconds: number) =>
  milliseconds < 1000
    ? `${numbers.format(Math.round(milliseconds))} ms`
    : `${(milliseconds / 1000).toFixed(1)} s`;
/** A count with its noun, singular for one. */
export const counted = (count: number, one: string, many = `${one}s`) =>
  `${inNumbers(count)} ${count === 1 ? one : many}`;
