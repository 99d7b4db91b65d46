/** The searches of buyers, by channel and product family: the lines of searchTerms.tsv. */
import { readTable } from './tables.ts';

/** The search terms of a family, most popular first, divided by "|". */
type Line = { readonly channelId: string; readonly family: string; readonly terms: string };

const terms = new Map(
  readTable<Line>('searchTerms').map((line) => [
    `${line.channelId} ${line.family}`,
    line.terms.split('|'),
  ]),
);

/** The search terms of a product family on a channel, most popular first; none where unknown. */
export const searchTermsOf = (channelId: string, family: string): readonly string[] =>
  terms.get(`${channelId} ${family}`) ?? [];
