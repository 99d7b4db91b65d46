/** Skips rows of other stores than the channel's, by every sign of a store in them. */
import { currenciesWritten } from '../../cells/currencySigns.ts';
import type { ImportSession } from '../../session.ts';
import { marketplaceNamed, marketplaceText } from '../marketplaces.ts';

/** The signs of a store in a row. */
export type StoreSigns = {
  /** A country or a marketplace, by its name, code or id. */
  readonly country?: string | undefined;
  /** The shop that sold the advertised product; by default the marketplace itself. */
  readonly retailer?: string | undefined;
  readonly currency?: string | undefined;
  /** Amounts with their sign, or signs alone. */
  readonly amounts?: readonly string[];
};

/** Whether a row belongs to the channel's store; skips it if not. */
export function isOfStore(session: ImportSession, signs: StoreSigns): boolean {
  const other = otherStore(session, signs);
  if (other !== undefined) session.otherStores.skip(...other);
  return other === undefined;
}

/** The store of a row and the channel's store, in words, if they differ. */
function otherStore(
  { marketplaceId, currency: own }: ImportSession,
  { country, retailer, currency, amounts = [] }: StoreSigns,
): Parameters<ImportSession['otherStores']['skip']> | undefined {
  const marketplace = country === undefined ? undefined : marketplaceNamed(country);
  if (marketplace !== undefined && marketplaceId !== undefined && marketplace !== marketplaceId)
    return [
      marketplaceText(marketplace),
      marketplaceText(marketplaceId),
      { marketplaceId: marketplace },
    ];
  const inOwn = `a store in ${own}`;
  const code = currency?.trim().toUpperCase();
  if (code !== undefined && /^[A-Z]{3}$/.test(code) && code !== own)
    return [`a store in ${code}`, inOwn, { currencies: [code] }];
  const foreign = amounts.find((amount) => {
    const currencies = currenciesWritten(amount);
    return currencies !== undefined && !currencies.includes(own);
  });
  if (foreign !== undefined) {
    const currencies = currenciesWritten(foreign)!;
    return [`a store with amounts such as ${foreign}`, inOwn, { currencies }];
  }
  if (retailer === undefined || /^(?:amazon\b.*|-)$/i.test(retailer)) return undefined;
  return [`the retailer ${retailer}`, 'Amazon', {}];
}
