/**
 * Files that contain no report at all, such as a page or an error that was saved in place of one,
 * and well-known reports that are not read because another report has their figures.
 */
import { asObject } from '../cells/json.ts';
import { shownName } from '../rows.ts';

const messageCharactersMax = 120;
/** Beginnings of texts that are not reports, each with the reason to refuse it. */
const beginnings: readonly [start: RegExp, reason: string][] = [
  [
    /^(<!doctype html|<html)/i,
    'the document is a web page, perhaps of a session that has ended: sign in again and download the report itself',
  ],
  [
    /^<\?xml|^<[a-z]+[ >]/i,
    'the document is XML: download the same report as CSV or as a flat file',
  ],
  [/^%PDF-/, 'the document is a PDF: download the same report as CSV or as a flat file'],
];
/** Reports that are not read, by titles that only they have, each with what to import instead. */
const others: readonly [titles: readonly string[], reason: string][] = [
  [
    ['name', 'financial status', 'lineitem quantity'],
    'the document is the CSV export of orders of a Shopify shop, which cannot be imported: import its orders from the Admin API (shopifyOrders), or rows of orderLines',
  ],
  [
    ['transaction date', 'payout status', 'net'],
    'the document has transactions of Shopify Payments, which cannot be imported: import rows of financeEvents',
  ],
  [
    ['order id', 'return request date', 'amazon rma id'],
    'the document has requests for returns to the seller (MFN), which cannot be imported: settlements have their refunds',
  ],
];
const namedEncoding = (charset: string) =>
  `the document is UTF-16 without a byte order mark: name its encoding by charset=${charset} in its content type`;

/**
 * The reason to refuse a text that begins with these names, if it contains no report that is read.
 */
export function reasonAgainstText(names: readonly string[]): string | undefined {
  const [first = ''] = names;
  if (first.startsWith('\0')) return namedEncoding('utf-16be');
  if (first.includes('\0')) return namedEncoding('utf-16le');
  const has = new Set(names.map((name) => name.trim().toLowerCase().replaceAll(/[-_]/g, ' ')));
  return (
    beginnings.find(([start]) => start.test(first.trim()))?.[1] ??
    others.find(([titles]) => titles.every((title) => has.has(title)))?.[1]
  );
}

/** The reason to refuse a JSON value that is an error in place of a report. */
export function reasonAgainstValue(value: unknown): string | undefined {
  const { errors, error } = asObject(value) ?? {};
  const first = asObject(Array.isArray(errors) ? errors[0] : error);
  const { message } = first ?? {};
  return typeof message === 'string'
    ? `the document is an error in place of a report (${shownName(message.slice(0, messageCharactersMax))}): request the report again`
    : undefined;
}
