import type { AuditEntry } from '../contract/audit.ts';
import { type Audit, type AuditTrail, auditOf, UNSEEN } from '../domain/audit.ts';
import type { Work } from '../rest/requestScope.ts';
import { createHandlers, handlerOf } from './createHandlers.ts';
import type { SiteDependencies } from './dependencies.ts';

/**
 * Handlers for one row, and the entry that takes note of what they change. Cheap: nothing is loaded here.
 * @param trail none = nothing of it happens, and nothing is taken down
 */
export function openWork(deps: SiteDependencies, trail: AuditTrail | undefined): Work {
  return trail ? recorded(deps, trail) : rehearsed(deps);
}

function recorded(deps: SiteDependencies, trail: AuditTrail): Work {
  const { audit, record } = auditOf(trail);
  return { ...handlersOf(deps, audit), record };
}

const rehearsed = (deps: SiteDependencies): Work => ({ ...handlersOf(deps, UNSEEN), record: () => NO_ENTRY });

function handlersOf(deps: SiteDependencies, audit: Audit): Pick<Work, 'handler'> {
  const handlers = createHandlers({ ...deps, stores: { ...deps.stores, audit } });
  return { handler: (row) => handlerOf(handlers, row) };
}

const NO_ENTRY: AuditEntry = {
  name: () => {},
  versions: () => {},
  begin: async () => {},
  end: async () => true,
};
