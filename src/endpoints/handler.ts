/** The types of handlers and of what they work with. */

import type { Readable } from 'node:stream';
import type { Caller, Channel, ChannelLookup } from '../access/channels.ts';
import type { Devices } from '../access/devices.ts';
import type { PasswordCost } from '../access/passwords.ts';
import type { RefusedAttempt, RefusedAttempts } from '../access/refusedAttempts.ts';
import type { Seal } from '../access/secret.ts';
import type { SignedIn, Visitor } from '../access/sessions.ts';
import type { Tokens } from '../access/tokens.ts';
import type { Usage } from '../access/usage.ts';
import type { Config, Quotas, SessionDays, WebhookNetworks } from '../config.ts';
import {
  type Access,
  type AnswerOf,
  type Contract,
  type ContractsIn,
  contractsIn,
  type InputOf,
  type RuleFailures,
  type RuleFields,
} from '../contract/endpoint.ts';
import type { Budgets } from '../engine/budgets.ts';
import type { Clock } from '../engine/clock.ts';
import type { Commit, Registry } from '../engine/registry.ts';
import type { QueryLimits } from '../engine/warehouse.ts';
import type { CachedWarehouse } from '../engine/workingSet.ts';
import type { FileStore } from '../files/store.ts';
import type { Importer } from '../import/importer.ts';
import type { JobQueue } from '../jobs/queue.ts';
import type { ReportLinks } from '../report/reportLinks.ts';
import type { Announcer } from '../webhooks/announce.ts';

/** The log of one request. Never give it keys, bodies or personal data. */
export type Log = {
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
  error(fields: object, text: string): void;
};

/** The part of the configuration that handlers and the server read. */
export type ServiceConfig = Pick<
  Config,
  | 'environment'
  | 'operatorTokens'
  | 'publicUrl'
  | 'contact'
  | 'trustedProxies'
  | 'origins'
  | 'host'
  | 'dataFolder'
  | 'requiresSecondFactor'
  | 'breachedPasswords'
  | 'webhooks'
  | 'mailDomains'
> & {
  /** The installation key, behind every API key, link and hash. */
  readonly secret: string;
  /** The cost of deriving a hash from a password where it is not the usual, as in tests. */
  readonly passwordCost?: PasswordCost | undefined;
};

/** A streamed body. */
export type Upload = {
  readonly body: Readable;
  /** Aborted when the client leaves before its answer. */
  readonly signal: AbortSignal;
  /** In lower case, without parameters; empty when the client names none. */
  readonly mediaType: string;
  readonly charset: string | undefined;
};

/** Every handler gets these. */
type SharedContext = {
  readonly registry: Registry;
  /** Commits every change of the records; a handler answers what it commits. */
  readonly commit: Commit;
  /** The clock, in epoch milliseconds. */
  readonly now: () => number;
  readonly log: Log;
};

/** A store that has amounts in a currency without any exchange rate. */
export type MissingRate = { readonly store: string; readonly currency: string };

/**
 * A store with misleading figures: some come from search terms alone, or include tax that neither a
 * document nor a rate states.
 */
export type StoreWarning = {
  readonly store: string;
  readonly code: 'search-terms-only' | 'unstated-tax';
};

/** A member of the header Vitrine-Warning. */
export type Warning = MissingRate | StoreWarning;

type KeyContext = SharedContext & {
  readonly caller: Caller;
  readonly channels: Pick<ChannelLookup, 'all'>;
  /** The limits on records of the caller's organisation. */
  readonly quotas: Quotas;
  /** When the request arrived, in epoch seconds. */
  readonly requestedAt: number;
  readonly warehouse: CachedWarehouse;
  /** Queues work that takes too long for an answer. */
  readonly jobs: Pick<JobQueue, 'add' | 'countWaiting' | 'announce' | 'find'>;
  /** Makes the addresses from which reports are downloaded. */
  readonly reportLinks: Pick<ReportLinks, 'mint'>;
  /** Counts what is limited per period. */
  readonly budgets: Pick<Budgets, 'consume'>;
  /**
   * The domains whose addresses get files without confirmation; undefined if no e-mails are sent.
   */
  readonly mailDomains: readonly string[] | undefined;
  /** The addresses that webhooks may have. */
  readonly webhookNetworks: WebhookNetworks;
  /** Announces events to webhooks. */
  readonly announcer: Announcer;
  /** Adds warnings about stores to the answer's header Vitrine-Warning. */
  readonly warn: (warnings: readonly Warning[]) => void;
  /** The seal for one purpose, under the secret of this installation. */
  readonly seal: (use: string) => Seal;
  /**
   * The deadline of questions and the signal that the client has disconnected; each question takes
   * it.
   */
  readonly limits: QueryLimits;
};

type OperatorContext = SharedContext & {
  /** The name in the audit log: operator, or operator:NAME. */
  readonly actor: string;
  readonly config: ServiceConfig;
  readonly warehouse: CachedWarehouse;
  readonly budgets: Budgets;
  readonly importer: Importer;
  /** The files of reports. */
  readonly files: FileStore;
  readonly usage: Pick<Usage, 'write'>;
  readonly refusedAttempts: Pick<RefusedAttempts, 'write'>;
  /** Calls back once after this many milliseconds. */
  readonly after: Clock['after'];
  /** Invalidates the callers and channels that this node has cached. */
  readonly invalidate: () => void;
};

type OpenContext = SharedContext & {
  readonly config: ServiceConfig;
  readonly budgets: Budgets;
  readonly usage: Pick<Usage, 'write'>;
  readonly visitor: Visitor;
  /** Counts a wrong password for the network of the visitor; throws 429 beyond its limit. */
  readonly countFailure: () => Promise<void>;
  readonly sessionTokens: Tokens;
  readonly sessionDays: SessionDays;
  readonly devices: Devices;
  /** Counts a refused attempt of the visitor. */
  readonly noteRefused: (attempt: Omit<RefusedAttempt, 'address'>) => void;
  readonly linkTokens: Tokens;
  /** The keyed hash that budgets use for an address or an e-mail address. */
  readonly hashOf: (text: string) => string;
  /** The operations that API keys may call. */
  readonly contracts: readonly Contract[];
};

type SessionContext = OpenContext & {
  readonly signedIn: SignedIn;
  /** Invalidates the callers and channels that this node has cached. */
  readonly invalidate: () => void;
  /** The userId of the signed-in user, as the audit log names it. */
  readonly actor: string;
};

/** The context of a handler, by the access of its contract. */
export type Context<A extends Access = 'key'> = {
  readonly key: KeyContext;
  readonly operator: OperatorContext;
  readonly open: OpenContext;
  readonly session: SessionContext;
}[A];

/** The part of a context that depends on the contract. */
type Additions<C extends Contract> = (C extends { readonly channel: true }
  ? { readonly channel: Channel }
  : unknown) &
  (C extends { readonly stream: readonly string[] } ? { readonly upload: Upload } : unknown);

/** A handler may return read-only values. */
type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: DeepReadonly<T[Name]> }
    : T;

/** An answer that its handler has written as JSON already, in the shape of the contract. */
export class WrittenAnswer {
  /** The JSON in parts, one after the other. */
  readonly parts: readonly Buffer[];

  constructor(parts: readonly Buffer[]) {
    this.parts = parts;
  }
}

/** Answers an operation. Throws Refusal to refuse. */
export type Handler<C extends Contract> = (
  input: InputOf<C>,
  context: Context<C['access']> & Additions<C>,
) => Promise<
  C extends { readonly streamedAnswer: true }
    ? AsyncIterable<string | Uint8Array>
    : DeepReadonly<AnswerOf<C>> | (C extends { readonly cacheable: true } ? WrittenAnswer : never)
>;

/**
 * A rule that needs records or facts, such as one about the kind of the channel. Rules that read
 * `channelId` or `merchantId` are checked only if the request names a channel of the caller. All
 * rules hold when the handler is called.
 */
export type RecordRule<Input, RuleContext> = RuleFields & {
  /**
   * Whether the handler finds the same failure in the records it reads anyway. If so, the rule is
   * checked only to list its failure beside others.
   */
  readonly isHandled?: true;
  readonly check: (input: Input, context: RuleContext) => RuleFailures | Promise<RuleFailures>;
};

/** The record rules of a contract. */
export type RecordRules<C extends Contract> = readonly RecordRule<
  InputOf<C>,
  Context<C['access']> & Additions<C>
>[];

/** Loads once per request the records that both rules and handler need; all get the same input. */
export function oncePerRequest<Input extends object, LoadContext, Value>(
  load: (input: Input, context: LoadContext) => Value,
): (input: Input, context: LoadContext) => Value {
  const loaded = new WeakMap<Input, { readonly value: Value }>();
  return (input, context) => {
    let found = loaded.get(input);
    if (found === undefined) {
      found = { value: load(input, context) };
      loaded.set(input, found);
    }
    return found.value;
  };
}

/** A contract with its handler, for each kind of access. */
export type Endpoint<A extends Access = 'key'> = {
  readonly contract: Contract & { readonly access: A };
  readonly recordRules?: readonly RecordRule<never, never>[];
  /** Reads the records that an answer depends on, besides those that `cacheable` covers. */
  readonly recordsOf?: (input: never, context: Context<A>) => Promise<unknown>;
  readonly handler: (
    input: never,
    context: Context<A> & { readonly channel: Channel; readonly upload: Upload },
  ) => Promise<unknown>;
};

/** An endpoint of any interface. */
export type AnyEndpoint = { readonly [A in Access]: Endpoint<A> }[Access];

/** The rules and the records of some operations. */
type Additional<Contracts> = {
  /** The record rules. */
  readonly recordRules?: {
    readonly [Operation in keyof Contracts]?: Contracts[Operation] extends Contract
      ? RecordRules<Contracts[Operation]>
      : never;
  };
  /** Reads the records that answers depend on, besides those that `cacheable` covers. */
  readonly recordsOf?: {
    readonly [Operation in keyof Contracts]?: Contracts[Operation] extends Contract
      ? (
          input: InputOf<Contracts[Operation]>,
          context: Context<Contracts[Operation]['access']>,
        ) => Promise<unknown>
      : never;
  };
};

/**
 * The endpoints of a room: each contract that one file exports, with the handler of the same name
 * that other files export. The compiler requires all handlers.
 */
export function endpointsOf<Exports extends object>(
  exports: Exports,
  handlers: {
    readonly [Operation in keyof ContractsIn<Exports>]: Exports[Operation] extends Contract
      ? Handler<Exports[Operation]>
      : never;
  },
  { recordRules, recordsOf }: Additional<ContractsIn<Exports>> = {},
): readonly AnyEndpoint[] {
  return Object.entries(contractsIn(exports)).map(([name, contract]) => {
    const operation = name as keyof ContractsIn<Exports>;
    return {
      contract,
      handler: handlers[operation],
      recordRules: recordRules?.[operation] ?? [],
      recordsOf: recordsOf?.[operation],
    } as unknown as AnyEndpoint;
  });
}
