/**
 * Turns for answers that everybody may read, such as pages and descriptions. They go round the
 * addresses, and requests with keys run in between, so strangers delay neither these nor one
 * another.
 */
import type { FastifyInstance } from 'fastify';
import { networkOf } from '../access/attempts.ts';
import { assistantPath } from './assistant.ts';

/** Rounds of the event loop between two turns, which are for everything else. */
const roundsBetween = 4;
/** A busy node must answer probes, too, which are short; assistants send a key. */
const exempt = new Set(['/healthz', '/readyz', assistantPath]);

/** Turns that go round owners: each owner has one, and then waits behind the others. */
export class StrangerTurns {
  readonly #soon: (callback: () => void) => void;
  /** In the order of their turns. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #isBusy = false;

  /** `soon` calls back in the next round of the event loop. */
  constructor(soon: (callback: () => void) => void = setImmediate) {
    this.#soon = soon;
  }

  /** Calls `begin` when it is the owner's turn: at once, if nobody has had one just now. */
  take(owner: string, begin: () => void): void {
    const own = this.#waiting.get(owner);
    if (own === undefined) this.#waiting.set(owner, [begin]);
    else own.push(begin);
    if (!this.#isBusy) this.#beginNext();
  }

  #beginNext(): void {
    const [next] = this.#waiting;
    this.#isBusy = next !== undefined;
    if (next === undefined) return;
    const [owner, [begin, ...further]] = next;
    this.#waiting.delete(owner);
    if (further.length > 0) this.#waiting.set(owner, further);
    begin!();
    this.#rest(roundsBetween);
  }

  #rest(rounds: number): void {
    if (rounds === 0) this.#beginNext();
    else this.#soon(() => this.#rest(rounds - 1));
  }
}

/** Gives turns to the requests of all routes that belong to no operation. */
export function takeTurns(server: FastifyInstance): void {
  const turns = new StrangerTurns();
  server.addHook('onRequest', ({ routeOptions, ip }, _reply, done) => {
    const { url = '', config } = routeOptions;
    if (config.operation !== undefined || exempt.has(url)) return done();
    turns.take(networkOf(ip), done);
  });
}
