/** The numbers of the figures of a list, and those of their currencies that are not its answer's. */
import { byDay, enclosingBlocks, type Question, questionFile } from '../../engine/question.ts';
import type { Ask } from '../../engine/warehouse.ts';
import type { Scope } from './scope.ts';

type CurrencyDay = { readonly channel: number; readonly day: number; readonly currency: string };

/** The number of figures of a channel, day and currency. */
export type FigureCount = CurrencyDay & { readonly figures: number };

/** The questions for the currencies of a table of figures. */
export type CurrencyQuestions = {
  /** The currencies other than `currency`. */
  readonly foreign: Question<CurrencyDay>;
  readonly counts: Question<FigureCount>;
};

/** Makes the questions for the currencies of a table of figures. */
export function currenciesOf(figures: string): CurrencyQuestions {
  return {
    foreign: byDay(questionFile<CurrencyDay>(import.meta.url, 'currencies.sql', { figures })),
    counts: byDay(questionFile<FigureCount>(import.meta.url, 'figureCounts.sql', { figures })),
  };
}

/** The days of a scope, those of all its channels together, and the numbers of the channels. */
export function enclosingDays({ channels, firsts, lasts }: Scope) {
  return {
    channels: channels.map((channel) => channel.channelNumber),
    first: Math.min(...firsts),
    last: Math.max(...lasts),
  };
}

/** Reads the numbers of figures in the blocks that hold the days of a scope. */
export function readCounts(
  ask: Ask,
  { counts }: CurrencyQuestions,
  scope: Scope,
): Promise<FigureCount[]> {
  const { channels, ...days } = enclosingDays(scope);
  return ask(counts, { channels, ...enclosingBlocks(days) });
}

/**
 * The currencies other than the target of the figures of a scope, each with the first channel that
 * has it. Where days are kept, they are found among the numbers of figures, which pages from memory
 * need as well.
 */
export async function readForeignCurrencies(
  ask: Ask,
  questions: CurrencyQuestions,
  scope: Scope,
  target: string,
): Promise<ReadonlyMap<string, number>> {
  const { first, last, ...named } = enclosingDays(scope);
  const rows = ask.keepsDays
    ? await readCounts(ask, questions, scope)
    : await ask(questions.foreign, { ...named, first, last, currency: target });
  const channelOf = new Map<string, number>();
  for (const { channel, day, currency } of rows)
    if (currency !== target && day >= first && day <= last)
      channelOf.set(currency, Math.min(channel, channelOf.get(currency) ?? channel));
  return new Map([...channelOf].sort(([one], [other]) => (one < other ? -1 : 1)));
}
