/** Divides long computations into slices, so that other requests are answered in between. */
import { setImmediate } from 'node:timers/promises';

/** This many rows take about a millisecond. */
const sliceLength = 100;

/**
 * This many facts take about a millisecond; facts of several days in another currency take longer.
 */
const factsPerSlice = 200;

/** Takes facts one after another; other work has its turn after each slice. */
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
 * Writes items as JSON between `before` and `after`, with commas between them, in one part per
 * slice; other work of the process has its turn after each part. Parts are bytes, because texts
 * that live for a while cost garbage collection the most time.
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
