import type { AuditTrail } from '../../domain/audit/audit.ts';
import type { RequestScope } from '../../rest/requestScope.ts';
import type { SiteDependencies } from '../dependencies/dependencies.ts';
import { openWork } from './work.ts';

type Common = Pick<RequestScope, 'sessions' | 'settings' | 'accessLists' | 'assertCurrentSchema' | 'admission'>;

export const scopeOf = (deps: SiteDependencies, common: Common, trail: AuditTrail): RequestScope => ({
  ...common,
  work: () => openWork(deps, trail),
});
