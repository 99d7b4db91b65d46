/** Operators: the one with the tokens of the environment, and those with records and scopes. */
import { hash, timingSafeEqual } from 'node:crypto';
import type { Contract, Scope } from '../contract/endpoint.ts';
import { Refusal } from '../contract/refusal.ts';
import { scopeOf } from '../contract/scopes.ts';
import type { Registry } from '../engine/registry.ts';
import { createTokens } from './tokens.ts';

/** The operator behind a request. */
export type Operator = {
  /** The name in the audit log. */
  readonly actor: string;
  readonly scopes: readonly Scope[];
};

/** Finds the operator of a request by its header `authorization`. Rejects with 401. */
export type Operators = {
  readonly find: (header: string | undefined) => Operator | Promise<Operator>;
};

/** The operator with the tokens of the environment, who may do everything. */
const root: Operator = { actor: 'operator', scopes: ['administer'] };

/** Looks operators up. `now` is in epoch milliseconds. */
export function createOperators(
  registry: Registry,
  secret: string,
  rootTokens: readonly string[],
  now: () => number,
): Operators {
  const { lookupOf } = createTokens(secret, 'operator');

  async function findKept(lookup: string): Promise<Operator> {
    const found = await registry.records
      .selectFrom('operator')
      .select(['name', 'scopes'])
      .where(({ or, and, eb }) =>
        or([
          eb('lookup', '=', lookup),
          and([eb('previousLookup', '=', lookup), eb('previousUntil', '>', now())]),
        ]),
      )
      .executeTakeFirstOrThrow(unknownToken);
    return { actor: `operator:${found.name}`, scopes: JSON.parse(found.scopes) };
  }

  return {
    find(header) {
      const given = /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1];
      if (given === undefined) throw unknownToken();
      const digest = hash('sha256', given, 'buffer');
      // A constant-time comparison needs equal lengths, which digests have.
      const matches = rootTokens.map((token) =>
        timingSafeEqual(digest, hash('sha256', token, 'buffer')),
      );
      if (matches.includes(true)) return root;
      const lookup = lookupOf(given);
      if (lookup === undefined) throw unknownToken();
      return findKept(lookup);
    },
  };
}

/** Throws 403 when an operator lacks the scope of an operation. */
export function requireScope({ scopes }: Operator, contract: Contract): void {
  const needed = scopeOf(contract);
  if (!scopes.includes(needed) && !scopes.includes('administer'))
    throw new Refusal(403, `this operator token lacks the scope ${needed}`);
}

function unknownToken(): Refusal {
  return new Refusal(401, 'the authorization header must hold the operator token: Bearer <token>', {
    'www-authenticate': 'Bearer',
  });
}
