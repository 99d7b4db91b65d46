import { endpointsOf } from '../handler.ts';
import * as contracts from './contract.ts';
import * as records from './records.ts';
import { scheduleRules } from './records.ts';

/** The endpoints of schedules. */
export const endpoints = endpointsOf(contracts, records, {
  recordRules: { createSchedule: scheduleRules },
});
