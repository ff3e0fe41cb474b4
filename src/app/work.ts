import type { Audit, AuditTrail, StoredEntry } from '../domain/audit.ts';
import type { Work } from '../rest/requestScope.ts';
import { createHandlers, handlerOf } from './createHandlers.ts';
import type { SiteDependencies } from './dependencies.ts';

/** Handlers for one row, and the entry that takes note of what they change. Cheap: nothing is loaded here. */
export function openWork(deps: SiteDependencies, trail: AuditTrail): Work {
  let entry: StoredEntry | undefined;
  const audit: Audit = {
    saw: (change) => entry?.saw(change),
    own: (work, doIt) => trail.own(work, doIt),
  };
  const handlers = createHandlers({ ...deps, stores: { ...deps.stores, audit } });
  return {
    handler: (row) => handlerOf(handlers, row),
    record(call) {
      entry = trail.open(call);
      return entry;
    },
  };
}
