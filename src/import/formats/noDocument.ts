/** Files that hold no report at all, such as a page or an error that was saved in place of one. */
import { asObject } from '../cells/json.ts';
import { shownName } from '../rows.ts';

const messageCharactersMax = 120;
/** Beginnings of texts that are no report, each with the reason to refuse it. */
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
const namedEncoding = (charset: string) =>
  `the document is UTF-16 without a byte order mark: name its encoding by charset=${charset} in its content type`;

/** The reason to refuse a text that begins with these names, if it holds no report. */
export function reasonAgainstText([first = '']: readonly string[]): string | undefined {
  if (first.startsWith('\0')) return namedEncoding('utf-16be');
  if (first.includes('\0')) return namedEncoding('utf-16le');
  return beginnings.find(([start]) => start.test(first.trim()))?.[1];
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
