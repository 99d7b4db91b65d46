/** The output of every tool: figures with a summary, sources, period, zone and currency. */
import Type from 'typebox';
import { isoInstant } from '../calendar/period.ts';
import { isObject } from '../contract/jsonSchema.ts';
import type { Calls } from './api.ts';
import { bounded } from './bounds.ts';

const Range = {
  from: Type.String({ description: 'First second of the period: ISO 8601 with its offset.' }),
  to: Type.String({ description: 'Last second of the period.' }),
};

const Shown = Type.Object({
  list: Type.String({ description: 'The path to the list in this answer.' }),
  shown: Type.Integer({ description: 'How many of its entries are shown.' }),
  of: Type.Optional(Type.Integer({ description: 'How many there are, where that is known.' })),
  next: Type.Optional(Type.String({ description: 'How to get the others.' })),
});

/** The output of a tool whose figures have this shape. */
export function outputOf<Figures extends Type.TSchema>(figures: Figures) {
  return Type.Object({
    summary: Type.String({ description: 'The answer in a sentence or two.' }),
    sources: Type.Array(
      Type.Object({
        call: Type.String({ description: 'Method and path of the call.' }),
        parameters: Type.Object({}, { description: 'Its parameters.' }),
      }),
      { description: 'The calls of the public API that the figures come from.' },
    ),
    period: Type.Optional(
      Type.Object({
        ...Range,
        timezone: Type.String({ description: 'IANA time zone of these times.' }),
        prior: Type.Optional(Type.Object(Range, { description: 'The comparison period.' })),
      }),
    ),
    currency: Type.Optional(
      Type.String({ description: 'Currency of amounts that name none, ISO 4217.' }),
    ),
    rows: Type.Array(Shown, {
      description: 'How much of each list is shown, where there may be more.',
    }),
    warnings: Type.Optional(
      Type.Array(Type.String(), { description: 'What keeps figures from being complete.' }),
    ),
    answer: figures,
  });
}

/** The period of figures in words, with its comparison period. */
export type PeriodText = Type.Static<ReturnType<typeof outputOf>>['period'];

/** How much of a list is shown. */
export type ShownList = Type.Static<typeof Shown>;

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
  const { value, cuts } = bounded({ sources: calls.sources, answer });
  const rows = ofLists(value.answer, cuts);
  const said = [summary, ...rows.map(sayShown)].join(' ');
  const all = [...warnings, ...calls.warnings];
  return {
    summary: said,
    ...value,
    ...(period && { period }),
    ...(currency !== undefined && { currency }),
    ...(all.length > 0 && { warnings: all }),
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
