/** The roles of users, and their meaning. */

/** The roles, those that may do most first. */
export const roles = ['owner', 'administrator', 'member', 'viewer'] as const;
/** The role of a user. */
export type Role = (typeof roles)[number];

/** The roles that manage an organisation and may have keys. */
export const managerRoles = ['owner', 'administrator'] as const satisfies Role[];

/** Whether a role manages an organisation: an owner or administrator, no member or viewer. */
export function isManager(role: Role | undefined): boolean {
  return managerRoles.some((manager) => manager === role);
}
