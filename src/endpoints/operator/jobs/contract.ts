/** Jobs: reports and unit costs in progress. */
import Type from 'typebox';
import { contract } from '../../../contract/endpoint.ts';
import { Id, Instant, ListOf, OrNull, pages } from '../../../contract/records.ts';
import { NoAnswer, OneOf } from '../../../contract/shapes.ts';

/** The kinds of jobs. */
export const jobKinds = ['report', 'unitCosts'] as const;
/** The states of a job. */
const states = ['waiting', 'running', 'done', 'failed'] as const;

const Job = Type.Object(
  {
    jobId: Type.String(),
    kind: OneOf(jobKinds),
    state: OneOf(states),
    organisationId: Type.String(),
    channelId: Type.String(),
    createdAt: Instant('When it was requested.'),
    startedAt: OrNull(Instant('When a worker first took it.')),
    finishedAt: OrNull(Instant('When it ended.')),
    milliseconds: OrNull(
      Type.Integer({ description: 'From its start to its end, or until now while it runs.' }),
    ),
    attempts: Type.Integer({ description: 'How often a worker has taken it.' }),
    error: OrNull(Type.String({ description: 'Why it failed, as its user reads it.' })),
  },
  { component: 'Job' },
);

/** List jobs. */
export const listJobs = contract({
  operation: 'listJobs',
  access: 'operator',
  method: 'GET',
  path: '/operator/jobs',
  summary: 'List jobs',
  description:
    'Newest first; optionally of one kind, state, organisation or channel. Jobs are kept for 30 ' +
    'days after their end. What was asked for and the result are never listed.',
  query: Type.Object({
    kind: Type.Optional(OneOf(jobKinds)),
    state: Type.Optional(OneOf(states)),
    organisationId: Type.Optional(Id('organisation')),
    channelId: Type.Optional(Id('channel')),
    ...pages,
  }),
  answer: ListOf('jobs', Job),
});

/** Cancel a waiting job. */
export const cancelJob = contract({
  operation: 'cancelJob',
  access: 'operator',
  method: 'DELETE',
  path: '/operator/jobs/{jobId}',
  summary: 'Cancel a waiting job',
  description:
    'The job ends as failed, with this reason for its user. Status 409 for a job that runs or has ended.',
  pathParameters: Type.Object({ jobId: Id('job') }),
  answer: NoAnswer,
});
