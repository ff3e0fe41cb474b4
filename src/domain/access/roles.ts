import type { Roles } from '../../ports/platform/session.ts';

/** Concurrent calls to the platform. */
const CONCURRENCY = 8;

/** Adds imported roles recursively, since the platform reports only a user's direct roles. Undefined roles stay in the list. */
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

export async function findUnknownRoles(definitions: Roles, names: readonly string[]): Promise<string[]> {
  const isKnown = await inBatches(names, async (name) => (await definitions.imports(name)) !== undefined);
  return names.filter((_, index) => !isKnown[index]);
}

async function inBatches<T>(items: readonly string[], work: (item: string) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let at = 0; at < items.length; at += CONCURRENCY) {
    results.push(...(await Promise.all(items.slice(at, at + CONCURRENCY).map(work))));
  }
  return results;
}
