/** A budget that owners share, such as the memory of bodies that are still arriving. */

/** A part of a shared budget that is in use until it is released. */
export type Charge = {
  /** Takes more; may evict this or another charge. */
  readonly add: (amount: number) => void;
  /** Returns all of it; may be called again. */
  readonly release: () => void;
};

type Held = { amount: number; readonly onEvicted: () => void };
type Share = { total: number; readonly charges: Set<Held> };

/**
 * A budget that never refuses: when it is used up, the oldest charge of the owner with the most is
 * evicted. So no owner can use it up at the expense of others.
 */
export class SharedBudget {
  readonly #max: number;
  #total = 0;
  readonly #shares = new Map<string, Share>();

  constructor(max: number) {
    this.#max = max;
  }

  /** The amount that an owner has taken. */
  takenBy(owner: string): number {
    return this.#shares.get(owner)?.total ?? 0;
  }

  /** Begins an empty charge. `onEvicted` is called at most once, after the release. */
  begin(owner: string, onEvicted: () => void): Charge {
    const held: Held = { amount: 0, onEvicted };
    const share = this.#shares.get(owner) ?? { total: 0, charges: new Set() };
    this.#shares.set(owner, share);
    share.charges.add(held);
    return {
      add: (amount) => {
        if (!share.charges.has(held)) return;
        held.amount += amount;
        share.total += amount;
        this.#total += amount;
        while (this.#total > this.#max) this.#evict();
      },
      release: () => this.#release(owner, share, held),
    };
  }

  #release(owner: string, share: Share, held: Held): void {
    if (!share.charges.delete(held)) return;
    share.total -= held.amount;
    this.#total -= held.amount;
    if (share.charges.size === 0 && this.#shares.get(owner) === share) this.#shares.delete(owner);
  }

  #evict(): void {
    let most: [owner: string, share: Share] | undefined;
    for (const one of this.#shares) if (!(most && most[1].total >= one[1].total)) most = one;
    const [owner, share] = most!;
    const [oldest] = share.charges;
    this.#release(owner, share, oldest!);
    oldest!.onEvicted();
  }
}
