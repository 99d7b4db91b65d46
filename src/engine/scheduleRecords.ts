/** The records of schedules and of their runs. */
import type { ScheduleRunState, ScheduleState } from '../contract/schedules.ts';

/** A schedule: an operation that runs at the times of a cron expression. */
export type ScheduleRecord = {
  scheduleId: string;
  organisationId: string;
  /** The user who created it; it reads as this user. */
  userId: string;
  /** The key that created it; null for the console. */
  keyId: string | null;
  name: string;
  cron: string;
  timezone: string;
  operation: string;
  /** JSON of the parameters, except the period. */
  parameters: string;
  /** The period of each run; null if it has none. */
  period: string | null;
  /** JSON of the e-mail addresses. */
  emails: string;
  state: ScheduleState;
  /** Why it is disabled. */
  reason: string | null;
  /** The next time; null unless it is enabled. */
  nextAt: number | null;
  createdAt: number;
  updatedAt: number;
};

/** A channel that the file of a run is about. */
export type ScheduleRunChannelRecord = { runId: string; channelNumber: number };

/** A run of a schedule. A job with the same identifier performs it. */
export type ScheduleRunRecord = {
  runId: string;
  scheduleId: string;
  dueAt: number;
  state: ScheduleRunState;
  /** The report that it created; null for a view. */
  reportId: string | null;
  /** The name of its file in the file store; null before it is done. */
  storedAs: string | null;
  /** The name of the downloaded file. */
  fileName: string | null;
  error: string | null;
  /** Why its file could not be sent by e-mail; null if nothing failed. */
  mailError: string | null;
  /** When its file was sent by e-mail; null before that, and without addresses. */
  mailedAt: number | null;
  createdAt: number;
  finishedAt: number | null;
};
