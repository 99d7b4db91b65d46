import Type from 'typebox';
import { contract } from '../../contract/endpoint.ts';
import { Id, Instant, OrNull } from '../../contract/records.ts';
import {
  type RecipientState,
  recipientStates,
  type SchedulePeriod,
  schedulePeriods,
  scheduleRunStates,
  scheduleStates,
} from '../../contract/schedules.ts';
import { List, NoAnswer, OneOf, pageFields, Text, Timezone } from '../../contract/shapes.ts';

const nameLengthMax = 200;
const cronLengthMax = 100;
const emailsMax = 10;
const emailLengthMax = 254;
/** The number of coming times that are shown. */
export const nextRunsShown = 5;

const periodNames = Object.keys(schedulePeriods) as SchedulePeriod[];
const periodWords = periodNames.map((period) => `\`${period}\`: ${schedulePeriods[period]}.`);

const Name = Text({
  maxLength: nameLengthMax,
  trimmed: true,
  description: 'What the schedule is for.',
});
const CronText = Text({
  maxLength: cronLengthMax,
  trimmed: true,
  examples: ['0 7 * * 1'],
  description:
    'When it is due, as five fields: minute, hour, day of the month, month, day of the week. A ' +
    'local time that a change of clocks skips is due at the end of the gap; one that comes twice ' +
    'is due the first time. The times are at least an hour apart.',
});
const Zone = Timezone({
  description: 'IANA time zone of the times and of the days of the period.',
});
const Operation = Text({
  maxLength: 100,
  description:
    'The operation to run, by its name in the description of the interface: one that creates a ' +
    'report, or one whose answer is rows.',
});
const Parameters = Type.Object(
  {},
  {
    additionalProperties: true,
    description: 'Its parameters, without those that the period sets.',
  },
);
const Period = OneOf(periodNames, {
  description:
    'Sets the parameters fromDate, toDate, priorFromDate, priorToDate and timezone that the ' +
    `operation takes, for each run anew. ${periodWords.join(' ')}`,
});
const Emails = List(Type.String({ maxLength: emailLengthMax, format: 'email' }), {
  maxItems: emailsMax,
  description:
    'The file is sent to these addresses too, if the operator has set up e-mail. Those of ' +
    'strangers are asked to confirm at first. E-mails of a day are limited.',
});
const stateNames = Object.keys(recipientStates) as RecipientState[];
const stateWords = stateNames.map((state) => `\`${state}\`: ${recipientStates[state]}.`);

const Schedule = Type.Object(
  {
    scheduleId: Type.String({ description: 'Identifier of the schedule.' }),
    name: Type.String({ description: 'What it is for.' }),
    cron: Type.String({ description: 'When it is due.' }),
    timezone: Type.String({ description: 'The time zone of its times and days.' }),
    operation: Type.String({ description: 'The operation that it runs.' }),
    parameters: Type.Object({}, { additionalProperties: true, description: 'Its parameters.' }),
    period: OrNull(Type.String(), { description: 'The period of each run.' }),
    emails: Type.Array(Type.String(), { description: 'Where its files are sent to.' }),
    recipients: Type.Array(
      Type.Object({
        email: Type.String({ description: 'The address.' }),
        state: OneOf(stateNames, { description: stateWords.join(' ') }),
      }),
      { description: 'The same addresses, and whether files go there.' },
    ),
    state: OneOf([...scheduleStates], {
      description: 'enabled, paused by a user, or disabled by the service, which says why.',
    }),
    reason: OrNull(Type.String(), { description: 'Why it is disabled.' }),
    nextRuns: Type.Array(Instant('A time to come.'), {
      description: `The next ${nextRunsShown} times; none while it is not enabled.`,
    }),
    createdBy: Type.String({
      description: 'E-mail address of its user: it reads what this user may read.',
    }),
    createdAt: Instant('When it was created.'),
    updatedAt: Instant('When it was last changed.'),
  },
  { component: 'Schedule' },
);

const schedulePath = Type.Object({ scheduleId: Id('schedule') });
const who =
  'Owners and administrators manage the schedules of their organisation; those whose channels are ' +
  'restricted, only their own.';

/** POST /schedules */
export const createSchedule = contract({
  operation: 'createSchedule',
  access: 'key',
  method: 'POST',
  path: '/schedules',
  needs: 'schedules:write',
  audience: 'managers',
  summary: 'Create a schedule',
  description:
    'Runs an operation at the times of a cron expression and keeps the answer as a file for 30 ' +
    'days. Webhooks hear of each run by the events schedule.finished and schedule.failed. A ' +
    'schedule reads as its user and by the key that created it: it ends with either. A service ' +
    `that was down at a time runs it once, for the last time that it missed. ${who}`,
  body: Type.Object({
    name: Name,
    cron: CronText,
    timezone: Zone,
    operation: Operation,
    parameters: Parameters,
    period: Type.Optional(Period),
    emails: { ...Emails, default: [] },
  }),
  idempotencyKey: true,
  personal: true,
  example: {
    name: 'Sales of all stores, each Monday',
    cron: '0 7 * * 1',
    timezone: 'Europe/Berlin',
    operation: 'viewSalesByChannel',
    parameters: { currentCurrency: 'EUR', pageSize: 100 },
    period: 'lastWeek',
  },
  answer: Schedule,
});

/** GET /schedules */
export const listSchedules = contract({
  operation: 'listSchedules',
  access: 'key',
  method: 'GET',
  path: '/schedules',
  needs: 'schedules:read',
  audience: 'managers',
  summary: 'List schedules',
  description: `Newest first, each with the next ${nextRunsShown} times. ${who}`,
  query: Type.Object(pageFields),
  personal: true,
  example: { pageSize: 10 },
  answer: Type.Object({
    schedules: Type.Array(Schedule),
    total: Type.Integer({ description: 'Number of schedules on all pages together.' }),
  }),
});

/** PATCH /schedules/{scheduleId} */
export const changeSchedule = contract({
  operation: 'changeSchedule',
  access: 'key',
  method: 'PATCH',
  path: '/schedules/{scheduleId}',
  needs: 'schedules:write',
  audience: 'managers',
  summary: 'Change a schedule',
  description:
    'Absent fields stay unchanged. A schedule that is enabled again runs from the next time on; ' +
    'times that have passed are not made up for.',
  pathParameters: schedulePath,
  body: Type.Object({
    name: Type.Optional(Name),
    cron: Type.Optional(CronText),
    timezone: Type.Optional(Zone),
    parameters: Type.Optional(Parameters),
    period: Type.Optional(
      OrNull(Period, { description: 'The period of each run; null for none.' }),
    ),
    emails: Type.Optional(Emails),
    state: Type.Optional(
      OneOf(['enabled', 'paused'], {
        description: 'paused stops it; enabled starts it again, also after it was disabled.',
      }),
    ),
  }),
  idempotencyKey: true,
  personal: true,
  example: { scheduleId: 'northwind-monday', cron: '30 7 * * 1' },
  answer: Schedule,
});

/** DELETE /schedules/{scheduleId} */
export const deleteSchedule = contract({
  operation: 'deleteSchedule',
  access: 'key',
  method: 'DELETE',
  path: '/schedules/{scheduleId}',
  needs: 'schedules:write',
  audience: 'managers',
  summary: 'Delete a schedule',
  description: 'Its runs and their files are deleted with it; reports that it created stay.',
  pathParameters: schedulePath,
  example: { scheduleId: 'northwind-old' },
  answer: NoAnswer,
});

/** POST /schedules/{scheduleId}/run */
export const runSchedule = contract({
  operation: 'runSchedule',
  access: 'key',
  method: 'POST',
  path: '/schedules/{scheduleId}/run',
  needs: 'schedules:write',
  audience: 'managers',
  summary: 'Run a schedule now',
  description:
    'A run beside those of its times, with the period of now. 409 while it is disabled, and 429 ' +
    'after 30 runs of the organisation within an hour.',
  pathParameters: schedulePath,
  idempotencyKey: true,
  example: { scheduleId: 'northwind-monday' },
  answer: Type.Object({ runId: Type.String({ description: 'Identifier of the run.' }) }),
});

/** GET /schedules/{scheduleId}/runs */
export const listScheduleRuns = contract({
  operation: 'listScheduleRuns',
  access: 'key',
  method: 'GET',
  path: '/schedules/{scheduleId}/runs',
  needs: 'schedules:read',
  audience: 'managers',
  summary: 'List the runs of a schedule',
  description: 'The runs of the last 30 days, newest first, with links to their files.',
  pathParameters: schedulePath,
  query: Type.Object(pageFields),
  personal: true,
  example: { scheduleId: 'northwind-monday', pageSize: 10 },
  answer: Type.Object({
    runs: Type.Array(
      Type.Object(
        {
          runId: Type.String({ description: 'Identifier of the run.' }),
          dueAt: Instant('When it was due.'),
          state: OneOf([...scheduleRunStates], {
            description: 'waiting, running, done, or failed for good.',
          }),
          downloadUrl: OrNull(Type.String(), {
            description: 'The address of its file for an hour; GET it without a key.',
          }),
          error: OrNull(Type.String(), { description: 'Why it failed.' }),
          mailedAt: OrNull(Instant('When the mail server took its file.')),
          mailError: OrNull(Type.String(), {
            description: 'Why its file was not sent by e-mail.',
          }),
          finishedAt: OrNull(Instant('When it ended.')),
        },
        { component: 'ScheduleRun' },
      ),
    ),
    total: Type.Integer({ description: 'Number of runs on all pages together.' }),
  }),
});
