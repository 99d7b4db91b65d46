/** The shape of a contract: who may call an operation, what it takes and what it answers. */
import type { Static, TObject, TSchema } from 'typebox';
import type { Deprecation } from './deprecation.ts';
import type { Need } from './grants.ts';

/**
 * Who may call an operation: the holder of an API key, the operator, a user who is signed in to the
 * account pages, or anybody.
 */
export type Access = 'key' | 'operator' | 'session' | 'open';

/**
 * Who may call a public operation, apart from what it needs of a key: users who may change what
 * others in the organisation see, or owners and administrators. Without an audience every user may
 * call it; viewers may call those that read.
 */
export type Audience = 'sharers' | 'managers';

/** A scope of an operator; `administer` includes the others. */
export type Scope = 'read' | 'import' | 'administer';

/** The fields of a rule. */
export type RuleFields = {
  /** The field that the failure is listed under, as a path such as `reportOptions.toDate`. */
  readonly at: string;
  /**
   * The other fields that the rule reads. The rule is checked only when they and the field of `at`
   * are valid; an absent optional field is valid. `tags` is valid when it is a list, `tags[]` when
   * its length and all its entries are valid, too.
   */
  readonly reads?: readonly string[];
};

/** The failures of a rule in words for the client, each without a comma. */
export type RuleFailures = string | readonly string[] | undefined;

/** A rule that a schema cannot express, such as one between two fields. */
export type Rule = RuleFields & {
  // biome-ignore lint/suspicious/noExplicitAny: the input has another shape in each contract, which the contract itself checks.
  readonly check: (input: any) => RuleFailures;
};

/** One operation. Pure data: it can be read without a store or a server. */
export type Contract = {
  /** Verb and noun; the name of the operation everywhere. */
  readonly operation: string;
  readonly access: Access;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path as OpenAPI writes it, with parameters in braces. */
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly pathParameters?: TObject;
  readonly query?: TObject;
  readonly body?: TObject;
  /** Media types of a body that is a stream instead of JSON; the handler gets it as `upload`. */
  readonly stream?: readonly string[];
  /**
   * True when the answer may not fit in memory. The handler then yields its JSON text in pieces, or
   * one of the `streamedTypes`.
   */
  readonly streamedAnswer?: boolean;
  /**
   * The media types of a streamed answer that is not JSON, by the field `format` of the input.
   * Without that field the first one applies.
   */
  readonly streamedTypes?: Readonly<Record<string, string>>;
  /** The scope that an operator needs, if it does not follow from the method and the body. */
  readonly scope?: Scope;
  readonly rules?: readonly Rule[];
  /** The input of the example in the documentation; the demonstration answers it. */
  readonly example?: Readonly<Record<string, unknown>>;
  readonly answer: TSchema;
  /** The need of a public operation; without one, only a key that may do everything calls it. */
  readonly needs?: Need | 'nothing';
  readonly audience?: Audience;
  /** True when the operation honours the header Idempotency-Key. */
  readonly idempotencyKey?: boolean;
  /** True when a user may call it who must first set up a second factor. */
  readonly withoutSecondFactor?: boolean;
  /** The reason for a 409 answer of the public API, other than a request that is still running. */
  readonly conflict?: string;
  /**
   * True when `channelId` and `merchantId` must name a channel that the caller may use; the handler
   * then receives the channel.
   */
  readonly channel?: boolean;
  /**
   * True when a header of the answer names stores whose amounts have no exchange rate or include a
   * tax that no document states.
   */
  readonly warns?: boolean;
  /**
   * True when the answer follows from the input, the channel, the caller's entitlements, the facts
   * and the records that `recordsOf` of its endpoint reads. The answer can then be cached until one
   * of these changes.
   */
  readonly cacheable?: boolean;
  /** When the operation was deprecated, and when it ends; headers of its answers state both. */
  readonly deprecated?: Deprecation;
  /** True when the answer holds personal data or a secret, so that no cache may keep a copy. */
  readonly personal?: boolean;
};

type Part<S> = S extends TSchema ? Static<S> : unknown;

/** Whether an operation of the public API only reads. */
export function isReading({ access, method, idempotencyKey }: Contract): boolean {
  return access === 'key' && ['GET', 'POST'].includes(method) && idempotencyKey !== true;
}

/** Whether an operation's answers carry an entity tag, with which clients may cache them. */
export function isTagged({
  access,
  method,
  personal,
  cacheable,
  streamedAnswer,
}: Contract): boolean {
  if (access !== 'key' || personal === true || streamedAnswer === true) return false;
  return method === 'GET' || cacheable === true;
}

/** The input of a handler: the parameters of path and query and the fields of the body, merged. */
export type InputOf<C extends Contract> = Part<C['pathParameters']> &
  Part<C['query']> &
  Part<C['body']>;

/** The answer of a handler. */
export type AnswerOf<C extends Contract> = Static<C['answer']>;

/** Declares a contract; the compiler keeps its exact type. */
export function contract<const C extends Contract>(it: C): C {
  return it;
}

/** The contracts among the exports of a file, by operation. */
export type ContractsIn<Exports> = {
  readonly [Name in keyof Exports as Exports[Name] extends Contract ? Name : never]: Exports[Name];
};

const methods: readonly string[] = ['POST', 'GET', 'PUT', 'PATCH', 'DELETE'];

/** Finds the contracts among the exports of a file, ordered by path and then by method. */
export function contractsIn<Exports extends object>(exports: Exports): ContractsIn<Exports> {
  const found = Object.values(exports).filter(isContract);
  found.sort((one, other) =>
    one.path === other.path
      ? methods.indexOf(one.method) - methods.indexOf(other.method)
      : one.path < other.path
        ? -1
        : 1,
  );
  return Object.fromEntries(found.map((it) => [it.operation, it])) as ContractsIn<Exports>;
}

function isContract(value: unknown): value is Contract {
  return typeof value === 'object' && value !== null && 'operation' in value;
}
