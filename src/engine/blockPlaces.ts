/**
 * The places of blocks of days in memory, found by numbers: an answer over many channels looks up
 * hundreds of blocks, and making and hashing a text for each would take longer than everything
 * else.
 */

/** The place of a block of days of a channel, by its number among all blocks of a question. */
export type Place = {
  readonly question: string;
  readonly channel: number;
  readonly number: number;
};

/** The known places; each is one object. */
export class BlockPlaces {
  readonly #places = new Map<string, Map<number, Map<number, Place>>>();

  /** The known places of a question by their channels and numbers. */
  of(question: string): (channel: number, number: number) => Place | undefined {
    const ofQuestion = this.#places.get(question);
    return (channel, number) => ofQuestion?.get(channel)?.get(number);
  }

  /** The known place of a block, or a new one. */
  add(question: string, channel: number, number: number): Place {
    const ofQuestion = this.#places.get(question) ?? new Map<number, Map<number, Place>>();
    const ofChannel = ofQuestion.get(channel) ?? new Map<number, Place>();
    const place = ofChannel.get(number) ?? { question, channel, number };
    ofChannel.set(number, place);
    ofQuestion.set(channel, ofChannel);
    this.#places.set(question, ofQuestion);
    return place;
  }

  /** Removes a place. */
  remove({ question, channel, number }: Place): void {
    const ofQuestion = this.#places.get(question);
    const ofChannel = ofQuestion?.get(channel);
    ofChannel?.delete(number);
    if (ofChannel?.size === 0) ofQuestion?.delete(channel);
    if (ofQuestion?.size === 0) this.#places.delete(question);
  }
}
