/** The requests of schedules: their own parameters, and those that the period sets. */
import { compileCheck, sayFailures } from '../contract/check.ts';
import type { Contract } from '../contract/endpoint.ts';
import { isObject, type JsonSchema } from '../contract/jsonSchema.ts';
import { rowShapeOf } from '../contract/rowShape.ts';
import type { SchedulePeriod } from '../contract/schedules.ts';
import type { ScheduleRecord } from '../engine/registry.ts';
import { resolvePeriod } from './periods.ts';

/** The request of a schedule. */
export type Scheduled = {
  readonly parameters: object;
  readonly period: SchedulePeriod | undefined;
  readonly timezone: string;
};

/** The request of a schedule from its record. */
export function scheduledOf({
  parameters,
  period,
  timezone,
}: Pick<ScheduleRecord, 'parameters' | 'period' | 'timezone'>): Scheduled {
  return {
    parameters: JSON.parse(parameters),
    timezone,
    period: (period ?? undefined) as SchedulePeriod | undefined,
  };
}

/** Whether a schedule may run an operation: it must create a report or answer rows. */
export function isSchedulable(contract: Contract): boolean {
  return isReport(contract) || (contract.cacheable === true && rowShapeOf(contract) !== undefined);
}

/** Whether an operation creates a report, whose file is then the file of the run. */
export function isReport({ path }: Pick<Contract, 'path'>): boolean {
  return path.startsWith('/reports/create/');
}

/** The input of a run that is due at an epoch second. */
export function inputAt(
  contract: Contract,
  { parameters, period, timezone }: Scheduled,
  dueSeconds: number,
): Record<string, unknown> {
  if (period === undefined) return { ...parameters };
  const set = { ...resolvePeriod(period, timezone, dueSeconds), timezone };
  const options = propertiesOf(contract.body)?.reportOptions;
  const taken = (schema: unknown) =>
    Object.entries(set).filter(([name]) => name in (propertiesOf(schema) ?? {}));
  const { reportOptions = {} } = parameters as { readonly reportOptions?: unknown };
  return {
    ...parameters,
    ...Object.fromEntries(taken(contract.query)),
    ...Object.fromEntries(taken(contract.body)),
    ...(options !== undefined &&
      isObject(reportOptions) && {
        reportOptions: { ...reportOptions, ...Object.fromEntries(taken(options)) },
      }),
  };
}

/** Why an operation would refuse the input of a run; undefined if it would accept it. */
export function inputFailure(
  contract: Contract,
  scheduled: Scheduled,
  dueSeconds: number,
): string | undefined {
  const input = inputAt(contract, scheduled, dueSeconds);
  const { query, body, rules = [] } = contract;
  const properties = { ...query?.properties, ...body?.properties };
  const whole = { ...(body ?? query)!, properties } as NonNullable<Contract['body']>;
  const { failures, ignored } = compileCheck({ body: whole, rules }).run({ body: input });
  if (failures.length > 0) return sayFailures(failures);
  return ignored.length > 0 ? `${ignored.join(', ')} is unknown` : undefined;
}

function propertiesOf(schema: unknown): Record<string, JsonSchema> | undefined {
  return (schema as JsonSchema | undefined)?.properties;
}
