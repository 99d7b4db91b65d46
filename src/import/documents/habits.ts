/** How the country of a store usually writes amounts and dates. */
import type { DateOrder } from '../cells/dates.ts';
import type { DecimalMark } from '../cells/money.ts';
import type { ImportSession } from '../session.ts';
import { siteOf } from './marketplaces.ts';

/**
 * Where amounts have a decimal comma: top-level domains of sites, and currencies of other stores.
 */
const commaSites: ReadonlySet<string> = new Set('de fr it es nl be se pl tr br'.split(' '));
const commaCurrencies: ReadonlySet<string> = new Set(
  'EUR SEK NOK DKK PLN CZK HUF RON TRY BRL IDR VND ARS CLP COP'.split(' '),
);
/** Where numeric dates have no usual order, or begin with the year. */
const openSites: ReadonlySet<string> = new Set(['ca', 'jp', 'za', 'se']);

/** The usual notation of a store: the decimal mark, and the order of dates if there is one. */
export function habitsOf({
  marketplaceId = '',
  currency,
}: Pick<ImportSession, 'marketplaceId' | 'currency'>): {
  readonly mark: DecimalMark;
  readonly order: DateOrder | undefined;
} {
  const site = siteOf(marketplaceId);
  if (site === undefined)
    return { mark: commaCurrencies.has(currency) ? ',' : '.', order: undefined };
  const country = site.slice(site.lastIndexOf('.') + 1);
  const order = openSites.has(country) ? undefined : country === 'com' ? 'monthFirst' : 'dayFirst';
  return { mark: commaSites.has(country) ? ',' : '.', order };
}
