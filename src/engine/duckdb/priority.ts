/** The priority of DuckDB's threads. */
import { readdirSync, readFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

const threadsFolder = '/proc/self/task';
/** The name of the threads of Node's pool, in which the driver runs its statements. */
const poolThread = 'libuv-worker';

/**
 * Gives the main thread priority over the threads of the pool, so that answers from memory do not
 * wait for a processor that a question or an import has taken. Only Linux has a priority for each
 * thread; elsewhere, and where changing it is not allowed, all threads stay equal.
 */
export function lowerPoolPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    for (const thread of readdirSync(threadsFolder))
      if (readFileSync(`${threadsFolder}/${thread}/comm`, 'utf8').trim() === poolThread)
        setPriority(Number(thread), constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Answers stay the same, but come later during heavy work.
  }
}
