/**
 * Who is admitted to an operation, and what its handler works with, by the access of its contract.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CountFailure } from '../access/attempts.ts';
import type { Callers } from '../access/callers.ts';
import { createDevices } from '../access/devices.ts';
import { createOperators, type Operator, requireScope } from '../access/operators.ts';
import type { RefusedAttempts } from '../access/refusedAttempts.ts';
import { secondFactorMissing } from '../access/secondFactor.ts';
import { createHashing } from '../access/secret.ts';
import { findSession, needsSecondFactor, type SignedIn, signedOut } from '../access/sessions.ts';
import { createTokens } from '../access/tokens.ts';
import type { Usage } from '../access/usage.ts';
import type { Access, Contract } from '../contract/endpoint.ts';
import { Refusal } from '../contract/refusal.ts';
import type { Context, Upload } from '../endpoints/handler.ts';
import type { Clock } from '../engine/clock.ts';
import type { Commit } from '../engine/registry.ts';
import type { FileStore } from '../files/store.ts';
import type { Importer } from '../import/importer.ts';
import { uploadOf } from './bodies.ts';
import type { Entrance } from './entrance.ts';
import {
  consoleEntrance,
  disconnected,
  type FindUser,
  keyEntrance,
  type PublicServices,
} from './publicEntrance.ts';
import { createVisitors } from './visitors.ts';

/** The services that handlers use. */
export type EntranceServices = PublicServices & {
  readonly importer: Importer;
  readonly files: FileStore;
  readonly usage: Usage;
  readonly callers: Callers;
  readonly refusedAttempts: RefusedAttempts;
  readonly countFailure: CountFailure;
  /** The operations that API keys may call. */
  readonly contracts: readonly Contract[];
  readonly after: Clock['after'];
};

/** The entrance of each access, and that of public operations which the console calls. */
export type Entrances = Readonly<Record<Access | 'console', Entrance>>;

/** Makes all entrances. */
export function createEntrances(services: EntranceServices): Entrances {
  return {
    key: keyEntrance(services),
    operator: operatorEntrance(services),
    ...accountEntrances(services),
  };
}

function operatorEntrance(services: EntranceServices): Entrance {
  const { config, registry, warehouse, budgets, importer, usage } = services;
  const { files, refusedAttempts, countFailure, now, after } = services;
  const operators = createOperators(registry, config.secret, config.operatorTokens, now);
  const found = new WeakMap<FastifyRequest, Operator>();
  const find = async (header: string | undefined) => operators.find(header);
  const invalidate = invalidating(services);
  return {
    async admit(request, reply, contract) {
      reply.header('cache-control', 'no-store');
      const { authorization } = request.headers;
      const operator = await find(authorization).catch(async (error: unknown) => {
        if (!(error instanceof Refusal)) throw error;
        refusedAttempts.note({ action: 'refuseOperator', address: request.ip });
        if (authorization !== undefined) await countFailure(request.ip);
        throw error;
      });
      requireScope(operator, contract);
      found.set(request, operator);
    },
    ownerOf: (request) => found.get(request)!.owner,
    contextOf: (request, reply, commit): Context<'operator'> & { readonly upload: Upload } => ({
      actor: found.get(request)!.actor,
      config,
      registry,
      warehouse,
      budgets,
      importer,
      files,
      usage,
      refusedAttempts,
      commit,
      invalidate,
      now,
      after,
      log: request.log,
      get upload() {
        return uploadOf(request, disconnected(reply));
      },
    }),
  };
}

/** Drops what this node has cached of callers and their channels. */
function invalidating({ callers, channels }: EntranceServices): () => void {
  return () => {
    callers.invalidate();
    channels.invalidate();
  };
}

/** The entrances of the account pages. No operation of theirs takes an Idempotency-Key. */
function accountEntrances(
  services: EntranceServices,
): Record<'open' | 'session' | 'console', Entrance> {
  const { config, registry, budgets, usage, refusedAttempts, contracts, countFailure, now } =
    services;
  const sessions = {
    sessionTokens: createTokens(config.secret, 'session'),
    sessionDays: services.limits,
  };
  const linkTokens = createTokens(config.secret, 'link');
  const devices = createDevices(config.secret);
  const hashOf = createHashing(config.secret, 'attempts');
  const visitorOf = createVisitors(config.publicUrl, services.limits.sessionDays);
  const signedIn = new WeakMap<FastifyRequest, SignedIn>();
  const ownerOf = () => 'account';
  const invalidate = invalidating(services);
  const findUser: FindUser = async (request, reply, { withoutSecondFactor = false }) => {
    const found = await findSession({
      ...sessions,
      registry,
      visitor: visitorOf(request, reply),
      now,
    });
    if (found === undefined) throw signedOut();
    if (!withoutSecondFactor && needsSecondFactor(config, found)) throw secondFactorMissing();
    return found;
  };
  const openContext = (
    request: FastifyRequest,
    reply: FastifyReply,
    commit: Commit,
  ): Context<'open'> => ({
    config,
    registry,
    budgets,
    usage,
    contracts,
    ...sessions,
    linkTokens,
    devices,
    noteRefused: (attempt) => refusedAttempts.note({ ...attempt, address: request.ip }),
    hashOf,
    commit,
    now,
    log: request.log,
    visitor: visitorOf(request, reply),
    countFailure: () => countFailure(request.ip),
  });
  return {
    open: { ownerOf, contextOf: openContext },
    console: consoleEntrance(services, findUser),
    session: {
      ownerOf,
      async admit(request, reply, contract) {
        signedIn.set(request, await findUser(request, reply, contract));
      },
      contextOf(request, reply, commit): Context<'session'> {
        const user = signedIn.get(request)!;
        const open = openContext(request, reply, commit);
        return { ...open, signedIn: user, actor: user.userId, invalidate };
      },
    },
  };
}
