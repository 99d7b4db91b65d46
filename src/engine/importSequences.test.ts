/** After any sequence of imports, both engines store the same as a plain model. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { facts, factTable } from '../../schema/warehouse/tables.ts';
import { pairs } from '../../test/harness.ts';
import { testDepth } from '../../test/level.ts';
import { rowsOf } from '../../test/table.ts';
import {
  type Cells,
  type Document,
  day0,
  daysOf,
  everything,
  freshTarget,
  million,
  nextImport,
  type OpenedWarehouse,
  openWarehouse,
  secondsPerDay,
  stage,
} from '../../test/warehouse.ts';
import { Model, profitLines } from '../../test/warehouseModel.ts';
import { fieldsOf } from '../../test/world.ts';
import { clickhouseLimits, openClickhouse } from './clickhouse/warehouse.ts';
import type { Coverage } from './warehouse.ts';

const quantity = fc.integer({ min: 0, max: 9 });
const price = fc.bigInt({ min: -5n * million, max: 99n * million });
const someDay = fc.integer({ min: day0, max: day0 + 4 });
const someId = fc.constantFrom('A', 'B', 'C', 'D');
const someLines = ['sales', 'sales', 'refunds', 'cogs', 'balance', ...Object.keys(profitLines)];
/** The first second of a day, in epoch seconds. */
const at = (day: number) => (day0 + day) * secondsPerDay;
const someCurrency = fc.constantFrom('USD', 'EUR');
/** There are few, so that sources report the same instant. */
const fewInstants = fc
  .tuple(fc.integer({ min: 0, max: 11 }), fc.constantFrom(0, 0, 1234))
  .map(([tenHours, seconds]) => at(0) + tenHours * 36_000 + seconds);

/** A row of a table with any figures and few keys, so that keys and days repeat. */
function someRow(table: string): fc.Arbitrary<Cells> {
  const columns = Object.entries(factTable(table).columns).map(
    ([column, type]): [string, fc.Arbitrary<Cells[string]>] => {
      if (column === 'purchased_at') return [column, fc.integer({ min: at(0), max: at(5) - 1 })];
      if (column === 'posted_at') return [column, fewInstants];
      if (column === 'line') return [column, fc.constantFrom(...someLines)];
      if (column === 'order_id' && table === 'finance_event')
        return [column, fc.constantFrom('', 'A', 'B')];
      if (column === 'sku' && table === 'finance_event')
        return [column, fc.constantFrom('', 'A', 'B', 'C')];
      if (column === 'fulfillment') return [column, fc.constantFrom('AFN', 'MFN', '')];
      if (column === 'fulfilled_by_marketplace') return [column, fc.constantFrom(0, 1)];
      if (column.endsWith('_currency')) return [column, someCurrency];
      if (column === 'versions') return [column, fc.constant('')];
      if (column === 'updated_at') return [column, fc.integer({ min: 0, max: 3 })];
      // There are few, so that rows repeat the traffic of others.
      if (/^(page_views|sessions|mobile_sessions|buy_box_views)$/.test(column))
        return [column, fc.constantFrom(0, 0, 0, 1)];
      if (column === 'buy_box_weighted') return [column, fc.constantFrom(0n, 0n, million)];
      if (column === 'status') return [column, fc.constantFrom('Shipped', 'Canceled', 'Removed')];
      if (column === 'currency') return [column, someCurrency];
      if (column === 'view')
        return [column, fc.constantFrom('MANUFACTURING', 'SOURCING', 'TRAFFIC')];
      if (type === 'Date') return [column, someDay];
      if (type === 'Amount') return [column, price];
      if (type === 'Text') return [column, someId];
      if (type === 'Float64') return [column, fc.constantFrom(0.1, 1, 117.25)];
      return [column, quantity];
    },
  );
  const any = fc.record(Object.fromEntries(columns), { noNullPrototype: true });
  const instant = ['purchased_at', 'posted_at'].find(
    (column) => column in factTable(table).columns,
  );
  return instant === undefined
    ? any
    : any.map((cells) => ({ ...cells, day: Math.floor(Number(cells[instant]) / secondsPerDay) }));
}

/** The coverage of a document of financial events. */
const someFinanceCover: fc.Arbitrary<Coverage> = fc
  .record({
    parts: fc.constantFrom<readonly string[]>([], ['A'], ['B', 'C'], ['A', 'B', 'C', 'D']),
    hours: fc.option(fc.tuple(fc.integer({ min: 0, max: 119 }), fc.integer({ min: 0, max: 30 }))),
  })
  .map(({ parts, hours }) => {
    if (hours === null) return { first: day0, last: day0 + 4, parts };
    const from = day0 * secondsPerDay + hours[0] * 3600;
    const to = from + hours[1] * 3600;
    // Two ranges with a gap between them.
    const instants = [from, to].map((at) => ({ from: at, to: at + hours[1] * 900 }));
    const dayOf = (instant: number) => Math.floor(instant / secondsPerDay);
    return { first: dayOf(from), last: dayOf(to + hours[1] * 900), parts, instants };
  });

const someOf = (names: readonly string[]) =>
  fc.uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 3 });
const someTables = fc.oneof(
  someOf(facts.map((table) => table.name)),
  someOf(['finance_event', 'finance_claim', 'unit_cost', 'product']),
);

const someRows = (table: string) => fc.array(someRow(table), { maxLength: 12 });
const someImport = someTables
  .chain((tables) =>
    fc.record({
      document: fc.record(Object.fromEntries(tables.map((table) => [table, someRows(table)]))),
      cover: fc.option(fc.constant({ first: day0, last: day0 + 4 }), { freq: 3 }),
      parts: fc.option(fc.constantFrom<readonly string[]>(['A'], ['B', 'C'])),
      financeCover: fc.option(someFinanceCover),
    }),
  )
  .map(({ document, cover, parts, financeCover }) => {
    const days: Record<string, Coverage> = daysOf(document);
    if (cover)
      for (const table of Object.keys(document))
        if (factTable(table).replacement === 'byDay') days[table] = cover;
    const spokenFor = { ...document };
    for (const [table, span] of Object.entries(days)) {
      const { partition: part } = factTable(table);
      if (part === undefined || parts === null) continue;
      spokenFor[table] = document[table]!.filter((cells) => parts.includes(String(cells[part])));
      days[table] = { ...span, parts };
    }
    if (financeCover) days.finance_event = financeCover;
    return { document: spokenFor, days };
  });

/** An import, begun or whole, or work on a channel's facts. */
type Step =
  | {
      readonly kind: 'import' | 'abandon';
      readonly document: Document;
      readonly days: Readonly<Record<string, Coverage>>;
    }
  | { readonly kind: 'rebuild'; readonly timezone: string }
  | { readonly kind: 'sweep' }
  | { readonly kind: 'forget' };

const someZone = fc.constantFrom('Asia/Tokyo', 'America/New_York');
const someStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: someImport.map((one) => ({ ...one, kind: 'import' as const })) },
  { weight: 2, arbitrary: fc.constant({ kind: 'sweep' as const }) },
  { weight: 2, arbitrary: someImport.map((one) => ({ ...one, kind: 'abandon' as const })) },
  { weight: 1, arbitrary: someZone.map((timezone) => ({ kind: 'rebuild' as const, timezone })) },
  { weight: 1, arbitrary: fc.constant({ kind: 'forget' as const }) },
);
/** A unit cost that replaces the cost of goods of a later event. */
const costBeforeItsEvent: Step[] = [
  {
    unit_cost: rowsOf(`
      sku, effective_from, cogs, cogs_currency, shipping_cost, shipping_cost_currency
      A, ${day0}, 2n, USD, 0n, USD`),
  },
  {
    finance_event: [
      fieldsOf(`
        day, unit, number, source, transaction_id, revision, posted_at, sku, order_id, line, code
        ${day0}, A, 0, A, A, 0, ${day0 * secondsPerDay}, A, "", cogs, A
        amount, tax, quantity, fulfillment, currency
        -3n, 0n, 0, AFN, USD`),
    ],
  },
].map((document) => ({ kind: 'import' as const, document, days: {} }));

/** Opens a warehouse of each engine, and a ClickHouse that compares three rows at a time. */
async function openAll(): Promise<Pick<OpenedWarehouse, 'warehouse' | 'close'>[]> {
  const opened = await Promise.all(
    [...pairs, ...pairs.filter((pair) => pair === 'served')].map(openWarehouse),
  );
  const last = opened.at(-1)!;
  if (last.clickhouseUrl === undefined) return opened;
  const { stagingFolder } = last.warehouse;
  const limits = { ...clickhouseLimits, rowsPerPass: 3 };
  const warehouse = await openClickhouse(last.clickhouseUrl, stagingFolder, limits);
  const close = async () => {
    await warehouse.close();
    await last.close();
  };
  return [...opened.slice(0, -1), { warehouse, close }];
}

test('any sequence of imports leaves the same facts and rollups on both engines as in TypeScript', async () => {
  const all = await openAll();
  try {
    await fc.assert(
      fc.asyncProperty(
        fc.array(someStep, { minLength: 1, maxLength: 5 }),
        fc.constantFrom<string>('UTC', 'America/Los_Angeles', 'Pacific/Auckland'),
        async (steps, zone) => {
          const { channel } = freshTarget();
          let timezone = zone;
          let model = new Model();
          for (const step of steps) {
            const importId = nextImport();
            const landing = { channel, importId };
            const zoneBefore = timezone;
            const expected =
              step.kind === 'import' ? model.land(step.document, step.days, importId) : undefined;
            if (step.kind === 'rebuild') timezone = step.timezone;
            if (step.kind === 'forget') model = new Model();
            await Promise.all(
              all.map(async ({ warehouse }) => {
                if (step.kind === 'sweep') await warehouse.prune(0);
                else if (step.kind === 'forget') await warehouse.deleteFacts(channel);
                else if (step.kind === 'rebuild') await warehouse.rebuild(landing, timezone);
                else {
                  const arrival = await warehouse.begin(landing);
                  await stage(warehouse, arrival, step.document);
                  if (step.kind === 'abandon') await arrival.discard();
                  else {
                    const result = await arrival.commit(step.days, zoneBefore);
                    assert.deepEqual(result, expected, warehouse.engine);
                  }
                }
              }),
            );
          }
          const expected = model.everything(timezone);
          for (const { warehouse } of all) {
            const held = await everything(warehouse, channel, true);
            assert.deepEqual(held, expected, warehouse.engine);
          }
        },
      ),
      { numRuns: Math.ceil(8 * testDepth), examples: [[costBeforeItsEvent, 'UTC']] },
    );
  } finally {
    for (const one of all) await one.close();
  }
});
