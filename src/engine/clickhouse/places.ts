/** Where questions are answered: their statements, and the servers that receive them. */
import { channelsOf, type Question } from '../question.ts';
import type { Cancellation } from '../reading.ts';
import type { Ask, Parameters, Row, Stream } from '../warehouse.ts';
import type { Client, Statement } from './client.ts';
import type { OwnedDays } from './ownedDays.ts';
import { commonChannel, type Shards } from './shards.ts';
import { ofChannels, type StampedSnapshot, snapshotParameters, withVisible } from './snapshot.ts';
import { parameterValues, statementText } from './vocabulary.ts';

/** A statement, and the server that receives it. */
export type Placed = { readonly client: Client; readonly statement: Statement };

/** Sends questions to the servers that have their facts. */
export class Places {
  readonly #shards: Shards;
  readonly #texts = new WeakMap<Question, string>();

  readonly #owned: OwnedDays;

  constructor(shards: Shards, owned: OwnedDays) {
    this.#shards = shards;
    this.#owned = owned;
  }

  /** Asks questions of a snapshot. */
  askAt(snapshot: StampedSnapshot, cancellation: Cancellation): Ask {
    return async <R extends Row>(question: Question<R>, parameters: Parameters) => {
      const { client, statement } = await this.of(snapshot, question, parameters, cancellation);
      return (await client.read(statement, cancellation)) as R[];
    };
  }

  /** Streams the answers to questions of a snapshot. */
  streamAt(snapshot: StampedSnapshot, cancellation: Cancellation): Stream {
    const place = this.of.bind(this);
    return async function* <R extends Row>(question: Question<R>, parameters: Parameters) {
      const { client, statement } = await place(snapshot, question, parameters, cancellation);
      yield* client.stream(statement, cancellation) as AsyncIterable<R[]>;
    };
  }

  /** The place of a question: the home of its channels, or a server that queries the others. */
  async of(
    taken: StampedSnapshot,
    question: Question,
    parameters: Parameters,
    cancellation: Cancellation,
  ): Promise<Placed> {
    let text = this.#texts.get(question);
    if (text === undefined) {
      text = statementText(question.sql);
      this.#texts.set(question, text);
    }
    const shards = this.#shards;
    const { tables } = question;
    const isCommon = tables.some((table) => taken.stamps.of(commonChannel, table) !== '');
    const wanted = [...channelsOf(parameters), ...(isCommon ? [commonChannel] : [])];
    const snapshot = ofChannels(taken, wanted);
    const homes = shards.homesOf(snapshot.channels);
    const conditions = await this.#owned.conditions(shards, snapshot, tables, cancellation);
    const sql = withVisible(text, { ...snapshot, conditions }, homes.size > 1);
    const values = {
      ...(tables.length > 0 && snapshotParameters(snapshot)),
      ...parameterValues(question, parameters),
    };
    const [client = shards.clients[0]] = homes;
    // A question about several servers reads from all of them.
    const sources = homes.size > 1 ? shards.clients.filter((one) => one !== client) : [];
    const name = `the question ${question.name}`;
    return { client, statement: { sql, parameters: values, name, sources } };
  }
}
