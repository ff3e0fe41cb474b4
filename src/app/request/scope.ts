import { type AuditTrail, createAudit } from '../../domain/audit/audit.ts';
import type { RequestScope } from '../../rest/requestScope.ts';
import type { SiteDependencies } from '../dependencies/dependencies.ts';
import { createHandlers, handlerOf } from './createHandlers.ts';

type Common = Pick<RequestScope, 'sessions' | 'settings' | 'accessLists' | 'assertCurrentSchema' | 'admission'>;

/** Each call of an endpoint gets its own audit entry. */
export const scopeOf = (deps: SiteDependencies, common: Common, trail: AuditTrail): RequestScope => ({
  ...common,
  work() {
    const { audit, record } = createAudit(trail);
    const handlers = createHandlers({ ...deps, stores: { ...deps.stores, audit } });
    return { handler: (row) => handlerOf(handlers, row), record };
  },
});
