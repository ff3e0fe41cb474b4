import { MAX_ROLES } from '../../contract/basics.ts';
import type { Caller } from '../../contract/caller.ts';
import type { Problem } from '../../contract/codes/faults.ts';
import type { AclInput } from '../../contract/schemas/common.ts';
import type { Roles, Users } from '../../ports/platform/session.ts';
import { isAdmin, roleProblems } from './acl.ts';
import { expandRoles, findUnknownRoles } from './roles.ts';

/** Looks up the roles that access checks of a request need. */
export function accessLists(definitions: Roles) {
  return {
    /** Skips the lookup for administrators, who pass every check. @param always does not skip it */
    async callerWithRoles(caller: Caller, always: boolean): Promise<Caller> {
      return isAdmin(caller) && !always
        ? { ...caller }
        : { ...caller, roles: await expandRoles(definitions, caller.roles) };
    },

    /**
     * Finds unknown roles in a request's access list and stores them in `caller` for later checks. Only a create can
     * refuse them here: an update may keep unknown roles that are already stored.
     */
    async problems(kind: 'new' | 'stored', caller: Caller, body: unknown): Promise<Problem[]> {
      const acl = (body as { acl?: AclInput } | undefined)?.acl;
      const roles = [...new Set([...rolesIn(acl?.perms?.read), ...rolesIn(acl?.perms?.write)])];
      if (roles.length > 0) caller.unknownRoles = await findUnknownRoles(definitions, roles);
      return kind === 'new' ? roleProblems({ perms: validLists(acl) }, caller.unknownRoles ?? []) : [];
    },
  };
}

/** Users with the roles that they have as callers: imported ones as well. */
export const usersWithRoles = (users: Users, definitions: Roles): Users => ({
  exists: (user) => users.exists(user),
  async find(user) {
    const direct = await users.find(user);
    return direct && accessLists(definitions).callerWithRoles(direct, true);
  },
});

/** The body may be malformed. A longer list is refused later, or is already stored. */
function rolesIn(list: unknown): string[] {
  if (!Array.isArray(list) || list.length > MAX_ROLES) return [];
  return list.filter((role) => typeof role === 'string' && role !== '' && role !== '*' && role.length <= 128);
}

function validLists(acl: AclInput | undefined): NonNullable<AclInput['perms']> {
  const lists = Object.entries(acl?.perms ?? {}).filter(([, list]) => Array.isArray(list));
  return Object.fromEntries(lists);
}
