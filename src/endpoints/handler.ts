/** What every endpoint's handler is and gets. */

import type { Caller, Channel } from '../access/channels.ts';
import type { Seal } from '../access/secret.ts';
import type { AnswerOf, Contract, InputOf } from '../contract/endpoint.ts';
import type { Commit, Registry } from '../engine/registry.ts';
import type { QueryLimits, Warehouse } from '../engine/warehouse.ts';
import type { JobQueue } from '../jobs/queue.ts';
import type { ReportLinks } from '../report/reportLinks.ts';

/** The log of one request. Never give it keys, bodies or personal data. */
export type Log = {
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
  error(fields: object, text: string): void;
};

/** What a handler works with. */
export type Context = {
  readonly caller: Caller;
  /** When the request was taken up, in epoch seconds. */
  readonly now: number;
  readonly warehouse: Warehouse;
  readonly registry: Registry;
  /** Makes every change of the records; a handler answers what it commits. */
  readonly commit: Commit;
  /** What takes longer than an answer may is added here, by `commit`. */
  readonly jobs: Pick<JobQueue, 'add' | 'countWaiting' | 'announce' | 'find'>;
  /** Makes the addresses from which reports are downloaded. */
  readonly reportLinks: Pick<ReportLinks, 'mint'>;
  /** The seal of one use under the installation's secret. */
  readonly seal: (use: string) => Seal;
  /** How long a question may take, and the signal of a client that leaves before its answer; to be given to every question. */
  readonly limits: QueryLimits;
  readonly log: Log;
};

/** Computes the answer to what was asked; a contract with `channel: true` gets its channel. Throws Refusal to refuse. */
export type Handler<C extends Contract> = (
  asked: InputOf<C>,
  context: C extends { readonly channel: true } ? Context & { readonly channel: Channel } : Context,
) => Promise<AnswerOf<C>>;

/** A contract with its handler, whatever their types. */
export type Endpoint = {
  readonly contract: Contract;
  readonly handler: (
    asked: never,
    context: Context & { readonly channel: Channel },
  ) => Promise<unknown>;
};
