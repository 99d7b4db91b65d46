/** Random facts of a report, whose rows a plain recomputation has to equal. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ReportType } from '../../src/contract/reports.ts';
import { triesOn, type World } from '../harness.ts';
import { type AnyTable, barred, computed } from '../reports.ts';
import { importFacts } from '../world.ts';
import type { Currency } from './exact.ts';
import type { Facts } from './report.ts';

/** How a report is recomputed. */
export type Recomputation<Given, Input> = {
  readonly reportType: ReportType;
  /** The report, by pages of a few rows, as for many products. */
  readonly table: AnyTable;
  readonly kind?: 'seller' | 'vendor';
  /** Random facts, whose amounts are in such currencies. */
  readonly given: (currencies: fc.Arbitrary<Currency>) => fc.Arbitrary<Given>;
  readonly input: fc.Arbitrary<Input>;
  readonly facts: (given: Given) => Facts;
  readonly options: (input: Input) => object;
  /** The rows, in the currency of the channel. */
  readonly expected: (given: Given, input: Input, currency: Currency) => string[];
};

/** The values that an arbitrary draws, or one that a function makes. */
export type Drawn<Made> =
  Made extends fc.Arbitrary<infer Value>
    ? Value
    : Made extends (...given: never[]) => fc.Arbitrary<infer Value>
      ? Value
      : never;

/** A recomputation of any facts. */
// biome-ignore lint/suspicious/noExplicitAny: every report has facts and questions of its own.
export type AnyRecomputation = Recomputation<any, any>;

/** Compares a report with its recomputation, of a few tries and, in deep tests, of many. */
export async function recompute(world: World, it: AnyRecomputation): Promise<void> {
  const mixed = fc.constantFrom<Currency>('USD', 'USD', 'GBP', 'EUR', 'JPY');
  const drawn = fc
    .tuple(fc.boolean(), fc.constantFrom<Currency>('USD', 'EUR', 'JPY'))
    .chain(([isNative, currency]) =>
      fc.record({
        currency: fc.constant(currency),
        given: it.given(isNative ? fc.constant(currency) : mixed),
      }),
    );
  const report = { ...it.table, reportType: it.reportType };
  await fc.assert(
    fc.asyncProperty(
      drawn,
      fc.array(it.input, { minLength: 3, maxLength: 3 }),
      async ({ currency, given }, questions) => {
        const { channelId } = await world.tenant({
          channel: { kind: it.kind ?? 'seller', timezone: 'Europe/Rome', currency },
        });
        await importFacts(world, channelId, it.facts(given));
        for (const input of questions) {
          const found = await computed(world, channelId, report, it.options(input));
          const expected = it.expected(given, input, currency);
          assert.deepEqual(barred(found), expected, JSON.stringify(input));
        }
      },
    ),
    { numRuns: triesOn(world, { embedded: 10, served: 4, normal: 1 }), endOnFailure: true },
  );
}
