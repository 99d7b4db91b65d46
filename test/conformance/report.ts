/** The questions for every report, and the facts and rows of a report that answer them. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { ReportType } from '../../src/contract/reports.ts';
import type { ChannelSettings, Tenant, World } from '../harness.ts';
import { importRows } from '../imports.ts';
import { type AnyTable, barred, type Csv, computed } from '../reports.ts';
import { rowsOf } from '../table.ts';
import { importFacts } from '../world.ts';
import { type Currency, exact, published, rateRows } from './exact.ts';

/** Facts by their datasets. */
export type Facts = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

/** Options of a report, and the rows that they lead to: a line each, with a bar between cells. */
export type Question = {
  readonly options?: object;
  readonly columns?: string;
  /** Rows with figures of the comparison period alone begin with `<`. */
  readonly rows: string;
};

/** A report, or a table of one that is an archive, and how it answers. */
export type Conformance = {
  readonly reportType: ReportType;
  readonly table: AnyTable;
  /** Where the table is a file of an archive: its name there. */
  readonly file?: string;
  readonly channel?: Partial<ChannelSettings>;
  /** Facts in dollars, whose amounts do not need to say so. */
  readonly facts: Facts;
  /** Names of the columns, if the questions do not say them. */
  readonly columns?: string;
  /** Each has another comparison, view or period; the first one is sent to the interface. */
  readonly questions: readonly Question[];
  /** The rows of a channel without facts, if there are any. */
  readonly empty?: string;
  /** Options of the first question that move its dates, and how its first row then begins. */
  readonly zone?: { readonly options: object; readonly first: string };
  /** The same report, read by pages of a number of rows. */
  readonly byPages?: (most: number) => AnyTable;
};

/** Lines without the spaces around them. */
export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** How the rows of a dataset are read. */
type Readers = Readonly<Record<string, (csv: string) => Facts[string]>>;

/**
 * A report with the facts, questions and rows of a text beside this file, which has the name of its
 * type. Lines with # are comments. Other parts begin with == and what they are: `facts` of a
 * dataset, `columns` of the questions that follow, a `question` or a `zone` with its options, whose
 * dates are instants, and the rows that are `empty`.
 */
export function conformanceOf(
  reportType: ReportType,
  more: Pick<Conformance, 'channel'>,
  readers: Readers = {},
): Omit<Conformance, 'table'> {
  const text = readFileSync(new URL(`${reportType}.txt`, import.meta.url), 'utf8');
  const parts = text.replaceAll(/^#.*\n/gm, '').matchAll(/^== (\w+) ?(.*)\n((?:(?!== ).*\n)*)/gm);
  const facts: Record<string, Facts[string]> = {};
  const questions: Question[] = [];
  let columns = '';
  let others: Partial<Conformance> = {};
  for (const [, part, of = '', lines = ''] of parts) {
    const options = of.startsWith('{') ? JSON.parse(of, optionOf) : undefined;
    if (part === 'facts') facts[of] = (readers[of] ?? rowsOf)(lines);
    else if (part === 'columns') columns = lines.trim();
    else if (part === 'question') questions.push({ options, columns, rows: lines });
    else if (part === 'empty') others = { ...others, empty: lines };
    else others = { ...others, zone: { options, first: lines.trim() } };
  }
  return { reportType, facts, questions, ...others, ...more };
}

const optionOf = (name: string, value: unknown) =>
  name.endsWith('Date') ? seconds(value as string) : value;

const seconds = (instant: string) => Date.parse(instant) / 1000;

/** March and February 2025 by the clocks of New York, which change on March 9. */
export const marchInNewYork = {
  fromDate: seconds('2025-03-01T00:00:00-05:00'),
  toDate: seconds('2025-03-31T23:59:59-04:00'),
  priorFromDate: seconds('2025-02-01T00:00:00-05:00'),
  priorToDate: seconds('2025-02-28T23:59:59-05:00'),
  timezone: 'America/New_York',
};

/** The options of whole days in UTC. */
export const days = (first: string, last: string) => ({
  fromDate: seconds(`${first}T00:00:00Z`),
  toDate: seconds(`${last}T23:59:59Z`),
});

/** Options without their comparison. */
export const alone = (options: object): object =>
  Object.fromEntries(Object.entries(options).filter(([name]) => !name.startsWith('prior')));

/** Imports the rates of all currencies that facts have. */
export async function importRates(world: World): Promise<void> {
  await importRows(world, 'exchangeRates', undefined, rateRows);
}

const amounts = [
  ...['itemPrice', 'itemTax', 'amount', 'tax', 'cost', 'sales', 'salesSameSku', 'salesNtb'],
  ...['orderedRevenue', 'shippedRevenue', 'shippedCogs', 'estimatedStorageCostNextMonth'],
];

const doubled = (amount: string) => exact(amount).times(2).toFixed();

/**
 * The same facts, but with the amounts of every second row in pounds. A pound is half a dollar
 * here, so the amounts are doubled and the report has the same rows.
 */
export function halfInPounds(facts: Facts): Facts {
  const inPounds = (row: Facts[string][number]) => ({
    ...Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        amounts.includes(name) ? doubled(value as string) : value,
      ]),
    ),
    currency: 'GBP' satisfies Currency,
  });
  return Object.fromEntries(
    Object.entries(facts).map(([dataset, rows]) => [
      dataset,
      dataset === 'products' || !rows.some((row) => amounts.some((name) => name in row))
        ? rows
        : rows.map((row, place) => (place % 2 === 0 ? row : inPounds(row))),
    ]),
  );
}

for (const [place, [date, perEuro]] of published.USD.entries())
  assert.deepEqual(published.GBP[place], [date, doubled(perEuro)]);

/** A report whose facts are there, and a channel that has none. */
export type PreparedReport = Conformance & {
  readonly owner: Tenant;
  readonly emptyChannelId: string;
};

/** Connects channels for reports, and imports the facts of each once, also if several have them. */
export async function prepared(
  world: World,
  all: readonly Conformance[],
): Promise<PreparedReport[]> {
  const tenant = await world.tenant();
  const made = new Map<Facts, Pick<PreparedReport, 'owner' | 'emptyChannelId'>>();
  for (const { reportType, channel, facts } of all) {
    if (made.has(facts)) continue;
    const settings = { timezone: 'America/New_York', merchantId: tenant.merchantId, ...channel };
    const connect = (name: string) =>
      world.channel(tenant.organisationId, `${tenant.channelId} ${name}`, settings);
    const channelId = await connect(reportType);
    await importFacts(world, channelId, halfInPounds(facts));
    const owner = { ...tenant, channelId, merchantId: settings.merchantId };
    made.set(facts, { owner, emptyChannelId: await connect(`${reportType}, empty`) });
  }
  return all.map((one) => ({ ...one, ...made.get(one.facts)! }));
}

/** Computes the table of a prepared report. */
export const answerOf = (
  world: World,
  { reportType, table, owner }: PreparedReport,
  options: object | undefined,
  by: AnyTable = table,
): Promise<Csv> => computed(world, owner.channelId, { ...by, reportType }, options);

/** Expects the columns and the rows of a question. */
export function shows(report: PreparedReport, { columns, rows }: Question, found: Csv): void {
  const { reportType, file = '', owner } = report;
  const expected = linesOf(`${columns ?? report.columns}\n${rows}`).map((line) =>
    line.replace(/^</, '').replaceAll('CHANNEL', owner.channelId),
  );
  const title = `${reportType} ${file}`;
  assert.deepEqual([title, found.columns.join(), ...barred(found)], [title, ...expected]);
}

/** The question without a comparison: blank cells instead, and no row for its figures alone. */
export function withoutComparison(report: PreparedReport, question: Question): Question {
  const { options = {}, columns = report.columns!, rows } = question;
  const isPrior = columns.split(',').map((name) => name.startsWith('prior'));
  const blanked = linesOf(rows)
    .filter((row) => !row.startsWith('<'))
    .map((row) => row.split('|').map((cell, place) => (isPrior[place] ? '' : cell)))
    .map((cells) => cells.join('|'));
  return { ...question, options: alone(options), rows: blanked.join('\n') };
}
