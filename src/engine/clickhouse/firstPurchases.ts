/**
 * The first purchases of channels, in memory: the instant of the first order line, with the stamp
 * of the order lines that it was read from.
 */
import { LRUCache } from 'lru-cache';

/** The number of channels to cache. */
const channelsMax = 10_000;

/** Epoch seconds; null for a channel without order lines. */
type Instant = number | null;

/** Caches the most recently used first purchases. */
export class FirstPurchases {
  readonly #cache = new LRUCache<number, { readonly stamp: string; readonly at: Instant }>({
    max: channelsMax,
  });

  /** The first purchase of a channel at this stamp; `ask` finds it if it is unknown. */
  async of(channel: number, stamp: string, ask: () => Promise<Instant>): Promise<Instant> {
    if (stamp === '') return null;
    const found = this.#cache.get(channel);
    if (found?.stamp === stamp) return found.at;
    const at = await ask();
    this.note(channel, stamp, at);
    return at;
  }

  /** Notes the first purchase of a channel. */
  note(channel: number, stamp: string, at: Instant): void {
    this.#cache.set(channel, { stamp, at });
  }
}
