import { objectOf, type SplunkdClient, unexpectedReply } from '../client.ts';

/**
 * Whether roles may search an index. As the platform reads `srchIndexesAllowed`: `*` alone does not stand for indexes that begin
 * with `_`, and `srchIndexesDisallowed` wins.
 * @param roles with the imported ones
 */
export function indexRule(roles: readonly { allowed: readonly string[]; disallowed: readonly string[] }[]) {
  const fits = (patterns: readonly string[], index: string): boolean =>
    patterns.some((pattern) => matches(pattern, index));
  const allowed = roles.flatMap((role) => role.allowed);
  const disallowed = roles.flatMap((role) => role.disallowed);
  return (index: string): boolean => fits(allowed, index) && !fits(disallowed, index);
}

function matches(pattern: string, index: string): boolean {
  if (index.startsWith('_') && !pattern.startsWith('_')) return false;
  const parts = pattern.split('*');
  const [first = ''] = parts;
  if (!index.startsWith(first)) return false;
  if (parts.length === 1) return index === pattern;
  let from = first.length;
  for (const part of parts.slice(1, -1)) {
    const place = index.indexOf(part, from);
    if (place < 0) return false;
    from = place + part.length;
  }
  const last = parts.at(-1) as string;
  return index.length - last.length >= from && index.endsWith(last);
}

/**
 * Reads what the roles of a caller may search, with the system token, since a caller may not read roles.
 * @throws Fault `store_unavailable`
 */
export async function readIndexRule(client: SplunkdClient, systemToken: string, roles: readonly string[]) {
  const definitions = await Promise.all(
    roles.map(async (role) => {
      const endpoint = `authorization/roles/${encodeURIComponent(role)}`;
      const reply = await client.call({ method: 'GET', endpoint, token: systemToken, namespace: 'services' });
      if (reply.status === 404) return { allowed: [], disallowed: [] };
      if (reply.status !== 200) throw unexpectedReply('a read of a role', reply);
      const { entry } = objectOf(reply) as { entry?: { content?: Record<string, unknown> }[] };
      const content = entry?.[0]?.content ?? {};
      const of = (name: string) => [...listOf(content[name]), ...listOf(content[`imported_${name}`])];
      return { allowed: of('srchIndexesAllowed'), disallowed: of('srchIndexesDisallowed') };
    }),
  );
  return indexRule(definitions);
}

const listOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value.map(String) : typeof value === 'string' ? value.split(';') : []).filter(Boolean);
