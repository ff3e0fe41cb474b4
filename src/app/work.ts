import type { AuditEntry, AuditedCall } from '../contract/audit.ts';
import type { Audit, AuditTrail, StoredEntry } from '../domain/audit.ts';
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
  return {
    ...handlersOf(deps, audit),
    record(opened) {
      call = opened;
      entry = trail.open(opened);
      return entry;
    },
  };
}

const rehearsed = (deps: SiteDependencies): Work => ({ ...handlersOf(deps, UNSEEN), record: () => NO_ENTRY });

function handlersOf(deps: SiteDependencies, audit: Audit): Pick<Work, 'handler'> {
  const handlers = createHandlers({ ...deps, stores: { ...deps.stores, audit } });
  return { handler: (row) => handlerOf(handlers, row) };
}

const UNSEEN: Audit = {
  saw: () => {},
  own: (_work, doIt) => doIt(() => {}),
  part: async (_work, doIt) => void (await doIt()),
};

const NO_ENTRY: AuditEntry = {
  isBegun: true,
  name: () => {},
  versions: () => {},
  begin: async () => {},
  end: async () => true,
};
