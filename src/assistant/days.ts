/** Periods of whole days, as a person names them. */
import Type from 'typebox';
import { dayNumber, localDay } from '../calendar/period.ts';
import type { Rule } from '../contract/endpoint.ts';
import { Timezone } from '../contract/shapes.ts';
import { secondOfDay } from './dates.ts';

/** The length of a period that is not named, in days. */
const daysDefault = 30;

const day = (description: string) =>
  Type.Optional(
    Type.String({
      format: 'date',
      description: `${description}, YYYY-MM-DD.`,
      examples: ['2026-10-01'],
    }),
  );

/** The fields of a period of days and of the one that it is compared with. */
export const dayFields = {
  fromDay: day(`First day of the period; by default ${daysDefault} days end yesterday`),
  toDay: day('Last day of the period'),
  priorFromDay: day('First day to compare with; by default as many days just before the period'),
  priorToDay: day('Last day to compare with'),
  timezone: Timezone({
    default: 'UTC',
    description: 'IANA time zone of the days, such as that of the stores: Europe/London.',
  }),
};

/** The input of those fields. */
export type Days = Type.Static<Type.TObject<typeof dayFields>>;

const together = (from: 'fromDay' | 'priorFromDay', to: 'toDay' | 'priorToDay'): Rule => ({
  at: to,
  reads: [from],
  check: ({ [from]: first, [to]: last }: Days) => {
    if ((first === undefined) !== (last === undefined))
      return `${from} and ${to} must be given together`;
    return first !== undefined && last! < first ? `${to} must not be before ${from}` : undefined;
  },
});

/** The rules between the fields. */
export const dayRules: readonly Rule[] = [
  together('fromDay', 'toDay'),
  together('priorFromDay', 'priorToDay'),
];

/** The two periods in epoch seconds, as the public API takes them. */
export function rangesOf(input: Days, now: number) {
  const { fromDay, toDay, priorFromDay, priorToDay, timezone } = input;
  const yesterday = localDay(timezone, Math.floor(now / 1_000)) - 1;
  const last = toDay === undefined ? yesterday : dayNumber(toDay);
  const first = fromDay === undefined ? last - daysDefault + 1 : dayNumber(fromDay);
  const priorLast = priorToDay === undefined ? first - 1 : dayNumber(priorToDay);
  const priorFirst =
    priorFromDay === undefined ? first - (last - first + 1) : dayNumber(priorFromDay);
  return {
    fromDate: secondOfDay(timezone, first, false),
    toDate: secondOfDay(timezone, last, true),
    priorFromDate: secondOfDay(timezone, priorFirst, false),
    priorToDate: secondOfDay(timezone, priorLast, true),
    timezone,
  };
}
