/** Long computations in slices, so that other requests are answered in between. */
import { setImmediate } from 'node:timers/promises';

/** So many rows take about a millisecond. */
const sliceLength = 100;

/** So many facts take about a millisecond. */
const factsPerSlice = 1_000;

/** Takes facts one after the other; after each slice of them, other work has its turn. */
export async function eachInSlices<Fact>(
  facts: readonly Fact[],
  take: (fact: Fact) => void,
): Promise<void> {
  for (const [index, fact] of facts.entries()) {
    if (index > 0 && index % factsPerSlice === 0) await setImmediate();
    take(fact);
  }
}

/** Maps items to rows; after each slice of them, other work of the process has its turn. */
export async function mapInSlices<Item, Row>(
  items: readonly Item[],
  rowOf: (item: Item, index: number) => Row,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % sliceLength === 0) await setImmediate();
    rows.push(rowOf(item, index));
  }
  return rows;
}
