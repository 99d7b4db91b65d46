/** The counts of a list's figures, and their currencies other than the answer's. */
import { type Question, questionFile } from '../../engine/question.ts';
import type { CachedAsk } from '../../engine/segments/router.ts';
import type { Ask } from '../../engine/warehouse.ts';
import { type ChannelDays, type ItemFigures, readCounts } from '../../report/itemDays.ts';
import type { Scope } from './scope.ts';

/** The questions for the currencies of a table of figures. */
export type CurrencyQuestions = Pick<ItemFigures, 'counts'> & {
  /** The channels with settings in their own currency; absent if the list shows no setting. */
  readonly set?: Question<{ readonly channel: number }>;
};

/** Makes the questions for the currencies of figures, and of the table of known rows with settings. */
export function currenciesOf(
  { counts }: Pick<ItemFigures, 'counts'>,
  known: string | undefined,
): CurrencyQuestions {
  if (known === undefined) return { counts };
  return { counts, set: questionFile(import.meta.url, 'settings.sql', { table: known }) };
}

/** The currencies of the channels with settings in a scope, each with its first such channel. */
export async function readSettingCurrencies(
  ask: Ask,
  { set }: CurrencyQuestions,
  { channels }: Scope,
): Promise<ReadonlyMap<string, number>> {
  if (set === undefined) return new Map();
  const numbers = channels.map(({ channelNumber }) => channelNumber);
  const found = new Set((await ask(set, { channels: numbers })).map(({ channel }) => channel));
  const having = channels.filter(({ channelNumber }) => found.has(channelNumber)).reverse();
  return new Map(having.map(({ currency, channelNumber }) => [currency, channelNumber]));
}

/**
 * The parameters of questions about a scope: its days, the days of all its channels together, and
 * the numbers of the channels.
 */
export function enclosingDays({ channels, firsts, lasts }: Scope) {
  return {
    channels: channels.map((channel) => channel.channelNumber),
    first: Math.min(...firsts),
    last: Math.max(...lasts),
  };
}

/** The days of each channel of a scope. */
export function channelDays({ channels, firsts, lasts }: Scope): readonly ChannelDays[] {
  return channels.map(({ channelNumber: channel }, place) => ({
    channel,
    first: firsts[place]!,
    last: lasts[place]!,
  }));
}

/**
 * The currencies of a scope's figures other than the target, each with the first channel that has
 * it.
 */
export async function readForeignCurrencies(
  ask: CachedAsk,
  questions: CurrencyQuestions,
  scope: Scope,
  target: string,
): Promise<ReadonlyMap<string, number>> {
  const { first, last } = enclosingDays(scope);
  const rows = await readCounts(ask, questions, channelDays(scope));
  const channelOf = new Map<string, number>();
  for (const { channel, day, currency } of rows)
    if (currency !== target && day >= first && day <= last)
      channelOf.set(currency, Math.min(channel, channelOf.get(currency) ?? channel));
  return new Map([...channelOf].sort(([one], [other]) => (one < other ? -1 : 1)));
}
