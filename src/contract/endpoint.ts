/** The shape of a contract: what one operation is asked, what it answers, and what its caller must be entitled to. */
import type { Static, TObject, TSchema } from 'typebox';

/** What a key must be granted beyond API access. */
export type Grant = 'orders' | 'searchQueryPerformance';

/** A rule between fields, or one that a schema cannot say: returns the failing rule in the client's words, or undefined. */
export type Rule = {
  /**
   * The field the rule is listed at, as a path such as `reportOptions.toDate`. It is checked only when that field and those of `reads`
   * are valid by themselves; an optional field that is absent is valid.
   */
  readonly at: string;
  readonly reads?: readonly string[];
  // biome-ignore lint/suspicious/noExplicitAny: what is asked has another shape in each contract, which the contract itself checks.
  readonly check: (asked: any) => string | undefined;
};

/** One operation of the public interface. Pure: it can be read without any store existing. */
export type Contract = {
  /** Verb and noun, the operation's name everywhere. */
  readonly operation: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path as in OpenAPI, parameters in braces. */
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly pathParameters?: TObject;
  readonly query?: TObject;
  readonly body?: TObject;
  /** Where the body is a stream instead of JSON: the media types that it may have. */
  readonly stream?: readonly string[];
  readonly rules?: readonly Rule[];
  /** Parameters and fields of the body that are asked in the example of the description; the demonstration answers it. */
  readonly example?: Readonly<Record<string, unknown>>;
  readonly answer: TSchema;
  readonly grant?: Grant;
  /** True where a call changes something and, with the header Idempotency-Key, changes it only once. */
  readonly idempotencyKey?: boolean;
  /** True where `channelId` and `merchantId` must together name a channel that the caller may reach; the handler then gets the channel. */
  readonly channel?: boolean;
  /** True where the answer holds personal data, and so tells everybody on its way to keep no copy. */
  readonly personal?: boolean;
};

type Part<S> = S extends TSchema ? Static<S> : unknown;

/** What a handler is asked: the parameters of path and query and the fields of the body, in one object. */
export type InputOf<C extends Contract> = Part<C['pathParameters']> &
  Part<C['query']> &
  Part<C['body']>;

/** What a handler answers. */
export type AnswerOf<C extends Contract> = Static<C['answer']>;

/** Declares a contract; the compiler keeps its exact type. */
export function contract<const C extends Contract>(it: C): C {
  return it;
}
