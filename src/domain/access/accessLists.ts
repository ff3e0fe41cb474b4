import { MAX_ROLES } from '../../contract/basics.ts';
import type { Caller } from '../../contract/caller.ts';
import type { Problem } from '../../contract/codes/faults.ts';
import type { AclInput } from '../../contract/schemas/common.ts';
import type { Roles } from '../../ports/platform/session.ts';
import { isAdmin, roleProblems } from './acl.ts';
import { expandRoles, findUnknownRoles } from './roles.ts';

/** What a request needs to know of roles before its row looks at access lists. */
export function accessLists(definitions: Roles) {
  return {
    /** An administrator passes whatever the roles are: nothing is looked up for them. */
    async callerWithRoles(caller: Caller): Promise<Caller> {
      return isAdmin(caller) ? { ...caller } : { ...caller, roles: await expandRoles(definitions, caller.roles) };
    },

    /**
     * Asks which roles of a request's access list exist, and tells the caller's later checks. A row that makes a record
     * can refuse the others at once; an update has to see first what is stored already.
     */
    async problems(kind: 'new' | 'stored', caller: Caller, body: unknown): Promise<Problem[]> {
      const acl = (body as { acl?: AclInput } | undefined)?.acl;
      const named = [...new Set([...rolesIn(acl?.perms?.read), ...rolesIn(acl?.perms?.write)])];
      if (named.length > 0) caller.unknownRoles = await findUnknownRoles(definitions, named);
      return kind === 'new' ? roleProblems({ perms: wellFormed(acl) }, caller.unknownRoles ?? []) : [];
    },
  };
}

/** Of a body that may be malformed. A longer list is refused for its length, or stored like that already. */
function rolesIn(list: unknown): string[] {
  if (!Array.isArray(list) || list.length > MAX_ROLES) return [];
  return list.filter((role) => typeof role === 'string' && role !== '' && role !== '*' && role.length <= 128);
}

function wellFormed(acl: AclInput | undefined): NonNullable<AclInput['perms']> {
  const lists = Object.entries(acl?.perms ?? {}).filter(([, list]) => Array.isArray(list));
  return Object.fromEntries(lists);
}
