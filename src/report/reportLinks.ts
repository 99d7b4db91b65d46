/** Download links of reports, which need no key and expire. */
import { timingSafeEqual } from 'node:crypto';
import { createHashing } from '../access/secret.ts';

/** How long a link is valid, in seconds. */
export const linkSeconds = 3_600;

/** The variable parts of a link. */
export type Link = { readonly reportId: string; readonly token: string; readonly fileName: string };

/** The file of a report, and the key that requested the link. */
export type LinkedFile = Pick<Link, 'reportId' | 'fileName'> & { readonly keyId: string };

/** Makes links, and recognises its own. */
export type ReportLinks = {
  /** The link to a report's file; it ends with the file's name. */
  readonly mint: (file: LinkedFile) => string;
  /** The key of a link that was made here and has not expired; undefined for any other path. */
  readonly keyOf: (link: Link) => string | undefined;
};

const pathStart = '/reports/files/';
/** The path of a link, as a pattern of its parts. */
export const linkPattern = `${pathStart}:reportId/:token/:fileName`;

/** The path of a link on the service itself, which may also have another address. */
export function linkPathOf(url: string): string {
  const { pathname } = new URL(url);
  return pathname.slice(pathname.indexOf(pathStart));
}

/** Links under a public address. `now` is in epoch milliseconds. */
export function createReportLinks(
  secret: string,
  publicUrl: string,
  now: () => number,
): ReportLinks {
  const sign = createHashing(secret, 'link of a report');
  const tokenOf = ({ reportId, fileName, keyId }: LinkedFile, until: string) =>
    [until, keyId, sign([until, keyId, reportId, fileName].join('\n'))].join('.');
  return {
    mint(file) {
      const { reportId, fileName } = file;
      const token = tokenOf(file, String(Math.floor(now() / 1000) + linkSeconds));
      return `${publicUrl}${pathStart}${reportId}/${token}/${fileName}`;
    },
    keyOf({ reportId, token, fileName }) {
      const [, until = '', keyId = ''] = /^(\d{1,12})\.([^.]+)\./.exec(token) ?? [];
      if (until === '' || Number(until) * 1000 < now()) return undefined;
      const given = Buffer.from(token);
      const expected = Buffer.from(tokenOf({ reportId, fileName, keyId }, until));
      const isOurs = given.length === expected.length && timingSafeEqual(given, expected);
      return isOurs ? keyId : undefined;
    },
  };
}
