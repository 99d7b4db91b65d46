/**
 * How far the heaps of V8 grow before all garbage is collected. In a heap of at most 512 MiB V8
 * lets them grow by 40 %; long answers then collect three times a second, and every other request
 * waits 10 to 20 ms each time. Its own rule holds while the rows of an import, or of a report with
 * very many of them, fill heaps.
 */
import { setFlagsFromString } from 'node:v8';

/** Percent of what is alive. */
const growth = 150;
/** The value for V8's own rule. */
const ownRule = 0;

let isServing = false;
let works = 0;

/** Lets the heaps of a service grow. */
export function letHeapsGrow(): void {
  isServing = true;
  set();
}

/** Keeps heaps small during a work that fills them. */
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
