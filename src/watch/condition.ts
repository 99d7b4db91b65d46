/** Conditions of channels, and the stores in which they are found. */
import type { Channel } from '../access/channels.ts';
import type { CachedWarehouse } from '../engine/workingSet.ts';

/** A condition of a channel that holds now. */
export type Condition = {
  /** Distinguishes it from others of the channel: a dataset, a target with its month. */
  readonly subject: string;
  /** The fields of its event. */
  readonly data: Readonly<Record<string, unknown>>;
};

/** A channel, and the stores in which its conditions are found. */
export type Watched = {
  readonly channel: Channel;
  readonly warehouse: CachedWarehouse;
  /** The time, in epoch milliseconds. */
  readonly now: number;
};

/** The deadline of the questions of the watch. */
export const watchLimits = { deadlineMilliseconds: 60_000 };
