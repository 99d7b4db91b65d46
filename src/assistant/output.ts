/** The output of every tool: figures with a summary, sources, period, zone and currency. */
import { isoInstant } from '../calendar/period.ts';
import { isObject } from '../contract/jsonSchema.ts';
import type { Calls } from './api.ts';
import { bounded } from './bounds.ts';
import { visibleTexts } from './texts.ts';

/** A first and a last second: ISO 8601 with the offset of the time zone. */
type Range = { readonly from: string; readonly to: string };

/** The period of figures in words, with its comparison period. */
export type PeriodText =
  | (Range & { readonly timezone: string; readonly prior?: Range })
  | undefined;

/** How much of a list is shown. */
export type ShownList = {
  /** The path to the list in the answer. */
  readonly list: string;
  readonly shown: number;
  /** How many entries there are, where that is known. */
  readonly of?: number;
  /** How to get the others. */
  readonly next?: string;
};

/** The figures of a tool before they are bounded. */
export type Figures = {
  readonly summary: string;
  readonly period?: PeriodText;
  readonly currency?: string | undefined;
  readonly warnings?: readonly string[];
  readonly answer: unknown;
};

/** The whole output of a tool. */
export type Output = Figures & {
  readonly sources: readonly object[];
  readonly rows: readonly ShownList[];
};

/** Bounds figures, and adds the calls they come from; `ofLists` completes how lists are shown. */
export function outputFrom(
  calls: Calls,
  { summary, period, currency, warnings = [], answer }: Figures,
  ofLists: (answer: unknown, cut: readonly ShownList[]) => readonly ShownList[] = (_answer, cut) =>
    cut,
): Output {
  const { value, cuts } = bounded(visibleTexts({ sources: calls.sources, answer }));
  const rows = ofLists(value.answer, cuts);
  const said = [summary, ...rows.map(sayShown)].join(' ');
  const all = [...warnings, ...calls.warnings];
  return {
    summary: said,
    ...value,
    ...(period && { period }),
    ...(currency !== undefined && { currency }),
    ...(all.length > 0 && { warnings: visibleTexts(all) }),
    rows,
  };
}

function sayShown({ list, shown, of, next }: ShownList): string {
  const how = next === undefined ? '' : `; for others ${next}`;
  return `Shows ${shown}${of === undefined ? '' : ` of ${of}`} in ${list}${how}.`;
}

/** The period that the input of an operation names; undefined for one without. */
export function periodOf(input: Readonly<Record<string, unknown>>): PeriodText {
  const options = isObject(input.reportOptions) ? { ...input, ...input.reportOptions } : input;
  const { fromDate, toDate, priorFromDate, priorToDate, timezone: zone } = options as Times;
  if (typeof fromDate !== 'number' || typeof toDate !== 'number') return undefined;
  const timezone = typeof zone === 'string' ? zone : 'UTC';
  const range = (from: number, to: number) => ({
    from: isoInstant(timezone, from),
    to: isoInstant(timezone, to),
  });
  return {
    ...range(fromDate, toDate),
    timezone,
    ...(typeof priorFromDate === 'number' &&
      typeof priorToDate === 'number' && { prior: range(priorFromDate, priorToDate) }),
  };
}

type Times = Readonly<Record<string, unknown>>;
