/**
 * The parts that hand-made worlds of the views share: dates in zones, facts as CSV, and exchange
 * rates that are the same in all of them, so that they share a world.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Temporal } from 'temporal-polyfill';
import { fixture } from './facts.ts';
import { type Beginning, hardlyLimited, type World } from './harness.ts';
import { importRows } from './imports.ts';
import { listsOf, rowsOf } from './table.ts';

/** Epoch seconds of a wall time. */
export function at(zone: string, wall: string): number {
  return Math.floor(
    Temporal.PlainDateTime.from(wall).toZonedDateTime(zone).epochMilliseconds / 1000,
  );
}

/** The period from the start of a date through the end of another one. */
export function days(first: string, last: string, timezone = 'UTC') {
  return {
    fromDate: at(timezone, `${first}T00:00`),
    toDate: at(timezone, `${last}T23:59:59`),
    timezone,
  };
}

/** The same beside a prior period. */
export function compared(
  first: string,
  last: string,
  prior: readonly [string, string],
  timezone = 'UTC',
) {
  const { fromDate: priorFromDate, toDate: priorToDate } = days(...prior, timezone);
  return { ...days(first, last, timezone), priorFromDate, priorToDate };
}

/** Imports facts into a channel: rows by their dataset, as CSV or as objects; none are no import. */
export async function importFacts(
  world: World,
  channelId: string,
  facts: Readonly<Record<string, string | readonly object[]>>,
): Promise<void> {
  for (const [dataset, given] of Object.entries(facts)) {
    const rows = typeof given === 'string' ? rowsOf(given) : given;
    if (rows.length > 0) await importRows(world, dataset, channelId, rows);
  }
}

/** Units of a currency for a euro from a date on. */
export type Rate = {
  readonly date: string;
  readonly currency: string;
  readonly perEuro: number | string;
};

/**
 * Units of currencies for a euro. Each group is for the figures of some tests, with a rate that
 * changes within their days; there is none of VND and XAU.
 */
export const rates = rowsOf(fixture('rates.csv')) as Rate[];

/** A world with exchange rates, which suites of the same name share. */
export const withRates = (name: string, given: readonly Rate[]): Beginning => ({
  name,
  prepare: (world) => importRows(world, 'exchangeRates', undefined, given),
});

/** A world with the rates that most suites need. */
export const rated = withRates('the rates of most suites', rates);

/** A function that a template follows, which writes a table. */
type Table<Result> = (texts: TemplateStringsArray, ...values: unknown[]) => Result;

/** Expects rows to have the cells of the table that follows, whose first line names their fields. */
export function assertShown(rows: readonly object[], message?: string): Table<void> {
  return (texts, ...values) => {
    const [names = [], ...expected] = listsOf(String.raw({ raw: texts }, ...values));
    const shown = rows.map((row) => names.map((name) => (row as Record<string, unknown>)[name]));
    assert.deepEqual(shown, expected, message);
  };
}

/** The fields of one row, written as lines of names, each followed by a line of their values. */
// biome-ignore lint/suspicious/noExplicitAny: a test says itself which values it writes.
export function fieldsOf(csv: string): Record<string, any> {
  const lines = listsOf(csv);
  return Object.fromEntries(
    lines.flatMap((names, place) =>
      place % 2 === 0 ? names.map((name, cell) => [name, lines[place + 1]![cell]]) : [],
    ),
  );
}

/** The first date of the period of an interval that a date is in. */
export function startOfPeriod(interval: string, date: Temporal.PlainDate): Temporal.PlainDate {
  if (interval === 'w') return date.subtract({ days: date.dayOfWeek - 1 });
  if (interval === 'M') return date.with({ day: 1 });
  if (interval === 'Q') return date.with({ month: date.month - ((date.month - 1) % 3), day: 1 });
  return interval === 'y' ? date.with({ month: 1, day: 1 }) : date;
}

/** The same metrics for a prior period, whose names begin with `prior`. */
export function priorOf<Value>(metrics: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(metrics).map(([name, value]) => [
      `prior${name[0]!.toUpperCase()}${name.slice(1)}`,
      value,
    ]),
  );
}

/** Asks a view and returns what it answers with 200. */
// biome-ignore lint/suspicious/noExplicitAny: a test says itself which shape it expects.
export async function askView(world: World, key: string, view: string, body: object): Promise<any> {
  const answer = await world.ask(key, 'POST', `/reports/view/${view}`, body);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

/** Why a view refuses a request with 400; the answer has nothing else. */
export async function refusalOf(
  world: World,
  key: string,
  view: string,
  body: unknown,
): Promise<string> {
  const answer = await world.ask(key, 'POST', `/reports/view/${view}`, body);
  assert.equal(answer.status, 400, JSON.stringify(answer.body));
  const { error, ...others } = answer.body;
  assert.deepEqual(others, { status: 'error' });
  return error;
}

/** An administrator of an organisation: a key, and a function that restricts it to channels. */
export async function administratorOf(world: World, organisationId: string) {
  const email = `${randomUUID()}@example.com`;
  const user = { organisationId, email, role: 'administrator' };
  const { userId } = await world.operate('POST', '/operator/users', user);
  const { key } = await world.operate('POST', '/operator/keys', { userId, limits: hardlyLimited });
  const grant = (channelIds: readonly string[] | 'all') =>
    world.operate('PUT', `/operator/users/${userId}/channels`, { channelIds });
  return { key: key as string, grant };
}
