/**
 * How far V8's heaps grow before a full garbage collection. If a heap is at most 512 MiB, V8 lets
 * it grow by 40 %; long answers then cause three collections a second, and each time every other
 * request waits 10 to 20 ms. V8's own rule applies while an import, or a report with very many
 * rows, fills heaps.
 */
import { setFlagsFromString } from 'node:v8';

/** As a percentage of the live objects. */
const growth = 150;
/** The value that restores V8's own rule. */
const ownRule = 0;

let isServing = false;
let works = 0;

/** Lets the heaps of a service grow. */
export function letHeapsGrow(): void {
  isServing = true;
  set();
}

/** Limits heaps during work that fills them. */
export async function withSmallHeaps<T>(work: () => Promise<T>): Promise<T> {
  works++;
  set();
  try {
    return await work();
  } finally {
    works--;
    set();
  }
}

function set(): void {
  if (isServing) setFlagsFromString(`--heap-growing-percent=${works > 0 ? ownRule : growth}`);
}
