/** The interface of the account pages with its handlers: a contract without one does not compile. */
import cookie, { type CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { plainCommit } from '../../access/idempotency.ts';
import { createHashing } from '../../access/secret.ts';
import type { Contract } from '../../contract/endpoint.ts';
import { Refusal } from '../../contract/refusal.ts';
import { addOperation, admission, type Operation } from '../../http/route.ts';
import type { AccountParts } from '../../http/server.ts';
import { readAccess, revealKey } from './access.ts';
import { browserOf } from './browser.ts';
import { accountContracts } from './contracts.ts';
import type { AccountContext, OpenHandler, SignedInHandler, Visitor } from './handler.ts';
import { readPasswordLink, usePasswordLink } from './links.ts';
import { refuseForeign } from './origin.ts';
import { changePassword, confirmPassword, signIn } from './passwords.ts';
import {
  endOtherSessions,
  endSession,
  findSession,
  listSessions,
  readSession,
  type SignedIn,
  sessionSecondsMax,
  signOut,
} from './sessions.ts';
import { createTokens } from './tokens.ts';
import { listRecentRequests, readUsage } from './usage.ts';

type Contracts = typeof accountContracts;
type OpenOperation = 'signIn' | 'readPasswordLink' | 'usePasswordLink';
type SignedInOperation = Exclude<keyof Contracts, OpenOperation>;

const openHandlers: { readonly [Operation in OpenOperation]: OpenHandler<Contracts[Operation]> } = {
  signIn,
  readPasswordLink,
  usePasswordLink,
};

const signedInHandlers: {
  readonly [Operation in SignedInOperation]: SignedInHandler<Contracts[Operation]>;
} = {
  readSession,
  signOut,
  confirmPassword,
  listSessions,
  endSession,
  endOtherSessions,
  changePassword,
  readAccess,
  revealKey,
  readUsage,
  listRecentRequests,
};

/** Adds what the account pages ask for to a server of its own, whose cookies and origins concern nobody else. */
export async function addAccount(server: FastifyInstance, parts: AccountParts): Promise<void> {
  const { config, registry } = parts;
  await server.register(cookie);
  // Pages of others may not read these answers, and have no business to ask whether they may.
  server.addHook('onRoute', (route) => {
    route.config = { ...route.config, cors: false };
  });
  server.addHook(
    'onRequest',
    admission((request, reply) => {
      reply.headers({ 'cache-control': 'no-store', 'cross-origin-resource-policy': 'same-origin' });
      refuseForeign(request.method, request.headers, config.publicUrl);
    }),
  );
  server.options('/account/*', () => {
    throw new Refusal(404, 'there is nothing at this path');
  });

  const shared = {
    ...parts,
    sessionTokens: createTokens(config.secret, 'session'),
    linkTokens: createTokens(config.secret, 'link'),
    hashOf: createHashing(config.secret, 'attempts'),
    commit: plainCommit(registry),
  };
  const jar = createJar(config.publicUrl);
  const contextOf = (request: FastifyRequest, reply: FastifyReply): AccountContext => ({
    ...shared,
    visitor: jar.visitorOf(request, reply),
  });
  // Nothing here is called with an Idempotency-Key.
  const ownerOf = () => 'account';
  for (const [operation, handler] of Object.entries(openHandlers) as [
    OpenOperation,
    OpenHandler<Contract>,
  ][]) {
    const answer: Operation['answer'] = ({ input: asked }, request, reply) =>
      handler(asked, contextOf(request, reply));
    addOperation(server, { contract: accountContracts[operation], answer, ownerOf }, parts);
  }
  const entered = new WeakMap<FastifyRequest, SignedIn>();
  for (const [operation, handler] of Object.entries(signedInHandlers) as [
    SignedInOperation,
    SignedInHandler<Contract>,
  ][]) {
    const served: Operation = {
      contract: accountContracts[operation],
      async admit(request, reply) {
        const signedIn = await findSession(contextOf(request, reply));
        if (signedIn === undefined) throw new Refusal(401, 'sign in first');
        entered.set(request, signedIn);
      },
      answer: ({ input: asked }, request, reply) =>
        handler(asked, { ...contextOf(request, reply), signedIn: entered.get(request)! }),
      ownerOf,
    };
    addOperation(server, served, parts);
  }
}

/** The cookie by which a browser holds the token of its session. */
function createJar(publicUrl: string): {
  visitorOf: (request: FastifyRequest, reply: FastifyReply) => Visitor;
} {
  const isSecure = publicUrl.startsWith('https:');
  // By this prefix browsers take the cookie from this very host alone, and only over an encrypted connection.
  const name = isSecure ? '__Host-vitrine' : 'vitrine-session';
  const options: CookieSerializeOptions = {
    path: '/',
    httpOnly: true,
    sameSite: 'strict',
    secure: isSecure,
  };
  return {
    visitorOf: (request, reply) => ({
      address: request.ip,
      browser: browserOf(request.headers['user-agent']),
      token: request.cookies[name],
      keep: (token) => void reply.setCookie(name, token, { ...options, maxAge: sessionSecondsMax }),
      drop: () => void reply.clearCookie(name, options),
    }),
  };
}
