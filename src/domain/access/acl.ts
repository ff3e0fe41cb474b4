import { ADMIN_CAPABILITY, MAX_ROLES, TOO_MANY_ROLES } from '../../contract/basics.ts';
import type { Caller } from '../../contract/caller.ts';
import { Fault, invalid, type Problem } from '../../contract/codes/faults.ts';
import type { Acl, AclInput } from '../../contract/schemas/common.ts';
import { memoizeByObject } from '../async/memoize.ts';

export const isAdmin = ({ capabilities }: Caller): boolean => hasAll(capabilities);
// Lists check it for thousands of records, and a caller has dozens of capabilities.
const hasAll = memoizeByObject((capabilities: readonly string[]) => capabilities.includes(ADMIN_CAPABILITY));

export interface WithAcl {
  acl: Acl;
}

function permits(caller: Caller, roles: readonly string[]): boolean {
  return roles.includes('*') || roles.some((role) => caller.roles.includes(role));
}

/** With `sharing: user` only the owner has access. Write implies read; administrators always pass. */
export function mayWrite(caller: Caller, { acl }: WithAcl): boolean {
  return isAdmin(caller) || acl.owner === caller.user || (acl.sharing !== 'user' && permits(caller, acl.perms.write));
}

export function mayRead(caller: Caller, record: WithAcl): boolean {
  return mayWrite(caller, record) || (record.acl.sharing !== 'user' && permits(caller, record.acl.perms.read));
}

/** @throws Fault `not_found` if the caller may not even read the record, to hide that it exists; else `acl_denied` */
export function assertMay(caller: Caller, access: 'read' | 'write', record: WithAcl, missing: () => Fault): void {
  if (!mayRead(caller, record)) throw missing();
  if (access === 'write' && !mayWrite(caller, record)) {
    throw new Fault('acl_denied', 'The access list of this record does not permit you to change it');
  }
}

/** @throws Fault `acl_denied` when a caller who is no administrator sets another owner */
export function newAcl(caller: Caller, input: AclInput | undefined): Acl {
  return applyInput(caller, { owner: caller.user, sharing: 'user', perms: { read: [], write: [] } }, input, true);
}

/**
 * The ACL after an update. Only the owner or an administrator may change it; sending it unchanged is allowed.
 * @throws Fault `acl_denied`
 */
export function changedAcl(caller: Caller, acl: Acl, input: AclInput | undefined): Acl {
  return applyInput(caller, acl, input, acl.owner === caller.user || isAdmin(caller));
}

function applyInput(caller: Caller, acl: Acl, input: AclInput | undefined, mayChange: boolean): Acl {
  if (!input) return acl;
  const next: Acl = {
    // Keeps fields that only another version of the app knows.
    ...acl,
    owner: input.owner ?? acl.owner,
    sharing: input.sharing ?? acl.sharing,
    perms: { ...acl.perms, read: input.perms?.read ?? acl.perms.read, write: input.perms?.write ?? acl.perms.write },
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

/** Checks the number of roles and that they exist. Stored roles stay valid. */
export function roleProblems({ perms = {} }: AclInput, unknown: readonly string[], stored?: Acl): Problem[] {
  return (['read', 'write'] as const).flatMap((right) => {
    const roles = perms[right] ?? [];
    const before = new Set(stored?.perms[right]);
    const field = `acl.perms.${right}`;
    const isNew = (role: string) => !before.has(role);
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
