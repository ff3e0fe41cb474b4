import type { Caller } from '../contract/caller.ts';
import { passes, required } from '../contract/capabilities.ts';
import type { Checks, CompiledRow } from '../contract/compiled.ts';
import { Fault } from '../contract/faults.ts';
import { type FeatureFlag, isFlagOnNow } from '../contract/flags.ts';
import type { AnyHandler } from '../contract/handlers.ts';
import type { Json } from '../contract/json.ts';
import type { OwnCalls } from '../contract/ownCalls.ts';
import type { Settings } from '../ports/settings.ts';
import { check } from './body.ts';
import { Recording } from './recording.ts';
import type { Sent } from './request.ts';
import type { RequestScope, Work } from './requestScope.ts';

/** A row whose code is being loaded. */
export interface BegunRow {
  work: Work;
  loading: Promise<[Checks, AnyHandler]>;
}

export function beginRow(row: CompiledRow, scope: RequestScope): BegunRow {
  const work = scope.work();
  return { work, loading: Promise.all([row.checks(), work.handler(row)]) };
}

/** Has the handler begin with its first read, of a record that the path names. What is wrong with the path is told by the call. */
export async function readAhead(begun: BegunRow, sent: Readonly<Record<string, string>>): Promise<void> {
  const [checks, { ahead }] = await begun.loading;
  if (!ahead) return;
  const params: Json = Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, value.trim()]));
  if ((checks.params?.(params) ?? []).length === 0) ahead(params as never);
}

export interface RowCall {
  row: CompiledRow;
  params: Json;
  sent: Sent;
  /** The caller as the platform knows them: with the roles that they have themselves. */
  identity: Caller;
  scope: RequestScope;
  /** For calls that this one makes. */
  calls: OwnCalls;
  requestId: string;
  /** Where that was done before. */
  begun?: BegunRow;
}

/**
 * One call of a row by a known caller: gate (403), flag (403), checks (400, 413), audit (503), handler. Requests and the app's own calls in a
 * caller's name come through here, and nothing else calls a handler.
 * @throws Fault
 */
export async function callRow(call: RowCall): Promise<{ value: object; warnings: string[] }> {
  const { row, params, sent, identity, scope, calls, begun = beginRow(row, scope) } = call;
  const recording = Recording.of({ ...call, work: begun.work });
  try {
    assertGate(row, identity);
    if (row.flag) await assertFlag(row.flag, scope.settings);
    const [checks, handler] = await begun.loading;
    const { acl } = row;
    const { accessLists } = scope;
    const caller = acl ? await accessLists.callerWithRoles(identity) : identity;
    const lookUp = acl ? (body: unknown) => accessLists.problems(acl, caller, body) : undefined;
    const checked = await check(row, checks, params, sent, handler.rules, lookUp);
    const newId = globalThis.crypto.randomUUID().replaceAll('-', '');
    await recording?.begin(checked, newId);
    const value = await handler({ ...checked, caller, newId, calls });
    await recording?.succeeded(value, checked.warnings);
    return { value, warnings: checked.warnings };
  } catch (thrown) {
    await recording?.failed(thrown);
    throw thrown;
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
  if (await isFlagOnNow(flag, settings)) return;
  throw new Fault('feature_disabled', `The feature ${flag} is switched off in ml_extension.conf [feature_flags]`);
}
