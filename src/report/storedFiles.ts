/** Counts the stored files of an organisation: files of reports and of runs of schedules. */
import type { RecordsTransaction, Registry } from '../engine/registry.ts';

/** Counts the reports of an organisation, and its runs that have their own file. */
export async function countStoredFiles(
  records: RecordsTransaction | Registry['records'],
  organisationId: string,
): Promise<number> {
  const reports = await records
    .selectFrom('report')
    .innerJoin('job', 'job.jobId', 'report.jobId')
    .where('job.organisationId', '=', organisationId)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const runs = await records
    .selectFrom('scheduleRun')
    .innerJoin('schedule', 'schedule.scheduleId', 'scheduleRun.scheduleId')
    .where('schedule.organisationId', '=', organisationId)
    .where('scheduleRun.storedAs', 'is not', null)
    .where('scheduleRun.reportId', 'is', null)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(reports.count) + Number(runs.count);
}

/** The reason why an organisation with this number of files gets no more. */
export function tooManyFilesText(files: number): string {
  return `your organisation has ${files} files of reports and schedules: try again when the oldest are 30 days old, or ask the operator of the service for more`;
}
