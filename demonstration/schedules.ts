/** Schedules of the demonstration, and a run of one. */
import type { RecordsTransaction } from '../src/engine/registry.ts';
import { nextTimes } from '../src/schedules/cron.ts';

const day = 24 * 3_600_000;

const schedules = [
  {
    scheduleId: 'northwind-monday',
    name: 'Sales of all stores, each Monday',
    cron: '0 7 * * 1',
    timezone: 'Europe/Berlin',
    operation: 'viewSalesByChannel',
    parameters: { currentCurrency: 'EUR', pageSize: 100 },
    period: 'lastWeek',
  },
  {
    scheduleId: 'northwind-old',
    name: 'Traffic of the US store, each morning',
    cron: '30 6 * * *',
    timezone: 'America/Los_Angeles',
    operation: 'createTrafficAndConversionReport',
    parameters: {
      channelId: 'northwind-us',
      merchantId: 'A2NORTHWIND01 @ ATVPDKIKX0DER',
      reportOptions: {},
    },
    period: 'yesterday',
  },
] as const;

/** Adds the schedules of the owner: one that has failed once, and one that is paused. */
export async function addSchedules(
  transaction: RecordsTransaction,
  {
    organisationId,
    ownerId,
    now,
  }: { readonly organisationId: string; readonly ownerId: string; readonly now: number },
): Promise<void> {
  for (const { parameters, ...schedule } of schedules) {
    const isPaused = schedule.scheduleId === 'northwind-old';
    const [next] = nextTimes(schedule.cron, schedule.timezone, now, 1);
    await transaction
      .insertInto('schedule')
      .values({
        ...schedule,
        ...{ organisationId, userId: ownerId, keyId: null, emails: '[]', reason: null },
        parameters: JSON.stringify(parameters),
        ...{ state: isPaused ? 'paused' : 'enabled', nextAt: isPaused ? null : next! },
        ...{ createdAt: now - 60 * day, updatedAt: now - 60 * day },
      })
      .execute();
  }
  const { scheduleId, cron, timezone } = schedules[0];
  const [dueAt] = nextTimes(cron, timezone, now - 8 * day, 1);
  await transaction
    .insertInto('scheduleRun')
    .values({
      ...{ runId: 'northwind-run-1', scheduleId, dueAt: dueAt!, state: 'failed' },
      ...{ reportId: null, storedAs: null, fileName: null },
      ...{ mailError: null, mailedAt: null },
      error: 'the warehouse was unavailable for too long',
      ...{ createdAt: dueAt!, finishedAt: dueAt! + 60_000 },
    })
    .execute();
}
