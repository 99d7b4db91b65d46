/** Closes whatever the test files of a process share, when all of them have ended. */
import { after } from 'node:test';

const closers: (() => Promise<unknown>)[] = [];

after(async () => {
  for (const close of closers) await close();
});

/** Calls `close` after the last test of the process. */
export function atEnd(close: () => Promise<unknown>): void {
  closers.push(close);
}
