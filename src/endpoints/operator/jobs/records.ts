import {
  change,
  defined,
  listPage,
  readOne,
  seconds,
  secondsOrNull,
} from '../../../access/records.ts';
import type { AnswerOf } from '../../../contract/endpoint.ts';
import { Refusal } from '../../../contract/refusal.ts';
import { cancelWaiting } from '../../../jobs/queue.ts';
import type { Handler } from '../../handler.ts';
import type * as contracts from './contract.ts';

type Kind = AnswerOf<typeof contracts.listJobs>['jobs'][number]['kind'];

/** Lists jobs, without their inputs and results. */
export const listJobs: Handler<typeof contracts.listJobs> = async (
  { kind, state, organisationId, channelId, ...page },
  { registry, now },
) => {
  const jobs = registry.records
    .selectFrom('job')
    .innerJoin('channel', 'channel.channelNumber', 'job.channelNumber')
    .select(['job.jobId', 'job.kind', 'job.state', 'job.organisationId', 'channel.channelId'])
    .select(['job.createdAt', 'job.startedAt', 'job.finishedAt', 'job.attempts', 'job.error'])
    .where(({ and }) =>
      and(
        defined({
          'job.kind': kind,
          'job.state': state,
          'job.organisationId': organisationId,
          'channel.channelId': channelId,
        }),
      ),
    )
    .orderBy('job.sequence', 'desc');
  const { rows, total } = await listPage(jobs, page);
  const at = now();
  return {
    jobs: rows.map((job) => ({
      ...job,
      kind: job.kind as Kind,
      createdAt: seconds(job.createdAt),
      startedAt: secondsOrNull(job.startedAt),
      finishedAt: secondsOrNull(job.finishedAt),
      milliseconds: durationOf(job, at),
    })),
    total,
  };
};

type Times = { readonly startedAt: number | null; readonly finishedAt: number | null };

/** Milliseconds from the start of a job to its end, or to `now`; null before it starts. */
function durationOf({ startedAt, finishedAt }: Times, now: number): number | null {
  return startedAt === null ? null : Math.max(0, (finishedAt ?? now) - startedAt);
}

/** Cancels a waiting job; a running one may be about to commit. */
export const cancelJob: Handler<typeof contracts.cancelJob> = ({ jobId }, context) =>
  change(context, async (transaction, audit) => {
    const { kind, state } = await readOne(transaction, 'job', { jobId });
    const reason = 'cancelled by the operator of the service';
    // A worker may have started it since it was read.
    if (!(await cancelWaiting(transaction, jobId, reason, context.now())))
      throw new Refusal(
        409,
        state === 'waiting' || state === 'running'
          ? 'this job runs: only waiting jobs can be cancelled'
          : 'this job has ended',
      );
    await audit({ action: 'cancelJob', subject: jobId, detail: { kind } });
  });
