/** Long computations in slices, so that other requests are answered in between. */
import { setImmediate } from 'node:timers/promises';
import { JsonBytes } from '../figures/jsonBytes.ts';

/** So many rows take about a millisecond. */
const sliceLength = 100;

/** About how many bytes an item takes, and those of a part of an answer. */
const bytesPerItem = 1_000;
const partBytes = 131_072;

/** So many facts take about a millisecond. */
const factsPerSlice = 200;

/**
 * Takes facts one after the other; after each slice of them, other work has its turn. `take` may
 * return how many facts one stands for, such as the rows of a table.
 */
export async function eachInSlices<Fact>(
  facts: readonly Fact[],
  take: (fact: Fact) => number | undefined,
): Promise<void> {
  let taken = 0;
  for (const fact of facts) {
    if (taken >= factsPerSlice) {
      await setImmediate();
      taken = 0;
    }
    taken += take(fact) ?? 1;
  }
}

/**
 * Writes items as JSON with commas between them, `before` and `after` around them, in parts. After
 * each slice of items other work of the process has its turn.
 */
export async function writeInSlices<Item>(
  before: string,
  items: readonly Item[],
  write: (out: JsonBytes, item: Item, index: number) => void,
  after: string,
): Promise<Buffer[]> {
  const parts: Buffer[] = [];
  let out = new JsonBytes(Math.min(items.length * bytesPerItem, partBytes));
  out.text(before);
  for (let index = 0; index < items.length; index++) {
    if (index > 0 && index % sliceLength === 0) {
      if (out.written.length >= partBytes) {
        parts.push(out.written);
        out = new JsonBytes(partBytes);
      }
      await setImmediate();
    }
    if (index > 0) out.text(',');
    write(out, items[index]!, index);
  }
  out.text(after);
  return [...parts, out.written];
}
