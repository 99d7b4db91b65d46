/** The lane of long jobs, where they take no place of the quick ones. */
import type { Clock } from '../engine/clock.ts';
import { SharedBudget } from '../engine/sharedBudget.ts';

/** When a job passes into the slow lane, and how many jobs a node has there. */
export type SlowLimits = { readonly afterMilliseconds: number; readonly max: number };

/** Why a job in a full slow lane is stopped: its organisation has the most jobs there. */
export class CutOff extends Error {
  constructor(milliseconds: number) {
    super(`it takes longer than ${milliseconds / 1000} s while many others do`);
    this.name = 'CutOff';
  }
}

/** The slow lane of a worker. */
export class SlowLane {
  readonly #limits: SlowLimits;
  readonly #clock: Clock;
  readonly #budget: SharedBudget;

  constructor(limits: SlowLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
    this.#budget = new SharedBudget(limits.max);
  }

  /**
   * Watches a job from its start. Calls `onSlow` when it passes into the lane, and `onCutOff` with
   * the reason if it has to leave it. Returns the function that stops watching.
   */
  watch(
    organisationId: string,
    onSlow: () => void,
    onCutOff: (reason: CutOff) => void,
  ): () => void {
    const { afterMilliseconds } = this.#limits;
    const charge = this.#budget.begin(organisationId, () =>
      onCutOff(new CutOff(afterMilliseconds)),
    );
    const timer = this.#clock.after(afterMilliseconds, () => {
      charge.add(1);
      onSlow();
    });
    return () => {
      timer.cancel();
      charge.release();
    };
  }
}
