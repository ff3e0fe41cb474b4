import type { CompiledRow } from '../../contract/rows/compiled.ts';
import type { AnyHandler } from '../../contract/rows/handlers.ts';
import { usersWithRoles } from '../../domain/access/accessLists.ts';
import { type AuditTrail, createAudit } from '../../domain/audit/audit.ts';
import { CheckedRecords, UnreadableFault } from '../../domain/records/checkedRecords.ts';
import type { RequestScope } from '../../rest/requestScope.ts';
import type { Dependencies, SiteDependencies } from '../dependencies/dependencies.ts';
import { shapeOf } from './shapes.ts';

type Common = Pick<RequestScope, 'sessions' | 'settings' | 'accessLists' | 'assertCurrentSchema' | 'admission'>;

/** The handler of an endpoint; the pipeline validates its input. */
export type HandlerSource = (deps: Dependencies) => (row: CompiledRow) => Promise<AnyHandler>;

/** Each call of an endpoint gets its own audit entry. */
export function scopeOf(
  deps: SiteDependencies,
  common: Common,
  trail: AuditTrail,
  handlersOf: HandlerSource,
): RequestScope {
  const users = usersWithRoles(deps.users, deps.roles);
  const records = new CheckedRecords(deps.stores.records, shapeOf, deps.stores.log);
  return {
    ...common,
    leftOut: () => records.leftOut,
    unreadable: (thrown) => (thrown instanceof UnreadableFault ? thrown.record : undefined),
    async removeUnreadable(family, record) {
      const { removeUnreadable } = await import('../../domain/records/removeUnreadable.ts');
      await removeUnreadable(deps.stores, family, record);
    },
    work() {
      const { audit, record } = createAudit(trail);
      return { handler: handlersOf({ ...deps, users, stores: { ...deps.stores, records, audit } }), record };
    },
  };
}
