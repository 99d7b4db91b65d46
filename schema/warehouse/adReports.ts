/**
 * The partitions of advertising figures: the type of advertising, and the source that added up the
 * rows.
 */

/**
 * The sources of figures, in order of precedence: a report of exactly these rows; the targets below
 * them, which are complete; placements, possibly of one site only; search terms, which contain
 * clicked terms only.
 */
export const adSources = ['report', 'targets', 'placements', 'terms'] as const;

/** A source of figures. */
export type AdSource = (typeof adSources)[number];

/** The partition of the rows of a type of advertising from a source. */
export function adReportOf(adType: string, source: AdSource): string {
  return source === 'report' ? adType : `${adType}/${source}`;
}

/** The source of a partition's rows. */
export function adSourceOf(report: string): AdSource {
  return adSources.find((source) => report.endsWith(`/${source}`)) ?? 'report';
}

/** The type of advertising of a partition's rows. */
export function adTypeOf(report: string): string {
  return report.split('/')[0]!;
}
