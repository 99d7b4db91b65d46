/**
 * Lets Node's test runner follow asynchronous work only while files are read. It does so all the
 * time, with a hook on every promise, to find the test of an error that nobody catches and the
 * suite that a test belongs to. An error that nobody catches fails the process of the test, which
 * prints it, and files are read one after the other.
 */
import asyncHooks, { type AsyncHook } from 'node:async_hooks';

const { createHook } = asyncHooks;
let hook: AsyncHook | undefined;

// The runner makes its hook with the first suite or test; this module comes before the runner.
// Threads load this module, too, but have no runner: they end with such an error as they always do.
asyncHooks.createHook = (callbacks) => {
  asyncHooks.createHook = createHook;
  hook = createHook(callbacks);
  // The runner itself reports such an error without its stack.
  const print = (error: unknown) => console.error(error);
  process.on('uncaughtExceptionMonitor', print).on('unhandledRejection', print);
  return hook;
};

/** Follows what a suite declares from here on, until `stop`. */
export function follow(): void {
  hook?.enable();
}

/** Stops following: what has been declared now runs. */
export function stop(): void {
  hook?.disable();
}
