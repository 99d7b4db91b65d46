/** The operations that a key needs for a schedule, or for reading its files. */
import type { Contract } from '../contract/endpoint.ts';
import type { Granted } from '../contract/grants.ts';

/** Finds an operation by its name; undefined if none of that name can be scheduled. */
export type OperationOf = (name: string) => Contract | undefined;

/**
 * The operations that the key of a schedule calls: scheduling itself, and the request that is due.
 */
export function callsOfSchedule(operation: string, operationOf: OperationOf): Granted[] {
  return [
    { operation: 'createSchedule', needs: 'schedules:write' },
    operationOf(operation) ?? { operation },
  ];
}

/** The operations that a key needs to read the file of a run. */
export function callsOfReader(operation: string, operationOf: OperationOf): Granted[] {
  return [
    { operation: 'listScheduleRuns', needs: 'schedules:read' },
    operationOf(operation) ?? { operation },
  ];
}
