/** The operations that the key of a schedule, or of a reader of its files, must be allowed. */
import type { Contract } from '../contract/endpoint.ts';
import type { Granted } from '../contract/grants.ts';

/** Finds the operation of a name; undefined if there is none that can be scheduled. */
export type OperationOf = (name: string) => Contract | undefined;

/** The operations that the key of a schedule calls: it schedules, and asks what is due. */
export function callsOfSchedule(operation: string, operationOf: OperationOf): Granted[] {
  return [
    { operation: 'createSchedule', needs: 'schedules:write' },
    operationOf(operation) ?? { operation },
  ];
}

/** The operations that the key of a reader of the file of a run calls. */
export function callsOfReader(operation: string, operationOf: OperationOf): Granted[] {
  return [
    { operation: 'listScheduleRuns', needs: 'schedules:read' },
    operationOf(operation) ?? { operation },
  ];
}
