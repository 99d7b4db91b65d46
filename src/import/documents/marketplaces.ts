/** Identifies marketplaces by site and country, and checks that rows belong to the channel's. */
import { listIn, part } from '../cells/json.ts';
import { OfOtherStore } from '../refused.ts';
import type { ImportSession } from '../session.ts';

const marketplaceIds: Readonly<Record<string, string>> = {
  'amazon.com': 'ATVPDKIKX0DER',
  'amazon.ca': 'A2EUQ1WTGCTBG2',
  'amazon.com.mx': 'A1AM78C64UM0Y8',
  'amazon.com.br': 'A2Q3Y263D00KWC',
  'amazon.co.uk': 'A1F83G8C2ARO7P',
  'amazon.ie': 'A28R8C7NBKEWEA',
  'amazon.de': 'A1PA6795UKMFR9',
  'amazon.fr': 'A13V1IB3VIYZZH',
  'amazon.it': 'APJ6JRA9NG5V4',
  'amazon.es': 'A1RKKUPIHCS9HS',
  'amazon.nl': 'A1805IZSGTT6HS',
  'amazon.com.be': 'AMEN7PMS3EDWL',
  'amazon.se': 'A2NODRKZP88ZB9',
  'amazon.pl': 'A1C3SOZRARQ6R3',
  'amazon.com.tr': 'A33AVAJ2PDY3EV',
  'amazon.ae': 'A2VIGQ35RCS4UG',
  'amazon.sa': 'A17E79C6D8DWNP',
  'amazon.eg': 'ARBP9OOSHTCHU',
  'amazon.in': 'A21TJRUUN4KGV',
  'amazon.co.jp': 'A1VC38T7YXB528',
  'amazon.com.au': 'A39IBJ37TRP1C6',
  'amazon.sg': 'A19VAU5U5O7RUS',
  'amazon.co.za': 'AE08WJ6YKNBMC',
};

/** The id of a site's marketplace, such as Amazon.de; undefined for other names. */
export function marketplaceOf(site: string): string | undefined {
  const name = site.toLowerCase();
  return Object.hasOwn(marketplaceIds, name) ? marketplaceIds[name] : undefined;
}

/**
 * The id of a country's marketplace, by its two-letter code; UK counts as GB. Undefined for other
 * codes.
 */
export function marketplaceOfCountry(country: string): string | undefined {
  const code = country.toLowerCase();
  const label = { us: 'com', gb: 'uk' }[code] ?? code;
  return Object.entries(marketplaceIds).find(
    ([site]) => label.length > 1 && site.endsWith(`.${label}`),
  )?.[1];
}

/** The countries of marketplaces by their name in the languages of these, and by their codes. */
const countriesNamed: ReadonlyMap<string, string> = new Map(
  ['en', 'de', 'es', 'fr', 'it', 'nl', 'sv', 'pl', 'tr', 'pt', 'ja', 'zh', 'ar'].flatMap(
    (language) => {
      const names = new Intl.DisplayNames([language], { type: 'region' });
      return Object.keys(marketplaceIds).flatMap((site) => {
        const label = site.slice(site.lastIndexOf('.') + 1);
        const code = { com: 'US', uk: 'GB' }[label] ?? label.toUpperCase();
        return [
          [names.of(code)!.toLowerCase(), code] as const,
          [code.toLowerCase(), code] as const,
        ];
      });
    },
  ),
);
const otherNames: Readonly<Record<string, string>> = { usa: 'US', uk: 'GB', uae: 'AE', ksa: 'SA' };

/**
 * The id of the marketplace of a country or site, by its name in any language of a marketplace, its
 * code, or its id. Undefined for anything else.
 */
export function marketplaceNamed(text: string): string | undefined {
  const name = text.trim().toLowerCase();
  if (Object.values(marketplaceIds).includes(text.trim())) return text.trim();
  const country = countriesNamed.get(name) ?? otherNames[name];
  return country === undefined ? marketplaceOf(name) : marketplaceOfCountry(country);
}

/** Refuses a report of the Selling Partner API for another marketplace than the channel's. */
export function requireMarketplace(report: unknown, session: ImportSession): void {
  requireOneOf(listIn(part(report, 'reportSpecification'), 'marketplaceIds') ?? [], session);
}

/** Refuses a document of these marketplaces unless the channel's is among them. */
export function requireOneOf(
  ids: readonly unknown[],
  { marketplaceId: own }: Pick<ImportSession, 'marketplaceId'>,
): void {
  if (own === undefined || ids.length === 0 || ids.includes(own)) return;
  throw new OfOtherStore(
    `the report belongs to ${marketplaceText(String(ids[0]))}, the channel to ${marketplaceText(own)}: import it into the channel of its store`,
    { marketplaceId: String(ids[0]) },
  );
}

/**
 * Skips rows of another marketplace than the channel's. If the channel names none, rejects rows of
 * another marketplace than earlier rows. Returns true for all other rows.
 */
export function oneMarketplace(session: ImportSession): (row: unknown, line: number) => boolean {
  const own = session.marketplaceId;
  let earlier = own;
  return (row, line) => {
    const id = part(row, 'marketplaceId');
    if (typeof id !== 'string') return true;
    earlier ??= id;
    if (earlier === id) return true;
    if (own === undefined)
      session.reject(
        line,
        `belongs to marketplace ${id.slice(0, 20)}, but earlier rows belong to ${earlier.slice(0, 20)}: a channel has one marketplace`,
      );
    else session.otherStores.skip(marketplaceText(id), marketplaceText(own), { marketplaceId: id });
    return false;
  };
}

/** Whether an amount's currency is the channel's or missing; skips the row if not. */
export function isOwnCurrency(code: unknown, session: ImportSession): boolean {
  const { currency, otherStores } = session;
  if (typeof code !== 'string' || !/^[A-Z]{3}$/i.test(code) || currency === '') return true;
  if (code.toUpperCase() === currency) return true;
  const theirs = code.toUpperCase();
  otherStores.skip(`a store in ${theirs}`, `one in ${currency}`, { currencies: [theirs] });
  return false;
}

/** The site of a marketplace, such as amazon.de. */
export function siteOf(id: string): string | undefined {
  return Object.entries(marketplaceIds).find(([, one]) => one === id)?.[0];
}

/** A marketplace by its site, if it is known, and its id. */
export function marketplaceText(id: string): string {
  const site = siteOf(id);
  const shownId = id.slice(0, 20);
  return `marketplace ${site === undefined ? shownId : `${site.replace('a', 'A')} (${shownId})`}`;
}

/** Sales channels of orders that the marketplace only ships. */
const ofOtherShops = /^(?:non[-_ ]?amazon|si [a-z]{2} prod marketplace)/i;

/**
 * Like `oneMarketplace`, for orders. Also skips orders of other shops that the marketplace only
 * ships.
 */
export function soldInChannel(
  session: ImportSession,
): (salesChannel: unknown, marketplaceId: unknown, line: number) => boolean {
  const isOfMarketplace = oneMarketplace(session);
  return (salesChannel, marketplaceId, line) => {
    if (typeof salesChannel === 'string' && ofOtherShops.test(salesChannel)) {
      const own = session.marketplaceId;
      session.otherStores.skip(salesChannel, own ? marketplaceText(own) : 'a marketplace', {});
      return false;
    }
    return isOfMarketplace({ marketplaceId }, line);
  };
}
