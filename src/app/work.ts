import type { AuditedCall } from '../contract/audit.ts';
import type { Audit, AuditTrail, StoredEntry } from '../domain/audit.ts';
import type { Work } from '../rest/requestScope.ts';
import { createHandlers, handlerOf } from './createHandlers.ts';
import type { SiteDependencies } from './dependencies.ts';

/** Handlers for one row, and the entry that takes note of what they change. Cheap: nothing is loaded here. */
export function openWork(deps: SiteDependencies, trail: AuditTrail): Work {
  let entry: StoredEntry | undefined;
  let call: AuditedCall | undefined;
  const audit: Audit = {
    saw: (change) => entry?.saw(change),
    own: (work, doIt) => trail.own(work, doIt),
    async part(work, doIt) {
      if (!call) throw new Error('a part of a request that is not recorded');
      await trail.carryOut({ ...call, ...work }, doIt);
    },
  };
  const handlers = createHandlers({ ...deps, stores: { ...deps.stores, audit } });
  return {
    handler: (row) => handlerOf(handlers, row),
    record(recorded) {
      call = recorded;
      entry = trail.open(recorded);
      return entry;
    },
  };
}
