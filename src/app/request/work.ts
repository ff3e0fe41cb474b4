import { type AuditTrail, createAudit } from '../../domain/audit/audit.ts';
import type { Work } from '../../rest/requestScope.ts';
import type { SiteDependencies } from '../dependencies/dependencies.ts';
import { createHandlers, handlerOf } from './createHandlers.ts';

/** The handlers of one call with its audit entry; nothing is loaded here. */
export function openWork(deps: SiteDependencies, trail: AuditTrail): Work {
  const { audit, record } = createAudit(trail);
  const handlers = createHandlers({ ...deps, stores: { ...deps.stores, audit } });
  return { handler: (row) => handlerOf(handlers, row), record };
}
