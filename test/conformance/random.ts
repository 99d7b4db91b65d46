/** Random values for recomputations of reports. */
import fc from 'fast-check';
import { rowsBy } from '../randomFacts.ts';
import { byBytes, exact } from './exact.ts';
import { windows } from './windows.ts';

/** Random texts of amounts, in hundredths between two limits. */
export const cents = (min = 0, max = 99_999): fc.Arbitrary<string> =>
  fc.integer({ min, max }).map((amount) => exact(amount).div(100).toFixed(2));

/** Random small counts. */
export const few = fc.integer({ min: 0, max: 9 });

/** Random dates of the first week of March 2025. */
export const dates = fc.integer({ min: 1, max: 6 }).map((day) => `2025-03-0${day}`);

const start = Date.UTC(2025, 2, 1) / 1000;

/** Random epoch seconds of the same days. */
export const instants = fc.integer({ min: start, max: start + 6 * 86_400 });

/** Random products of such identifiers, each SKU once. */
export const catalogue = (productId: fc.Arbitrary<string>) => {
  const sku = fc.constantFrom('a', 'B', 'É', 'other');
  return rowsBy(['sku'], { sku, productId, title: fc.constantFrom('', 'T1', 'T2', 'T3') }, 4);
};

/** Random questions about orders, whose windows are between such epoch seconds. */
export const inputOfOrders = fc.record({
  timezone: fc.constantFrom('UTC', 'America/Los_Angeles', 'Asia/Tokyo'),
  includeTax: fc.boolean(),
  spans: windows(instants),
});

type Named = { readonly sku: string; readonly productId: string };

/** The SKU of a fact: its own, else the only one of the catalogue with its product id, else "". */
export function ownSkuOf({ sku, productId }: Named, catalogue: readonly Named[]): string {
  const all = catalogue.filter((one) => productId !== '' && one.productId === productId);
  return sku || (all.length === 1 ? all[0]!.sku : '');
}

/** The products of SKUs: as they were last ordered, else as the catalogue has them. */
export function productsOf(
  lines: readonly (Named & { readonly at: number })[],
  catalogue: readonly Named[],
): (sku: string) => string {
  const latest = [...lines].sort((a, b) => a.at - b.at || byBytes(a.productId, b.productId));
  return (sku) =>
    latest.findLast((one) => one.sku === sku && one.productId !== '')?.productId ||
    catalogue.find((one) => one.sku === sku)?.productId ||
    '';
}
