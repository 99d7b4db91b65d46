/** Addresses from which the file of a report can be downloaded without a key, for a while. */
import { timingSafeEqual } from 'node:crypto';
import { createHashing } from '../access/secret.ts';

/** How long an address leads to its file, in seconds. */
export const linkSeconds = 3_600;

/** The parts of an address that tell what it leads to. */
export type Link = { readonly reportId: string; readonly token: string; readonly fileName: string };

/** Makes such addresses and knows its own again. */
export type ReportLinks = {
  /** The address of a report's file, which ends in the file's name. */
  readonly mint: (file: Pick<Link, 'reportId' | 'fileName'>) => string;
  /** Whether these are the parts of an address that was minted no longer ago than it holds. */
  readonly holds: (link: Link) => boolean;
};

/** The path below which the files are, as a pattern of its parts. */
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
