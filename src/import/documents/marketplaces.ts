/** The marketplaces that financial events name by their sites, and their identifiers. */
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

/** The identifier of the marketplace of that site, such as Amazon.de; undefined for other names. */
export function marketplaceOf(site: string): string | undefined {
  const name = site.toLowerCase();
  return Object.hasOwn(marketplaceIds, name) ? marketplaceIds[name] : undefined;
}

/** The identifier of the marketplace of that country, by its code of two letters; UK is taken for GB. Undefined for others. */
export function marketplaceOfCountry(country: string): string | undefined {
  const code = country.toLowerCase();
  const label = { us: 'com', gb: 'uk' }[code] ?? code;
  return Object.entries(marketplaceIds).find(
    ([site]) => label.length > 1 && site.endsWith(`.${label}`),
  )?.[1];
}
