/** Ends the process in good order when it is asked to stop. */
import { type Clock, systemClock } from './engine/clock.ts';
import type { Running } from './main.ts';

/** Containers are usually killed 30 seconds after the first signal. */
const closeMillisecondsMax = 20_000;

/** Closes on SIGTERM and SIGINT; a second signal ends the process at once. */
export function closeOnSignals(running: Pick<Running, 'close'>): void {
  let isClosing = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (isClosing) process.exit(1);
      isClosing = true;
      closeWithin(running, systemClock).then(
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

/** Whether the service closed before its supervisor would lose patience. */
export function closeWithin(running: Pick<Running, 'close'>, clock: Clock): Promise<boolean> {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  const timer = clock.after(closeMillisecondsMax, () => resolve(false));
  running
    .close()
    .then(() => resolve(true), reject)
    .finally(() => timer.cancel());
  return promise;
}
