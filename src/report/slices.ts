/** Long computations in slices, so that other requests are answered in between. */
import { setImmediate } from 'node:timers/promises';

/** So many rows take about a millisecond. */
const sliceLength = 100;

/** So many facts take about a millisecond; those of several days in another currency take longer. */
const factsPerSlice = 200;

/** Takes facts one after the other; after each slice of them, other work has its turn. */
export async function eachInSlices<Fact>(
  facts: readonly Fact[],
  take: (fact: Fact) => void,
): Promise<void> {
  for (let index = 0; index < facts.length; index++) {
    if (index > 0 && index % factsPerSlice === 0) await setImmediate();
    take(facts[index]!);
  }
}

/**
 * Writes items as JSON with commas between them, `before` and `after` around them, in one part for
 * each slice; after each of them other work of the process has its turn. Parts are bytes, as texts
 * that live on for a while are what collecting garbage takes longest for.
 */
export async function writeInSlices<Item>(
  before: string,
  items: readonly Item[],
  textOf: (item: Item, index: number) => string,
  after: string,
): Promise<Buffer[]> {
  const parts: Buffer[] = [];
  let text = before;
  for (let index = 0; index < items.length; index++) {
    if (index > 0 && index % sliceLength === 0) {
      parts.push(Buffer.from(text));
      await setImmediate();
      text = '';
    }
    text += (index === 0 ? '' : ',') + textOf(items[index]!, index);
  }
  parts.push(Buffer.from(text + after));
  return parts;
}
