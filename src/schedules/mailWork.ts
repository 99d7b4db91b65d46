/** The jobs that send the files of runs by e-mail. */
import { withdrawalOf } from '../access/withdrawals.ts';
import type { SmtpSettings } from '../config.ts';
import type { Clock } from '../engine/clock.ts';
import type { Registry } from '../engine/registry.ts';
import type { FileStore } from '../files/store.ts';
import { JobPostponed, JobRefused, type Work } from '../jobs/worker.ts';
import { channelsOfRun } from './files.ts';
import { MailFailure, sendRun } from './mail.ts';
import { changeRun } from './runs.ts';

/** The kind of the jobs. */
export const mailJob = 'scheduleMail';

/** The run whose file a job sends. */
export type MailPayload = { readonly runId: string };

/** The dependencies of the jobs. */
export type MailParts = {
  readonly registry: Registry;
  readonly files: FileStore;
  readonly clock: Pick<Clock, 'now'>;
  readonly mail: SmtpSettings;
  /** The address of the page with the runs. */
  readonly pageUrl: string;
};

const minute = 60_000;
/** The shortest and the longest pause before another attempt, and the time in which one is made. */
const pauseMin = minute;
const pauseMax = 6 * 60 * minute;
const triedFor = 24 * 60 * minute;

/**
 * Sends the files. A server that cannot be reached or refuses for now is tried again for a day,
 * after pauses as long as it has been tried so far.
 */
export function mailWork({ registry, files, clock, mail, pageUrl }: MailParts): Work {
  return {
    inOrder: false,
    async run({ payload }) {
      const { runId } = payload as MailPayload;
      const found = await registry.records
        .selectFrom('scheduleRun')
        .innerJoin('schedule', 'schedule.scheduleId', 'scheduleRun.scheduleId')
        .select(['schedule.name', 'schedule.emails', 'scheduleRun.dueAt'])
        .select(['scheduleRun.storedAs', 'scheduleRun.fileName', 'scheduleRun.mailedAt'])
        .select(['scheduleRun.finishedAt', 'schedule.organisationId', 'schedule.userId'])
        .select('schedule.keyId')
        .where('scheduleRun.runId', '=', runId)
        .executeTakeFirst();
      if (found?.storedAs == null || found.fileName === null || found.mailedAt !== null) return;
      const channels = await channelsOfRun(registry, runId);
      const basis = { ...found, channels, ofUser: null };
      const withdrawal = await withdrawalOf(registry, basis, clock.now());
      if (withdrawal !== undefined) throw new JobRefused(withdrawal);
      const file = await files.find(found.storedAs);
      if (file === undefined) throw new JobRefused('the file is not there any more');
      const { name, dueAt, fileName } = found;
      const emails = JSON.parse(found.emails) as string[];
      try {
        await sendRun(mail, {
          ...{ runId, name, fileName, file, emails, pageUrl, dueAt: new Date(dueAt) },
        });
      } catch (error) {
        if (!(error instanceof MailFailure)) throw error;
        const tried = clock.now() - found.finishedAt!;
        if (error.isPermanent || tried > triedFor) throw new JobRefused(error.message, error);
        await changeRun(registry, runId, { mailError: error.message });
        throw new JobPostponed(Math.min(Math.max(tried, pauseMin), pauseMax));
      }
      await changeRun(registry, runId, { mailedAt: clock.now(), mailError: null });
    },
    async onEnd(transaction, { payload }, error) {
      if (error === undefined) return;
      await transaction
        .updateTable('scheduleRun')
        .set({ mailError: error })
        .where('runId', '=', (payload as MailPayload).runId)
        .execute();
    },
  };
}
