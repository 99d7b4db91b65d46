/** The periods of a view: presets, custom ranges and what they are compared with. */
import { addDays, addMonths, type Day, daysFrom, isDay, startOfUnit } from './days.ts';

/** A range of days, both included. */
export type Range = { readonly first: Day; readonly last: Day };

/** The period that another one is compared with. */
export type Comparison = 'prior' | 'year' | 'none';

/** The presets in the order of the picker. */
export const presets = [
  { id: 'today', name: 'Today' },
  { id: 'yesterday', name: 'Yesterday' },
  { id: '7d', name: 'Last 7 days' },
  { id: '30d', name: 'Last 30 days' },
  { id: '90d', name: 'Last 90 days' },
  { id: 'month', name: 'This month' },
  { id: 'last-month', name: 'Last month' },
  { id: 'quarter', name: 'This quarter' },
  { id: 'year', name: 'This year' },
  { id: '12m', name: 'Last 12 months' },
] as const;
/** A preset, as the address names it. */
export type Preset = (typeof presets)[number]['id'];
/** The preset of a view whose address names none. */
export const presetDefault: Preset = '30d';

/** The comparisons, as the picker names them. */
export const comparisons = [
  { id: 'prior', name: 'Prior period' },
  { id: 'year', name: 'Prior year' },
  { id: 'none', name: 'None' },
] as const satisfies readonly { readonly id: Comparison; readonly name: string }[];

/** Whether a text names a preset. */
export const isPreset = (text: string): text is Preset => presets.some(({ id }) => id === text);

/** The days of a preset. `last` is the last day with data, `today` the current one. */
export function rangeOfPreset(preset: Preset, last: Day, today: Day): Range {
  switch (preset) {
    case 'today':
      return { first: today, last: today };
    case 'yesterday':
      return { first: addDays(today, -1), last: addDays(today, -1) };
    case 'month':
    case 'quarter':
    case 'year':
      return { first: startOfUnit(last, preset), last };
    case 'last-month': {
      const first = addMonths(startOfUnit(today, 'month'), -1);
      return { first, last: addDays(startOfUnit(today, 'month'), -1) };
    }
    case '12m':
      return { first: addDays(addMonths(last, -12), 1), last };
    default:
      return { first: addDays(last, 1 - Number.parseInt(preset, 10)), last };
  }
}

/** A custom range; undefined when it is none. */
export function customRange(first: string | null, last: string | null): Range | undefined {
  if (first === null || last === null || !isDay(first) || !isDay(last)) return undefined;
  return first <= last ? { first, last } : undefined;
}

/** The range that a period is compared with; the period itself when with none. */
export function comparedWith({ first, last }: Range, comparison: Comparison): Range {
  if (comparison === 'year') return { first: addMonths(first, -12), last: addMonths(last, -12) };
  const length = daysFrom(first, last);
  return { first: addDays(first, -length), last: addDays(first, -1) };
}
