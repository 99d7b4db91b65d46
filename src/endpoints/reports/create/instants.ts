/** Reads windows of reports as instants, for order lines and financial events. */
import type { Channel } from '../../../access/channels.ts';
import { clipped, isLong, type Range, spansOf } from '../../../calendar/windows.ts';
import { calendarOffsets } from '../../../calendar/zone.ts';
import { type Question, questionFile } from '../../../engine/question.ts';
import type { Ask } from '../../../engine/warehouse.ts';
import { type Dated, readChannelConversion } from '../../../report/conversion.ts';
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

/** A window and the comparison period as instants, and the UTC days that they touch. */
type Instants = Readonly<
  Record<'from' | 'to' | 'priorFrom' | 'priorTo', number> &
    Record<'fromUtc' | 'toUtc' | 'priorFromUtc' | 'priorToUtc', number>
>;

/** The parameters of questions about instants in either of two windows. */
function instantsOf({ from, to }: Range, { from: priorFrom, to: priorTo }: Range): Instants {
  return {
    from,
    to,
    priorFrom,
    priorTo,
    fromUtc: utcDay(from),
    toUtc: utcDay(to),
    priorFromUtc: utcDay(priorFrom),
    priorToUtc: utcDay(priorTo),
  };
}

/**
 * Reads the parameters of questions about both windows: their instants, whether amounts include
 * tax, and the conversion of the currencies that `currencies` finds. Long windows are clipped to
 * the facts; without a comparison period, the period itself takes its place. `windows` are the
 * instants of each window alone.
 */
export async function readWindows(
  ask: Ask,
  channel: Channel,
  options: Periods & { readonly includeTax: boolean },
  currencies: Question<Dated>,
) {
  const spans = spansOf(options);
  const { channelNumber } = channel;
  const extents = spans.some(isLong)
    ? (await ask(extentsQuestion, { channel: channelNumber })).map(({ since, until }) => ({
        from: since,
        to: until + slotSeconds - 1,
      }))
    : spans;
  const known = spans.map((span) => clipped(span, extents));
  const [period = empty, prior = empty] = known;
  const found = known.filter((window) => window !== undefined);
  const chosen = {
    channel: channelNumber,
    ...instantsOf(period, spans.length > 1 ? prior : period),
    withTax: options.includeTax ? 1 : 0,
    ...(found.length === 0
      ? { starts: [0], offsets: [0] }
      : calendarOffsets(
          options.timezone,
          Math.min(...found.map(({ from }) => from)),
          Math.max(...found.map(({ to }) => to)),
        )),
  };
  const conversion = await readChannelConversion(ask, channel, await ask(currencies, chosen));
  return {
    parameters: { ...chosen, ...conversion },
    windows: known.map((window = empty) => instantsOf(window, window)),
  };
}

/** The UTC day of an instant; facts are stored by it. */
export function utcDay(instant: number): number {
  return Math.floor(instant / secondsPerDay);
}
