/** The jobs that send the files of runs by e-mail. */
import type { SmtpSettings } from '../config.ts';
import type { Clock } from '../engine/clock.ts';
import type { Registry } from '../engine/registry.ts';
import type { FileStore } from '../files/store.ts';
import { JobRefused, type Work } from '../jobs/worker.ts';
import { MailFailure, sendRun } from './mail.ts';

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

/** Sends the files; a server that cannot be reached is tried again as other jobs are. */
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
        .where('scheduleRun.runId', '=', runId)
        .executeTakeFirst();
      if (found?.storedAs == null || found.fileName === null || found.mailedAt !== null) return;
      const file = await files.find(found.storedAs);
      if (file === undefined) throw new JobRefused('the file is not there any more');
      const { name, dueAt, fileName } = found;
      const emails = JSON.parse(found.emails) as string[];
      try {
        await sendRun(mail, {
          ...{ runId, name, fileName, file, emails, pageUrl, dueAt: new Date(dueAt) },
        });
      } catch (error) {
        if (error instanceof MailFailure && error.isPermanent)
          throw new JobRefused(error.message, error);
        throw error;
      }
      await registry.records
        .updateTable('scheduleRun')
        .set({ mailedAt: clock.now(), mailError: null })
        .where('runId', '=', runId)
        .execute();
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
