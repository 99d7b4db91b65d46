/** Download links of reports, which need no key and expire. */
import { timingSafeEqual } from 'node:crypto';
import { createHashing } from '../access/secret.ts';

/** How long a link is valid, in seconds. */
export const linkSeconds = 3_600;

/** The variable parts of a link. */
export type Link = { readonly reportId: string; readonly token: string; readonly fileName: string };

/** Makes links, and recognises its own. */
export type ReportLinks = {
  /** The link to a report's file; it ends in the file's name. */
  readonly mint: (file: Pick<Link, 'reportId' | 'fileName'>) => string;
  /** Whether a link with these parts was minted here and has not expired. */
  readonly holds: (link: Link) => boolean;
};

/** The path of a link, as a pattern of its parts. */
export const linkPattern = '/reports/files/:reportId/:token/:fileName';

/** Links under a public address. `now` is in epoch milliseconds. */
export function createReportLinks(
  secret: string,
  publicUrl: string,
  now: () => number,
): ReportLinks {
  const sign = createHashing(secret, 'link of a report');
  const tokenOf = (reportId: string, fileName: string, until: string) =>
    `${until}-${sign(`${until}\n${reportId}\n${fileName}`)}`;
  return {
    mint({ reportId, fileName }) {
      const token = tokenOf(reportId, fileName, String(Math.floor(now() / 1000) + linkSeconds));
      return `${publicUrl}/reports/files/${reportId}/${token}/${fileName}`;
    },
    holds({ reportId, token, fileName }) {
      const until = /^\d{1,12}(?=-)/.exec(token)?.[0];
      if (until === undefined || Number(until) * 1000 < now()) return false;
      const given = Buffer.from(token);
      const expected = Buffer.from(tokenOf(reportId, fileName, until));
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
}
