/** Closes what the test files of a process share when all have ended, and saves their errors. */
import { after, afterEach } from 'node:test';
import { type EndedTest, keepError } from './failures.ts';

const closers: (() => Promise<unknown>)[] = [];

// In a program that opens worlds without being a test, the runner would report that there is none.
if (/\.test\.ts$|\/process-\d+\.mjs$/.test(process.argv[1] ?? '')) {
  after(async () => {
    for (const close of closers) await close();
  });
  afterEach((ended) => keepError(ended as EndedTest));
}

/** Calls `close` after the last test of the process. */
export function atEnd(close: () => Promise<unknown>): void {
  closers.push(close);
}
