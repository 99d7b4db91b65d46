/** Ends the process in good order when it is asked to stop. */
import { setImmediate } from 'node:timers/promises';
import { type Clock, rest, systemClock } from './engine/clock.ts';
import type { Running } from './main.ts';

/** With the drain, less than the time after which a supervisor kills the process. */
const closeMillisecondsMax = 20_000;
const millisecondsPerSecond = 1_000;
/** In one turn a connection is taken, in the next its request is read. */
const turnsBeforeClose = 3;

/** The part of a service that stops it. */
export type Stoppable = Pick<Running, 'drain' | 'close'>;

/**
 * Stops on SIGTERM, after so many seconds in which load balancers may notice it, and on SIGINT at
 * once; a second signal ends the process.
 */
export function stopOnSignals(running: Stoppable, drainSeconds = 0): void {
  let isStopping = false;
  const seconds = { SIGTERM: drainSeconds, SIGINT: 0 };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (isStopping) process.exit(1);
      isStopping = true;
      stop(running, seconds[signal], systemClock).then(
        (isClosed) => {
          if (!isClosed) console.error(notClosed);
          process.exit(0);
        },
        (error: unknown) => {
          console.error(error);
          process.exit(1);
        },
      );
    });
  }
}

const notClosed =
  'Not everything had ended in time, so it was cut off. What was acknowledged is kept; imports that were not are repeated or marked as failed at the next start.';

/**
 * Takes requests for so many seconds more, while readiness fails and connections are closed after
 * their answers; then closes the service. Returns whether that ended in time.
 */
export async function stop(
  running: Stoppable,
  drainSeconds: number,
  clock: Clock,
): Promise<boolean> {
  running.drain();
  if (drainSeconds > 0) {
    await rest(clock, drainSeconds * millisecondsPerSecond);
    // This process may have been busy: connections and requests that have arrived are taken first.
    for (let turn = 0; turn < turnsBeforeClose; turn++) await setImmediate();
  }
  return closeWithin(running, clock);
}

/** Whether the service closed before its supervisor would lose patience. */
function closeWithin(running: Stoppable, clock: Clock): Promise<boolean> {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  const timer = clock.after(closeMillisecondsMax, () => resolve(false));
  running
    .close()
    .then(() => resolve(true), reject)
    .finally(() => timer.cancel());
  return promise;
}
