/** The public API in this process, for the runs of schedules. */
import type { FastifyInstance } from 'fastify';
import { type Callers, callerOfSchedule } from '../access/callers.ts';
import { withdrawalOf } from '../access/withdrawals.ts';
import { scheduledOperation } from '../endpoints/schedules/operations.ts';
import type { Registry } from '../engine/registry.ts';
import { callsOfSchedule } from '../schedules/calls.ts';
import type { AskAs } from '../schedules/work.ts';
import { askOwnApi } from './ownApi.ts';

/** Asks the public API as the user of a schedule: the same rules, limits and usage hold. */
export function scheduledApi(
  server: FastifyInstance,
  callers: Pick<Callers, 'admitOnce'>,
  registry: Registry,
  now: () => number,
): AskAs {
  return async (schedule, request) => {
    const calls = callsOfSchedule(schedule.operation, scheduledOperation);
    const basis = { ...schedule, channels: [], ofUser: null, calls };
    if ((await withdrawalOf(registry, basis, now())) !== undefined) return undefined;
    const caller = await callerOfSchedule(registry, schedule, now());
    if (caller === undefined) return undefined;
    return askOwnApi(server, request, { key: callers.admitOnce(caller) });
  };
}
