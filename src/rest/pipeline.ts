import { type Caller, UnauthenticatedError } from '../contract/caller.ts';
import { Fault } from '../contract/codes/faults.ts';
import type { CompiledRow } from '../contract/rows/compiled.ts';
import type { Log } from '../ports/platform/log.ts';
import type { Sessions } from '../ports/platform/session.ts';
import { createInternalCalls } from './internalCalls.ts';
import { asFault, failure, stackOf, success } from './reply.ts';
import type { RestReply, RestRequest } from './request.ts';
import type { RequestScope } from './requestScope.ts';
import { route } from './router.ts';
import { beginRow, callRow } from './rowCall.ts';

export interface PipelineOptions<S extends RequestScope> {
  rows: readonly CompiledRow[];
  scope(request: RestRequest): S;
  /** Completes each reply. @param scope undefined if the request failed before it had one */
  finish?(reply: RestReply, request: RestRequest, requestId: string, scope: S | undefined): RestReply;
  log: Log;
  newId(): string;
  /** Throw on undeclared fields in replies (tests) instead of dropping and logging them. */
  strictReplies: boolean;
}

/** Same body as the platform's 401. */
const UNAUTHENTICATED: RestReply = {
  status: 401,
  headers: {},
  payload: { messages: [{ type: 'WARN', text: 'call not properly authenticated' }] },
};

/** Handles a request: route (404, 405), gate and flag (403), body (400, 413), handler, pruned reply. Never throws. */
export function pipeline<S extends RequestScope>(
  options: PipelineOptions<S>,
): (request: RestRequest) => Promise<RestReply> {
  const { rows, log, strictReplies, finish = (reply: RestReply) => reply } = options;
  const end: typeof finish = (reply, request, ...more) => {
    const finished = finish(reply, request, ...more);
    return request.method === 'HEAD' ? { ...finished, payload: '' } : finished;
  };
  return async (request) => {
    const requestId = options.newId();
    const faultOf = (endpoint: string | undefined, thrown: unknown) =>
      asFault(thrown, (error) => log.error('bug', { request_id: requestId, endpoint, cause: stackOf(error) }));
    let row: CompiledRow | undefined;
    let scope: S | undefined;
    let identity: Caller | undefined;
    try {
      if (request.sessionToken === undefined) return UNAUTHENTICATED;
      const match = route(rows, request.method, request.path);
      row = match.row;
      scope = options.scope(request);
      const whoami = scope.sessions.whoami(request.sessionToken);
      // Loads the handler while the platform looks up the caller.
      const begun = beginRow(row, match.params, scope);
      identity = await whoami;
      if (!row.storeless) await scope.assertCurrentSchema();
      const calls = createInternalCalls({ rows, scope, identity, requestId, undeclared, faultOf });
      const { value, warnings } = await callRow(begun, { rows, input: request, identity, calls, requestId });
      const { id } = row;
      return end(
        success(row, value, warnings, (paths) => undeclared(id, paths)),
        request,
        requestId,
        scope,
      );
    } catch (thrown) {
      if (thrown instanceof UnauthenticatedError) return UNAUTHENTICATED;
      const fault = await explained(faultOf(row?.id, thrown), identity, scope?.sessions, request);
      const { status, code, extra, cause } = fault;
      const origin = (cause as { code?: unknown } | undefined)?.code;
      const details = {
        ...(extra.reason !== undefined && { reason: extra.reason }),
        ...(origin !== undefined && { origin }),
      };
      log.info('failed', { request_id: requestId, endpoint: row?.id ?? null, status, code, ...details });
      return end(failure(fault, requestId), request, requestId, scope);
    } finally {
      scope?.admission.leave();
    }
  };

  function undeclared(id: string, paths: string[]): void {
    if (strictReplies) throw new Error(`Undeclared fields in the reply of ${id}: ${paths.join(', ')}`);
    log.warn('undeclared_fields', { endpoint: id, fields: paths });
  }
}

/** A refusal to a user who has no capabilities at all names the licence, if that is why. */
async function explained(
  fault: Fault,
  caller: Caller | undefined,
  sessions: Sessions | undefined,
  { sessionToken = '' }: Pick<RestRequest, 'sessionToken'>,
): Promise<Fault> {
  if (fault.code !== 'missing_capability' || caller?.capabilities.length !== 0) return fault;
  if (!(await sessions?.isFree(sessionToken))) return fault;
  const message = 'This is Splunk Free, which gives nobody capabilities, not even administrators';
  return new Fault(fault.code, message, { ...fault.extra, reason: 'splunk_free' });
}
