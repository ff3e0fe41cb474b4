import type { RequestScope } from '../rest/requestScope.ts';
import { createHandlers, handlerOf } from './createHandlers.ts';
import type { Dependencies } from './dependencies.ts';
import { rehearsed } from './rehearsal.ts';

type Common = Pick<RequestScope, 'sessions' | 'settings' | 'accessLists'>;

/** The scope of one request, and of what is rehearsed for it. */
export function scopeOf(deps: Dependencies, common: Common): RequestScope {
  const handlers = createHandlers(deps);
  return {
    ...common,
    handler: (row) => handlerOf(handlers, row),
    rehearsal() {
      const { deps: rehearsal, stage } = rehearsed(deps);
      return { ...scopeOf(rehearsal, common), stage };
    },
  };
}
