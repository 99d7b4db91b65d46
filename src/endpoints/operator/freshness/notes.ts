/** Notes on facts of a channel that make its figures wrong. */
import type { Channel } from '../../../access/channels.ts';
import { dayNumber, isoDate } from '../../../calendar/period.ts';
import type { AnswerOf } from '../../../contract/endpoint.ts';
import { questionFile } from '../../../engine/question.ts';
import { readEarlierReadings } from '../../../import/earlierReadings.ts';
import { readEarlierPrices } from '../../../import/taxes/earlierPrices.ts';
import { unstatedTaxOf } from '../../../import/taxes/unstated.ts';
import type { Context } from '../../handler.ts';
import type { readFreshness } from './contract.ts';

type Note = AnswerOf<typeof readFreshness>['notes'][number];

const limits = { deadlineMilliseconds: 30_000 };
const importsMax = 100;
const searchTermDates = questionFile<{
  rows_found: number;
  first_day: number;
  last_day: number;
}>(import.meta.url, 'searchTermDates.sql');

/** The notes on a channel. */
export async function notesOf(channel: Channel, context: Context<'operator'>): Promise<Note[]> {
  const notes: Note[] = [];
  const earlier = (await readEarlierPrices(context, [channel], limits, true)).get(channel);
  if (earlier !== undefined)
    notes.push({
      about: 'earlierPrices',
      text: `The prices of ${earlier.lines} order lines were read without regard to the tax in them, or under another setting: import their documents again.`,
      from: isoDate(earlier.first),
      to: isoDate(earlier.last),
      imports: earlier.imports.slice(0, importsMax),
    });
  const readings = (await readEarlierReadings(context, [channel], limits)).get(channel);
  if (readings !== undefined)
    notes.push({
      about: 'earlierReadings',
      text: 'An earlier version read documents of advertising in another way: import them again, reports by placement as well.',
      from: isoDate(readings.first),
      to: isoDate(readings.last),
      imports: readings.imports.slice(0, importsMax),
    });
  const spans = Object.values(unstatedTaxOf(channel));
  if (spans.length > 0)
    notes.push({
      about: 'unstatedTax',
      text: 'Net sales and profit hold tax that the documents do not state: save the tax rates of the channel.',
      from: isoDate(Math.min(...spans.map(([first]) => first))),
      to: isoDate(Math.max(...spans.map(([, last]) => last))),
      imports: [],
    });
  const terms = await searchTermDaysOf(channel, context);
  if (terms !== undefined)
    notes.push({
      about: 'searchTermsOnly',
      text: 'Figures of campaigns come from search terms alone: import a report of campaigns or of targets.',
      from: isoDate(terms.first_day),
      to: isoDate(terms.last_day),
      imports: [],
    });
  return notes;
}

/** The first and the last date with figures of campaigns that come from search terms alone. */
async function searchTermDaysOf(
  { channelNumber: channel }: Channel,
  { registry, warehouse }: Context<'operator'>,
): Promise<{ readonly first_day: number; readonly last_day: number } | undefined> {
  const { first, last } = await registry.records
    .selectFrom('import')
    .select(({ fn }) => [fn.min('firstDate').as('first'), fn.max('lastDate').as('last')])
    .where('channelNumber', '=', channel)
    .where('dataset', '=', 'adsSpSearchTerms')
    .where('state', '=', 'done')
    .executeTakeFirstOrThrow();
  if (first === null || last === null) return undefined;
  const days = { first: dayNumber(first), last: dayNumber(last) };
  const [found] = await warehouse.ask(searchTermDates, { channel, ...days }, limits);
  return found !== undefined && found.rows_found > 0 ? found : undefined;
}
