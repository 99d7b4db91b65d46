/** The one place that decides who may call an operation of the public API, and what it shows. */
import type { Contract } from '../contract/endpoint.ts';
import { Refusal } from '../contract/refusal.ts';
import { isManager } from '../contract/roles.ts';
import type { Caller } from './channels.ts';
import { holdsBuyers, mayCall } from './keyRights.ts';

/** The records of rooms that managers alone may use, as refusals name them. */
const managed: Readonly<Record<string, string>> = {
  webhooks: 'webhooks',
  schedules: 'schedules',
  profitability: 'financial codes',
};

/**
 * Throws 401 when a caller may not use the API at all: the console admits members, viewers and
 * organisations without API access, a key does not.
 */
export function requireApi({ entitlements, role }: Caller): void {
  if (!entitlements.apiAccess)
    throw new Refusal(401, 'API access is not enabled for your organisation');
  if (!isManager(role))
    throw new Refusal(401, 'only owners and administrators of an organisation may use the API');
}

/**
 * Throws when a caller may not call an operation: 401 for the key and the plan, 403 for the Search
 * Query Performance entitlement and the role.
 */
export function requireRights(caller: Caller, contract: Contract): void {
  if (!mayCall(caller.rights, contract))
    throw new Refusal(
      401,
      `this key may not call ${contract.operation}: use another one or have ${contract.needs} added to its grants`,
    );
  requirePlan(caller, contract);
  requireRole(caller, contract);
}

function requirePlan({ plan, entitlements }: Caller, { needs }: Contract): void {
  if (needs === 'orders:read' && plan !== 'enterprise')
    throw new Refusal(401, 'this endpoint needs the enterprise plan');
  if (needs === 'searchQueryPerformance:read' && !entitlements.searchQueryPerformance)
    throw new Refusal(
      403,
      'your organisation has no access to Search Query Performance: please contact sales to have it enabled',
    );
}

function requireRole(caller: Caller, { needs = 'nothing', audience }: Contract): void {
  const [room = '', right] = needs.split(':');
  if (audience === 'managers') {
    if (!isManager(caller.role))
      throw new Refusal(403, `only owners and administrators may manage ${managed[room]}`);
    if (!caller.entitlements.apiAccess && room !== 'profitability')
      throw new Refusal(403, 'API access is not enabled for your organisation');
  }
  if (caller.role === 'viewer' && right === 'write')
    throw new Refusal(403, 'viewers may change nothing: ask an owner or administrator to do it');
  if (audience === 'sharers') requireSharer(caller);
}

/** Throws 403 when a caller may not change what others of the organisation see. */
export function requireSharer(caller: Caller): void {
  if (isLimitedMember(caller))
    throw new Refusal(
      403,
      'members of some stores may not change what others see: ask an owner or administrator to do it',
    );
}

/** Whether a caller may read the addresses of buyers. */
export function mayReadBuyers(caller: Caller): boolean {
  return caller.role !== 'viewer' && !isLimitedMember(caller) && holdsBuyers(caller.rights);
}

/** Whether the key of a caller says that it answers the addresses of buyers, to assistants too. */
export function tellsBuyers(caller: Caller): boolean {
  return caller.rights.grants.length > 0 && mayReadBuyers(caller);
}

function isLimitedMember({ role, restricted }: Caller): boolean {
  return role === 'member' && restricted;
}
