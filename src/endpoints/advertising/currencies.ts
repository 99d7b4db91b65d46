/** The currencies of the figures of a list that are not those of its answer. */
import { byDay, type Question, questionFile } from '../../engine/question.ts';
import type { Ask } from '../../engine/warehouse.ts';
import type { Scope } from './scope.ts';

type CurrencyDay = { readonly channel: number; readonly day: number; readonly currency: string };

/** The question for the currencies of a table of figures. */
export type CurrencyQuestion = Question<CurrencyDay>;

/** Makes the question for the currencies of a table of figures. */
export function currenciesOf(figures: string): CurrencyQuestion {
  return byDay(questionFile<CurrencyDay>(import.meta.url, 'currencies.sql', { figures }));
}

/** The days of a scope, those of all its channels together, and the numbers of the channels. */
export function enclosingDays({ channels, firsts, lasts }: Scope) {
  return {
    channels: channels.map((channel) => channel.channelNumber),
    first: Math.min(...firsts),
    last: Math.max(...lasts),
  };
}

/**
 * The currencies other than the target of the figures of a scope, each with the first channel that
 * has it.
 */
export async function readForeignCurrencies(
  ask: Ask,
  question: CurrencyQuestion,
  scope: Scope,
  target: string,
): Promise<ReadonlyMap<string, number>> {
  const channelOf = new Map<string, number>();
  const rows = await ask(question, { ...enclosingDays(scope), currency: target });
  for (const { channel, currency } of rows)
    if (!(channelOf.get(currency)! <= channel)) channelOf.set(currency, channel);
  return new Map([...channelOf].sort(([one], [other]) => (one < other ? -1 : 1)));
}
