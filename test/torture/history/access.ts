import type { Acl } from './events.ts';

/** Contract 1.8, independent of the product's code, whose mistakes it would otherwise share. */
export interface Person {
  /** Including imported roles. */
  roles: readonly string[];
  isAdmin?: boolean;
}

export type People = Readonly<Record<string, Person>>;

function permits(person: Person, names: readonly string[]): boolean {
  return names.includes('*') || names.some((name) => person.roles.includes(name));
}

export function mayWrite(people: People, user: string, acl: Acl | null): boolean {
  const person = people[user] ?? { roles: [] };
  if (acl === null || person.isAdmin || acl.owner === user) return true;
  return acl.sharing !== 'user' && permits(person, acl.write);
}

export function mayRead(people: People, user: string, acl: Acl | null): boolean {
  if (mayWrite(people, user, acl)) return true;
  return acl !== null && acl.sharing !== 'user' && permits(people[user] ?? { roles: [] }, acl.read);
}

export function mayShare(people: People, user: string, acl: Acl | null): boolean {
  return acl === null || people[user]?.isAdmin === true || acl.owner === user;
}

export function sameAcl(a: Acl, b: Acl): boolean {
  const roles = (list: readonly string[]) => [...new Set(list)].sort().join('\n');
  return (
    a.owner === b.owner &&
    a.sharing === b.sharing &&
    roles(a.read) === roles(b.read) &&
    roles(a.write) === roles(b.write)
  );
}
