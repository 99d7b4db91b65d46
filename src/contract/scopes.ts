/** Scopes: the operations that an operator's token allows. */
import type { Contract, Scope } from './endpoint.ts';

/** All scopes. */
export const scopes = ['read', 'import', 'administer'] as const satisfies readonly Scope[];

/** The scope that an operation of the operator interface needs. */
export function scopeOf({ method, stream, scope }: Contract): Scope {
  if (scope !== undefined) return scope;
  if (method === 'GET') return 'read';
  return stream === undefined ? 'administer' : 'import';
}
