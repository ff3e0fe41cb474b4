import type { AuditTrail } from '../domain/audit.ts';
import type { RequestScope } from '../rest/requestScope.ts';
import type { SiteDependencies } from './dependencies.ts';
import { rehearsed } from './rehearsal.ts';
import { openWork } from './work.ts';

type Common = Pick<RequestScope, 'sessions' | 'settings' | 'accessLists' | 'assertCurrentSchema'>;

/**
 * The scope of one request, and of what is rehearsed for it.
 * @param trail of what is done; none = it is a rehearsal
 */
export function scopeOf(deps: SiteDependencies, common: Common, trail?: AuditTrail): RequestScope {
  return {
    ...common,
    work: () => openWork(deps, trail),
    rehearsal() {
      const { deps: rehearsal, stage } = rehearsed(deps);
      return { ...scopeOf(rehearsal, common), stage };
    },
  };
}
