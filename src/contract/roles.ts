/** The roles of users, and their meaning. */

/** The roles, from the most rights to the fewest. */
export const roles = ['owner', 'administrator', 'member', 'viewer'] as const;
/** The role of a user. */
export type Role = (typeof roles)[number];

/** The roles that manage an organisation and may have keys. */
export const managerRoles = ['owner', 'administrator'] as const satisfies Role[];

/** Whether a role manages an organisation, as owners and administrators do. */
export function isManager(role: Role | undefined): boolean {
  return managerRoles.some((manager) => manager === role);
}
