/** Windows of reports as instants, which order lines and financial events have. */
import type { Channel } from '../../../access/channels.ts';
import { calendarOffsets } from '../../../calendar/zone.ts';
import { type Question, questionFile } from '../../../engine/question.ts';
import type { Ask } from '../../../engine/warehouse.ts';
import { type Dated, readConversion } from '../../../report/conversion.ts';
import { clipped, isLong, type Range, spansOf } from '../../../report/period.ts';
import type { Periods } from './windows.ts';

const extentsQuestion = questionFile<{ since: number; until: number }>(
  import.meta.url,
  'extents.sql',
);

const secondsPerDay = 86_400;
/** The grain of the rollups. */
const slotSeconds = 900;
/** A window without facts. */
const empty: Range = { from: 1, to: 0 };

/** The local date of an instant, as SQL, by the parameters of readInstants(). */
export const localDate = (instant: string) =>
  `local_day(${instant}, {starts:Array(Int64)}, {offsets:Array(Int64)})`;

/**
 * Conditions that a fact of the channel is within the window between two parameters: `from` and
 * `to`, or `priorFrom` and `priorTo`.
 */
export const within = (instant: string, from: string, to: string) =>
  `channel = {channel:Int32} AND day >= {${from}Utc:Date} AND day <= {${to}Utc:Date}
      AND ${instant} >= {${from}:Int64} AND ${instant} <= {${to}:Int64}`;

/** An amount, with its tax where the parameter `withTax` is 1. */
export const taxed = (amount: string, tax: string) =>
  `${amount} + CASE WHEN {withTax:Int32} = 1 THEN ${tax} ELSE amount(0) END`;

/** The question about the currencies of facts of both windows, which have these amounts. */
export function currenciesOf(facts: string, amounts: readonly string[]) {
  return questionFile<Dated>(import.meta.url, 'factCurrencies.sql', {
    facts,
    priced: amounts.map((name) => `${name} <> amount(0)`).join(' OR '),
  });
}

/**
 * Reads the parameters of both windows: instants, and the UTC days that they touch. Long windows
 * are clipped to the facts.
 */
async function readInstants(ask: Ask, { channelNumber: channel }: Channel, options: Periods) {
  const spans = spansOf(options);
  const extents = spans.some(isLong)
    ? (await ask(extentsQuestion, { channel })).map(({ since, until }) => ({
        from: since,
        to: until + slotSeconds - 1,
      }))
    : spans;
  const [current = empty, prior = empty] = spans.map((span) => clipped(span, extents) ?? empty);
  const known = [current, prior].filter((window) => window !== empty);
  const starts = known.map(({ from }) => from);
  const ends = known.map(({ to }) => to);
  return {
    channel,
    ...current,
    priorFrom: prior.from,
    priorTo: prior.to,
    fromUtc: utcDay(current.from),
    toUtc: utcDay(current.to),
    priorFromUtc: utcDay(prior.from),
    priorToUtc: utcDay(prior.to),
    ...(known.length === 0
      ? { starts: [0], offsets: [0] }
      : calendarOffsets(options.timezone, Math.min(...starts), Math.max(...ends))),
  };
}

/**
 * Reads the parameters of a question about both windows: those of readInstants(), whether amounts
 * include tax, and the conversion of the currencies that `currencies` finds.
 */
export async function readParameters(
  ask: Ask,
  channel: Channel,
  options: Periods & { readonly includeTax: boolean },
  currencies: Question<Dated>,
) {
  const chosen = {
    ...(await readInstants(ask, channel, options)),
    withTax: options.includeTax ? 1 : 0,
  };
  return { ...chosen, ...(await readConversion(ask, channel, await ask(currencies, chosen))) };
}

/** The day of an instant in UTC, by which facts are stored. */
export function utcDay(instant: number): number {
  return Math.floor(instant / secondsPerDay);
}
