/** The periods and states of schedules. */

/** The periods of a schedule, each before the day on which a run is due. */
export const schedulePeriods = {
  yesterday: 'the day before',
  last7Days: 'the seven days before',
  last30Days: 'the thirty days before',
  last90Days: 'the ninety days before',
  lastWeek: 'the calendar week before, from Monday',
  lastMonth: 'the calendar month before',
  monthToDate: 'the month of the day before, up to that day',
  yearToDate: 'the year of the day before, up to that day',
} as const;

/** A period of a schedule. */
export type SchedulePeriod = keyof typeof schedulePeriods;

/** The states of a schedule. */
export const scheduleStates = ['enabled', 'paused', 'disabled'] as const;

/** A state of a schedule. */
export type ScheduleState = (typeof scheduleStates)[number];

/** The states of an address to which a schedule sends its files. */
export const recipientStates = {
  member: 'of a user of the organisation',
  allowed: 'of a domain that the operator allows',
  confirmed: 'its owner has confirmed',
  unconfirmed: 'its owner was asked to confirm; no file goes there until then',
  unsubscribed: 'its owner wants no e-mails of the organisation',
} as const;

/** A state of an address to which a schedule sends its files. */
export type RecipientState = keyof typeof recipientStates;

/** The states of a run of a schedule. */
export const scheduleRunStates = ['waiting', 'running', 'done', 'failed'] as const;

/** A state of a run of a schedule. */
export type ScheduleRunState = (typeof scheduleRunStates)[number];
