/**
 * Stamps: the versions of tables. A change of a channel's facts gives each table that it changes a
 * new stamp, in the same step. As long as the stamps of what an answer was read from are the same,
 * a fresh computation would give the same answer.
 */

/** The stamps of the tables of some channels at one moment. */
export type Stamps = {
  /** The stamp of a table of a channel; empty for one without any change yet. */
  readonly of: (channel: number, table: string) => string;
};

/** The facts changed while a view read them. */
export class FactsChanged extends Error {
  override readonly name = 'FactsChanged';
}

/** A stamp that no other change has, in any installation and after any restore. */
export function newStamp(): string {
  return crypto.randomUUID();
}

/** The tables that an answer was read from, with their stamps. */
export class Reads {
  readonly #stamps = new Map<number, Map<string, string>>();
  #isKnown = true;

  /** Notes a table of a channel. */
  note(channel: number, table: string, stamp: string): void {
    let tables = this.#stamps.get(channel);
    if (tables === undefined) {
      tables = new Map();
      this.#stamps.set(channel, tables);
    }
    const known = tables.get(table);
    // Two parts of the answer are of different moments.
    if (known !== undefined && known !== stamp) this.#isKnown = false;
    tables.set(table, stamp);
  }

  /** Notes something that has no stamp. */
  noteUnknown(): void {
    this.#isKnown = false;
  }

  /** Whether everything that was read has a stamp. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  /** The channels that were read. */
  get channels(): number[] {
    return [...this.#stamps.keys()];
  }

  /** Whether all that was read still has its stamp. */
  isCurrent(stamps: Stamps): boolean {
    for (const [channel, tables] of this.#stamps)
      for (const [table, stamp] of tables) if (stamps.of(channel, table) !== stamp) return false;
    return true;
  }

  /** All stamps, as one text. */
  get text(): string {
    return [...this.#stamps]
      .map(([channel, tables]) => `${channel}:${[...tables].flat().join(' ')}`)
      .sort()
      .join(';');
  }
}
