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
  /** The owner of stored answers: a name may be used again, this never is. */
  readonly owner: string;
  readonly scopes: readonly Scope[];
};

/** Finds the operator of a request by its header `authorization`. Rejects with 401. */
export type Operators = {
  readonly find: (header: string | undefined) => Operator | Promise<Operator>;
};

/** The operator with the tokens of the environment, who may do everything. */
const root: Operator = { actor: 'operator', owner: 'operator', scopes: ['administer'] };

/** The owner of the stored answers of an operator with a record. */
export function operatorOwner(operatorId: string): string {
  return `operator:${operatorId}`;
}

/** Looks operators up. `now` is in epoch milliseconds. */
export function createOperators(
  registry: Registry,
  secret: string,
  rootTokens: readonly string[],
  now: () => number,
): Operators {
  const { lookupOf } = createTokens(secret, 'operator');

  async function findStored(lookup: string): Promise<Operator> {
    const found = await registry.records
      .selectFrom('operator')
      .select(['operatorId', 'name', 'scopes'])
      .where(({ or, and, eb }) =>
        or([
          eb('lookup', '=', lookup),
          and([eb('previousLookup', '=', lookup), eb('previousUntil', '>', now())]),
        ]),
      )
      .executeTakeFirstOrThrow(unknownToken);
    const { operatorId, name } = found;
    return {
      actor: `operator:${name}`,
      owner: operatorOwner(operatorId),
      scopes: JSON.parse(found.scopes),
    };
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
      return findStored(lookup);
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
