/** Columns of the advertising console, whose titles vary between accounts. */
import { DocumentRefused } from '../../refused.ts';
import type { ImportSession } from '../../session.ts';

/** Fields by title, in lower case. */
const fieldOfTitle: Readonly<Record<string, string>> = {
  date: 'date',
  'start date': 'first',
  'end date': 'last',
  'date range': 'range',
  country: 'country',
  marketplace: 'country',
  retailer: 'retailer',
  currency: 'currency',
  'budget currency': 'currency',
  'campaign id': 'campaignId',
  'campaign name': 'campaignName',
  campaigns: 'campaignName',
  campaign: 'campaignName',
  'ad group id': 'adGroupId',
  'ad group name': 'adGroupName',
  'ad group': 'adGroupName',
  'keyword id': 'keywordId',
  'target id': 'keywordId',
  'targeting id': 'keywordId',
  keyword: 'keyword',
  'keyword text': 'keyword',
  'target value': 'targeting',
  'match type': 'matchType',
  'target match type': 'matchType',
  bid: 'bid',
  'keyword bid': 'bid',
  'customer search term': 'searchTerm',
  'search term': 'searchTerm',
  state: 'state',
  type: 'type',
  'campaign type': 'type',
  'ad product': 'type',
  'cost type': 'costType',
  'bid optimization': 'bidOptimization',
  targeting: 'targeting',
  'targeting type': 'targeting',
  budget: 'budget',
  'daily budget': 'budget',
  'campaign budget amount': 'budget',
  impressions: 'impressions',
  clicks: 'clicks',
  spend: 'cost',
  cost: 'cost',
  'total cost': 'cost',
  sales: 'sales',
  'total sales': 'sales',
  orders: 'conversions',
  purchases: 'conversions',
  'total orders (#)': 'conversions',
  units: 'units',
  'units sold': 'units',
  'total units (#)': 'units',
  'advertised sku sales': 'salesSameSku',
  'sales (promoted)': 'salesSameSku',
  'purchases (promoted)': 'conversionsSameSku',
  'advertised sku units (#)': 'unitsSameSku',
  'units sold (promoted)': 'unitsSameSku',
  'ntb orders': 'ordersNtb',
  'purchases (new to brand)': 'ordersNtb',
  'new-to-brand orders (#)': 'ordersNtb',
  'units sold (new to brand)': 'unitsNtb',
  'new-to-brand units (#)': 'unitsNtb',
  'ntb sales': 'salesNtb',
  'sales (new to brand)': 'salesNtb',
  'new-to-brand sales': 'salesNtb',
};

/** Titles of columns that divide campaigns into parts, such as audiences. */
const narrowing =
  /^(?:(?:audience )?(?:audience|segment)s?(?: segment)?(?: name| id| type| class(?: code)?)?|(?:ad |campaign )?placements?(?: type| classification| name)?|(?:campaign )?site(?: name)?|(?:inventory|supply) (?:source|type)|device(?: type)?|operating system|business(?: only)?|amazon business|customer (?:type|segment)|gender|age(?: range)?|city|region|postal code)$/;

/** The fields that are amounts. */
export const money = ['cost', 'sales', 'salesSameSku', 'salesNtb'];

/** The fields that are whole numbers. */
export const counts = [
  'impressions',
  'clicks',
  'conversions',
  'conversionsSameSku',
  'units',
  'unitsSameSku',
  'ordersNtb',
  'unitsNtb',
];

/**
 * A column: its field, and, if its title names them, the attribution window in days and the code or
 * sign of the currency of its amounts.
 */
export type Title = { readonly field: string; readonly days?: number; readonly currency?: string };

/**
 * Reads a title such as "7 Day Total Sales ", "Spend(USD)" or "Campaign Name"; undefined if it is
 * unknown.
 */
function titleOf(name: string): Title | undefined {
  const text = plainText(name);
  const known = fieldOfTitle[text];
  if (known !== undefined) return { field: known };
  const windowed = /^(\d+) day (.+)$/.exec(text);
  if (windowed) {
    const title = titleOf(windowed[2]!);
    return title && { ...title, days: Number(windowed[1]) };
  }
  // Amounts have their currency in brackets. "Converted" amounts are not in the account's own
  // currency.
  const inCurrency = /^(.+?) ?\(([a-z]{3}|\p{Sc})\)$/u.exec(text);
  const field = inCurrency ? fieldOfTitle[inCurrency[1]!] : undefined;
  if (field === undefined || !(money.includes(field) || field === 'budget' || field === 'bid'))
    return undefined;
  return { field, currency: inCurrency![2]!.toUpperCase() };
}

/** The titles of a field, without attribution windows and currencies. */
export function titlesFor(field: string): readonly string[] {
  return Object.keys(fieldOfTitle).filter((title) => fieldOfTitle[title] === field);
}

/** A title as `titlesFor` spells it: "7 Day Total Sales ($)" becomes "total sales". */
export function titleText(name: string): string {
  return plainText(name)
    .replace(/^\d+ day /, '')
    .replace(/ ?\((?:[a-z]{3}|\p{Sc})\)$/u, '');
}

function plainText(name: string): string {
  return name.replaceAll(/\s+/g, ' ').trim().toLowerCase();
}

/** The fields of a header. */
export function fieldsIn(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.flatMap((name) => titleOf(name)?.field ?? []));
}

/** The first title that divides campaigns into parts; undefined if there is none. */
export function narrowingTitle(names: readonly string[]): string | undefined {
  return names.find((name) => narrowing.test(plainText(name)));
}

/**
 * The columns of a header to read, by name. Skips columns with other attribution windows than the
 * import's or, if it names none, the document's.
 */
export function titlesOf(
  names: readonly string[],
  session: ImportSession,
): ReadonlyMap<string, Title> {
  const titles = names.flatMap((name) => {
    const title = titleOf(name);
    return title ? [[name, title] as const] : [];
  });
  const windows = new Set(titles.flatMap(([, { days }]) => days ?? []));
  const days = windowOf(windows, session);
  return new Map(titles.filter(([, title]) => title.days === undefined || title.days === days));
}

/**
 * The attribution window of the import or, if it names none, of the document; of two windows, the
 * one of 14 days.
 */
function windowOf(
  windows: ReadonlySet<number>,
  { attributionDays, missing }: ImportSession,
): number | undefined {
  const found = [14, 7].find((days) => windows.has(days));
  if (windows.size === 0 || (attributionDays !== undefined && windows.has(attributionDays)))
    return attributionDays;
  const sales = `sales of ${[...windows].join(' and ')} days after a click`;
  if (found === undefined)
    throw new DocumentRefused(`the document has ${sales}: download it with those of 7 or 14 days`);
  if (attributionDays !== undefined) missing.needAttribution(found, `it has ${sales}`);
  return found;
}
