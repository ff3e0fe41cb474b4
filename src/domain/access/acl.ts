import { ADMIN_CAPABILITY, MAX_ROLES, TOO_MANY_ROLES } from '../../contract/basics.ts';
import type { Caller } from '../../contract/caller.ts';
import { Fault, invalid, type Problem } from '../../contract/codes/faults.ts';
import type { Acl, AclInput } from '../../contract/schemas/common.ts';
import { memoizeByObject } from '../async/memoize.ts';

/** No access list stops an administrator. */
export const isAdmin = ({ capabilities }: Caller): boolean => hasAll(capabilities);
// A list asks it of thousands of records, and a caller has dozens of capabilities.
const hasAll = memoizeByObject((capabilities: readonly string[]) => capabilities.includes(ADMIN_CAPABILITY));

export interface WithAcl {
  acl: Acl;
}

function permits(caller: Caller, roles: readonly string[]): boolean {
  return roles.includes('*') || roles.some((role) => caller.roles.includes(role));
}

/** `sharing: user` = the owner alone, whatever perms say; write implies read; admins pass. */
export function mayWrite(caller: Caller, { acl }: WithAcl): boolean {
  return isAdmin(caller) || acl.owner === caller.user || (acl.sharing !== 'user' && permits(caller, acl.perms.write));
}

export function mayRead(caller: Caller, record: WithAcl): boolean {
  return mayWrite(caller, record) || (record.acl.sharing !== 'user' && permits(caller, record.acl.perms.read));
}

/**
 * @throws Fault `not_found` (a record that may not be read and one that is not there look the same) or `acl_denied`
 */
export function assertMay(caller: Caller, access: 'read' | 'write', record: WithAcl, missing: () => Fault): void {
  if (!mayRead(caller, record)) throw missing();
  if (access === 'write' && !mayWrite(caller, record)) {
    throw new Fault('acl_denied', 'The access list of this record does not let you change it');
  }
}

/** The ACL of a new record. @throws Fault `acl_denied` when somebody else is to own it */
export function newAcl(caller: Caller, input: AclInput | undefined): Acl {
  return changed(caller, { owner: caller.user, sharing: 'user', perms: { read: [], write: [] } }, input, true);
}

/**
 * The ACL after an update. Unchanged values do not count as a change; only the owner or an admin may make one. @throws Fault
 * `acl_denied`
 */
export function changedAcl(caller: Caller, acl: Acl, input: AclInput | undefined): Acl {
  return changed(caller, acl, input, acl.owner === caller.user || isAdmin(caller));
}

function changed(caller: Caller, acl: Acl, input: AclInput | undefined, mayChange: boolean): Acl {
  if (!input) return acl;
  const next: Acl = {
    owner: input.owner ?? acl.owner,
    sharing: input.sharing ?? acl.sharing,
    perms: { read: input.perms?.read ?? acl.perms.read, write: input.perms?.write ?? acl.perms.write },
  };
  if (!mayChange && !sameAcl(acl, next)) {
    throw new Fault('acl_denied', 'Only the owner or an administrator may change the access list');
  }
  if (next.owner !== acl.owner && next.owner !== caller.user && !isAdmin(caller)) {
    throw new Fault('acl_denied', 'Only an administrator may give a record to another owner');
  }
  const problems = roleProblems(input, caller.unknownRoles ?? [], acl);
  if (problems.length > 0) throw invalid(problems);
  return next;
}

/** Who may be named in an access list: few roles, and existing ones. What is already stored stays valid. */
export function roleProblems({ perms = {} }: AclInput, unknown: readonly string[], stored?: Acl): Problem[] {
  return (['read', 'write'] as const).flatMap((right) => {
    const [roles, before] = [perms[right] ?? [], stored?.perms[right] ?? []];
    const field = `acl.perms.${right}`;
    const isNew = (role: string) => !before.includes(role);
    if (roles.length > MAX_ROLES && roles.some(isNew)) {
      return [{ field, message: TOO_MANY_ROLES }];
    }
    return roles.flatMap((role, index) =>
      unknown.includes(role) && isNew(role)
        ? [{ field: `${field}.${index}`, message: 'is not a role of this platform' }]
        : [],
    );
  });
}

function sameAcl(a: Acl, b: Acl): boolean {
  const roles = (list: readonly string[]) => [...new Set(list)].sort().join('\n');
  return (
    a.owner === b.owner &&
    a.sharing === b.sharing &&
    roles(a.perms.read) === roles(b.perms.read) &&
    roles(a.perms.write) === roles(b.perms.write)
  );
}
