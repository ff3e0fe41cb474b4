import { Fault } from '../../contract/codes/faults.ts';
import { memoizeByObject } from '../../domain/async/memoize.ts';
import { RecentMap } from '../../domain/async/recentMap.ts';
import type { HostClock } from '../../ports/platform/clock.ts';
import type { Roles } from '../../ports/platform/session.ts';
import { objectOf, type SplunkdClient, unexpectedReply } from './client.ts';

/** Access lists may follow a changed role after this time. */
const MAX_AGE_MS = 2000;
const MAX_ROLES = 1000;
/** Not allowed in role names; such a path would address another resource. */
const IMPOSSIBLE = /[\s:;/\\\p{Cc}]|^\.{1,2}$/u;

interface Definition {
  imports: readonly string[] | undefined;
  askedAt: number;
}

/** Caches role definitions for a short time. */
export class RoleDefinitions {
  readonly #knownBy = memoizeByObject((_client: SplunkdClient) => new RecentMap<Definition>(MAX_ROLES));

  for(client: SplunkdClient, token: string, clock: HostClock): Roles {
    const definitions = this.#knownBy(client);
    return {
      async imports(role) {
        if (IMPOSSIBLE.test(role)) return undefined;
        const askedAt = clock.monotonic();
        const cached = definitions.get(role);
        if (cached && askedAt - cached.askedAt < MAX_AGE_MS) return cached.imports;
        const imports = await ask(client, token, role);
        definitions.set(role, { imports, askedAt });
        return imports;
      },
    };
  }
}

/** @throws Fault `store_unavailable`, since access cannot be decided without the definition */
async function ask(client: SplunkdClient, token: string, role: string): Promise<readonly string[] | undefined> {
  const endpoint = `authorization/roles/${encodeURIComponent(role)}`;
  const reply = await client.call({ method: 'GET', endpoint, token, namespace: 'services' });
  if (reply.status === 404) return undefined;
  if (reply.status !== 200) throw unexpectedReply('a read of a role', reply);
  const { entry } = objectOf(reply) as { entry?: { name?: string; content?: { imported_roles?: unknown } }[] };
  if (!Array.isArray(entry)) throw new Fault('store_unavailable', 'The platform returned no role definition');
  const definition = entry.find(({ name }) => name === role);
  return definition && listOf(definition.content?.imported_roles);
}

/** The platform may return a single value without a list. */
function listOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.filter((item) => typeof item === 'string');
  return typeof value === 'string' && value !== '' ? [value] : [];
}
