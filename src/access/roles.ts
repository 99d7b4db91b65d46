/** The roles of users, and their meaning. */
import type { UserRecord } from '../engine/registry.ts';

/** The roles that manage an organisation and may have keys. */
export const managerRoles = ['owner', 'administrator'] as const satisfies UserRecord['role'][];

/** Whether a role manages an organisation: an owner or administrator, no member or viewer. */
export function isManager(role: UserRecord['role']): boolean {
  return managerRoles.some((manager) => manager === role);
}
