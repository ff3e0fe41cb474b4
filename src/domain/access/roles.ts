import type { Roles } from '../../ports/platform/session.ts';

/** How many questions may be put to the platform at a time. */
const AT_ONCE = 8;

/**
 * These roles with all that they import, and what those import: the platform's own rule, whose answer about a session
 * names the direct ones alone. A role that is not defined (any more) adds nothing but itself.
 */
export async function expandRoles(definitions: Roles, roles: readonly string[]): Promise<string[]> {
  const known = new Set(roles);
  let level = [...known];
  while (level.length > 0) {
    const imported = await inBatches(level, async (role) => (await definitions.imports(role)) ?? []);
    level = [...new Set(imported.flat())].filter((role) => !known.has(role));
    for (const role of level) known.add(role);
  }
  return [...known];
}

/** The names that are not roles of the platform. */
export async function findUnknownRoles(definitions: Roles, names: readonly string[]): Promise<string[]> {
  const isKnown = await inBatches(names, async (name) => (await definitions.imports(name)) !== undefined);
  return names.filter((_, index) => !isKnown[index]);
}

async function inBatches<T>(items: readonly string[], work: (item: string) => Promise<T>): Promise<T[]> {
  const done: T[] = [];
  for (let at = 0; at < items.length; at += AT_ONCE) {
    done.push(...(await Promise.all(items.slice(at, at + AT_ONCE).map(work))));
  }
  return done;
}
