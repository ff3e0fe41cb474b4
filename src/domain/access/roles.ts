import type { Roles } from '../../ports/platform/session.ts';

/** Concurrent calls to the platform. */
const CONCURRENCY = 8;

/** Adds imported roles recursively, since the platform reports only a user's direct roles. Undefined roles stay in the list. */
export async function expandRoles(definitions: Roles, roles: readonly string[]): Promise<string[]> {
  const reached = new Set(roles);
  let level = [...reached];
  while (level.length > 0) {
    const imported = await inBatches(level, async (role) => (await definitions.imports(role)) ?? []);
    level = [...new Set(imported.flat())].filter((role) => !reached.has(role));
    for (const role of level) reached.add(role);
  }
  return [...reached];
}

export async function findUnknownRoles(definitions: Roles, names: readonly string[]): Promise<string[]> {
  const isKnown = await inBatches(names, async (name) => (await definitions.imports(name)) !== undefined);
  return names.filter((_, index) => !isKnown[index]);
}

async function inBatches<T>(items: readonly string[], work: (item: string) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let start = 0; start < items.length; start += CONCURRENCY) {
    results.push(...(await Promise.all(items.slice(start, start + CONCURRENCY).map(work))));
  }
  return results;
}
