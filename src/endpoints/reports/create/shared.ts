/** Shared parts of the contracts that create reports. */
import { Timezone } from '../../../contract/shapes.ts';

/** The time zone of a report's dates. */
export const reportTimezone = Timezone({
  default: 'UTC',
  description: 'IANA time zone of the calendar that divides the range, such as Europe/London.',
});

/** The sentences that every description ends with. */
export const createdText =
  'The report is computed in the background. GET /reports/status/{reportId} returns its status ' +
  'and, once it is done, a link to its CSV file. A request identical to one of the last five ' +
  'minutes whose report is still under way shares its computation. An organisation can have 50 ' +
  'reports waiting.';
