import type { Caller } from '../contract/caller.ts';
import { passes, required } from '../contract/capabilities.ts';
import type { CompiledRow } from '../contract/compiled.ts';
import { Fault } from '../contract/faults.ts';
import { type FeatureFlag, isFlagOn } from '../contract/flags.ts';
import { Unauthenticated } from '../contract/unauthenticated.ts';
import type { Log } from '../ports/log.ts';
import type { Settings } from '../ports/settings.ts';
import { check } from './body.ts';
import { Recording } from './recording.ts';
import { asFault, failure, stackOf, success } from './reply.ts';
import type { RestReply, RestRequest } from './request.ts';
import type { RequestScope } from './requestScope.ts';
import { route } from './router.ts';

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
    let row: CompiledRow | undefined;
    let recording: Recording | undefined;
    try {
      if (request.sessionToken === undefined) return UNAUTHENTICATED;
      const found = route(rows, request.method, request.path);
      row = found.row;
      const scope = options.scope(request);
      // Code is loaded while the platform is asked who the caller is; nothing of it runs before the gate.
      const work = scope.work();
      const loading = Promise.all([row.checks(), work.handler(row)]);
      loading.catch(() => {});
      const identity = await scope.sessions.whoami(request.sessionToken);
      const { params } = found;
      recording = Recording.of({ row, params, request, requestId, caller: identity, record: work.record });
      assertGate(row, identity);
      if (row.flag) await assertFlag(row.flag, scope.settings);
      const [checks, handler] = await loading;
      const { acl } = row;
      const { accessLists } = scope;
      const caller = acl ? await accessLists.callerWithRoles(identity) : identity;
      const lookUp = acl ? (body: unknown) => accessLists.problems(acl, caller, body) : undefined;
      const checked = await check(row, checks, params, request, handler.rules, lookUp);
      await recording?.begin(checked);
      const value = await handler({ ...checked, caller });
      await recording?.succeeded(value, checked.warnings);
      return success(row, value, checked.warnings, (paths) => undeclared(row as CompiledRow, paths));
    } catch (thrown) {
      await recording?.failed(thrown);
      if (thrown instanceof Unauthenticated) return UNAUTHENTICATED;
      const fault = asFault(thrown, (error) =>
        log.error('bug', { request_id: requestId, endpoint: row?.id, cause: stackOf(error) }),
      );
      log.info('failed', { request_id: requestId, endpoint: row?.id ?? null, status: fault.status, code: fault.code });
      return failure(fault, requestId);
    }
  };

  function undeclared(row: CompiledRow, paths: string[]): void {
    if (strictReplies) throw new Error(`Undeclared fields in the reply of ${row.id}: ${paths.join(', ')}`);
    log.warn('undeclared_fields', { endpoint: row.id, fields: paths });
  }
}

function assertGate(row: CompiledRow, caller: Caller): void {
  if (passes(row.gate, caller.capabilities)) return;
  const names = required(row.gate);
  const how = names.length > 1 ? (typeof row.gate === 'object' && 'any' in row.gate ? 'one of ' : 'all of ') : '';
  throw new Fault('missing_capability', `This needs ${how}the capability ${names.join(', ')}`, {
    required: [...names],
  });
}

async function assertFlag(flag: FeatureFlag, settings: Settings): Promise<void> {
  // Every write asks: only a refusal is worth a call to the platform.
  if (isFlagOn(flag, await settings.recent()) || isFlagOn(flag, await settings.read())) return;
  throw new Fault('feature_disabled', `The feature ${flag} is switched off in ml_extension.conf [feature_flags]`);
}
