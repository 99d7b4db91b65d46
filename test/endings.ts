/**
 * Closes whatever the test files of a process share, when all of them have ended, and keeps the
 * errors of tests that fail.
 */
import { after, afterEach } from 'node:test';
import { type EndedTest, keepError } from './failures.ts';

const closers: (() => Promise<unknown>)[] = [];

after(async () => {
  for (const close of closers) await close();
});

afterEach((ended) => keepError(ended as EndedTest));

/** Calls `close` after the last test of the process. */
export function atEnd(close: () => Promise<unknown>): void {
  closers.push(close);
}
