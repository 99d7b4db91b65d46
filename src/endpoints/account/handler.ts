/** What every handler of the account pages is and gets. */
import type { AnswerOf, Contract, InputOf } from '../../contract/endpoint.ts';
import type { Commit } from '../../engine/registry.ts';
import type { AccountParts } from '../../http/server.ts';
import type { SignedIn } from './sessions.ts';
import type { Tokens } from './tokens.ts';

/** The length of a day. */
export const millisecondsPerDay = 86_400_000;

/** Who calls, as far as it can be told without a session. */
export type Visitor = {
  /** Where the call comes from; it is kept nowhere. */
  readonly address: string;
  /** Short name of browser and system. */
  readonly browser: string;
  /** The token of the session that the browser holds. */
  readonly token: string | undefined;
  /** Has the browser hold the token of another session. */
  readonly keep: (token: string) => void;
  /** Has the browser forget the token. */
  readonly drop: () => void;
};

/** What a handler works with. `now` is in epoch milliseconds, as records keep it. */
export type AccountContext = AccountParts & {
  readonly commit: Commit;
  readonly visitor: Visitor;
  readonly sessionTokens: Tokens;
  readonly linkTokens: Tokens;
  /** The keyed hash by which budgets know an address or an e-mail address. */
  readonly hashOf: (text: string) => string;
};

/** Answers whoever asks. Throws Refusal to refuse. */
export type OpenHandler<C extends Contract> = (
  asked: InputOf<C>,
  context: AccountContext,
) => Promise<AnswerOf<C>>;

/** Answers who is signed in. Throws Refusal to refuse. */
export type SignedInHandler<C extends Contract> = (
  asked: InputOf<C>,
  context: AccountContext & { readonly signedIn: SignedIn },
) => Promise<AnswerOf<C>>;

/** Epoch milliseconds of a record as the whole seconds of an answer. */
export function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}
