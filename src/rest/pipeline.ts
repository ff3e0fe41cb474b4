import { Unauthenticated } from '../contract/caller.ts';
import type { CompiledRow } from '../contract/rows/compiled.ts';
import type { Log } from '../ports/platform/log.ts';
import { createInternalCalls } from './internalCalls.ts';
import { asFault, failure, stackOf, success } from './reply.ts';
import type { RestReply, RestRequest } from './request.ts';
import type { RequestScope } from './requestScope.ts';
import { route } from './router.ts';
import { beginRow, callRow } from './rowCall.ts';

export interface PipelineOptions {
  rows: readonly CompiledRow[];
  scope(request: RestRequest): RequestScope;
  log: Log;
  newId(): string;
  /** Tests fail on a reply with an undeclared field; production cuts it off and logs. */
  strictReplies: boolean;
}

/** The platform's own words for a session that is not (or no longer) valid. */
const UNAUTHENTICATED: RestReply = {
  status: 401,
  headers: {},
  payload: { messages: [{ type: 'WARN', text: 'call not properly authenticated' }] },
};

/**
 * The path of every request: route (404, 405), gate (403), flag (403), body (400, 413), handler, pruned reply.
 * Never throws.
 */
export function pipeline(options: PipelineOptions): (request: RestRequest) => Promise<RestReply> {
  const { rows, log, strictReplies } = options;
  return async (request) => {
    const requestId = options.newId();
    const faultOf = (endpoint: string | undefined, thrown: unknown) =>
      asFault(thrown, (error) => log.error('bug', { request_id: requestId, endpoint, cause: stackOf(error) }));
    let row: CompiledRow | undefined;
    try {
      if (request.sessionToken === undefined) return UNAUTHENTICATED;
      const found = route(rows, request.method, request.path);
      row = found.row;
      const scope = options.scope(request);
      const asking = scope.sessions.whoami(request.sessionToken);
      // The row's code is loaded while the platform is asked who the caller is.
      const begun = beginRow(row, found.params, scope);
      const identity = await asking;
      if (!row.storeless) await scope.assertCurrentSchema();
      const calls = createInternalCalls({ rows, scope, identity, requestId, undeclared, faultOf });
      const { value, warnings } = await callRow(begun, { input: request, identity, calls, requestId });
      const { id } = row;
      return success(row, value, warnings, (paths) => undeclared(id, paths));
    } catch (thrown) {
      if (thrown instanceof Unauthenticated) return UNAUTHENTICATED;
      const fault = faultOf(row?.id, thrown);
      log.info('failed', { request_id: requestId, endpoint: row?.id ?? null, status: fault.status, code: fault.code });
      return failure(fault, requestId);
    }
  };

  function undeclared(id: string, paths: string[]): void {
    if (strictReplies) throw new Error(`Undeclared fields in the reply of ${id}: ${paths.join(', ')}`);
    log.warn('undeclared_fields', { endpoint: id, fields: paths });
  }
}
