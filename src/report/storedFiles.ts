/** The files that an organisation keeps: those of its reports and of the runs of its schedules. */
import type { RecordsTransaction, Registry } from '../engine/registry.ts';

/** Counts the reports of an organisation, and the runs with a file of their own. */
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

/** Why an organisation with so many files gets no further one. */
export function tooManyFilesText(files: number): string {
  return `your organisation has ${files} files of reports and schedules: try again when the oldest are 30 days old, or ask the operator of the service for more`;
}
