import type { Json } from '../contract/basics.ts';
import type { Caller } from '../contract/caller.ts';
import { passes, required } from '../contract/capabilities.ts';
import { Fault } from '../contract/codes/faults.ts';
import type { Checks, CompiledRow } from '../contract/rows/compiled.ts';
import type { AnyHandler } from '../contract/rows/handlers.ts';
import type { InternalCalls, IsPlanned } from '../contract/rows/internalCalls.ts';
import { type FeatureFlag, isFlagOnNow } from '../contract/settings/flags.ts';
import type { Settings } from '../ports/stores/settings.ts';
import { check } from './body.ts';
import { Recording, uncheckedBody } from './recording.ts';
import type { CallInput } from './request.ts';
import type { RequestScope, Work } from './requestScope.ts';
import { deleteUnreadable, leftOutWarnings } from './unreadable.ts';

/** A call whose handler is being loaded. */
interface BegunRow {
  row: CompiledRow;
  params: Json;
  scope: RequestScope;
  work: Work;
  loading: Promise<LoadedRow>;
}

interface LoadedRow {
  checks: Checks;
  handler: AnyHandler;
}

export function beginRow(row: CompiledRow, pathParams: Json, scope: RequestScope): BegunRow {
  const work = scope.work();
  const params = Object.fromEntries(Object.entries(pathParams).map(([name, value]) => [name, trimmed(value)]));
  const loading = Promise.all([row.checks(), work.handler(row)]).then(([checks, handler]) => ({ checks, handler }));
  // A request that fails earlier never awaits this.
  loading.catch(() => {});
  return { row, params, scope, work, loading };
}

const trimmed = (value: unknown): unknown => (typeof value === 'string' ? value.trim() : value);

interface RowCall {
  rows: readonly CompiledRow[];
  input: CallInput;
  /** The caller with direct roles only. */
  identity: Caller;
  calls: InternalCalls;
  requestId: string;
  isImport?: boolean | undefined;
}

/**
 * Calls an endpoint: gate and flag (403), validation (400, 413), audit (503), handler. Every call of a handler goes through here.
 * @throws Fault
 */
export async function callRow(begun: BegunRow, call: RowCall): Promise<{ value: object; warnings: string[] }> {
  const recording = Recording.of({ ...begun, ...call });
  try {
    const { handler, checked, caller } = await checkedCall(begun, call);
    if (begun.row.admitted) await begun.scope.admission.enter();
    const created = lazyId();
    await recording?.begin(checked, created);
    const value = await handled(begun, caller, checked, () =>
      handler({
        ...checked,
        caller,
        created,
        calls: call.calls,
        requestId: call.requestId,
        isImport: call.isImport,
      }),
    );
    await recording?.succeeded(value, checked.warnings);
    const warnings = [...checked.warnings, ...leftOutWarnings(call.rows, caller, begun.scope.leftOut())];
    return { value, warnings };
  } catch (thrown) {
    await recording?.failed(thrown);
    await reportRefusal(begun, call, thrown);
    throw thrown;
  }
}

/** Bodies that are too large are read for their names alone. */
const MAX_REFUSED = 8 * 1024 * 1024;

async function reportRefusal({ row, loading }: BegunRow, { input, identity }: RowCall, thrown: unknown): Promise<void> {
  const { refused } = await loading.then(
    ({ handler }) => handler,
    // The failure to load it is what was thrown.
    (): Pick<AnyHandler, 'refused'> => ({}),
  );
  if (refused) await refused({ caller: identity, body: uncheckedBody(row, input, MAX_REFUSED) }, thrown);
}

/** Runs the handler, and deletes a record that is too damaged for it. */
async function handled(
  { row, scope }: BegunRow,
  caller: Caller,
  { params, query, body }: { params: unknown; query: unknown; body: unknown },
  work: () => Promise<object>,
): Promise<object> {
  try {
    return await work();
  } catch (thrown) {
    const deleted = await deleteUnreadable(row, scope, caller, [params, query, body] as Json[], thrown);
    if (!deleted) throw thrown;
    return deleted;
  }
}

/** Like `callRow`, but calls the handler's draft and audits nothing. @throws Fault */
export async function draftRow(
  begun: BegunRow,
  call: RowCall,
  isPlanned: IsPlanned,
): Promise<{ config: Json; warnings: string[] }> {
  const { handler, checked, caller } = await checkedCall(begun, call);
  if (!handler.draft) throw new Error(`The endpoint ${begun.row.id} has no draft`);
  const context = { ...checked, caller, created: lazyId(), calls: call.calls, isPlanned };
  const config = await handler.draft(context as never);
  // Drops undefined values, as storing would.
  return { config: JSON.parse(JSON.stringify(config)) as Json, warnings: checked.warnings };
}

async function checkedCall(begun: BegunRow, { input, identity }: RowCall) {
  const { row, scope } = begun;
  assertGate(row, identity);
  if (row.flag) await assertFlag(row.flag, scope.settings);
  const loaded = await begun.loading;
  const { acl, limited } = row;
  const { accessLists } = scope;
  const caller = acl ? await accessLists.callerWithRoles(identity, limited) : identity;
  const lookUp = acl ? (body: unknown) => accessLists.problems(acl, caller, body) : undefined;
  return { handler: loaded.handler, caller, checked: await check(begun, loaded, input, lookUp) };
}

/** Creates the id on first use. */
function lazyId(): { readonly id: string } {
  let id: string | undefined;
  return {
    get id() {
      id ??= globalThis.crypto.randomUUID().replaceAll('-', '');
      return id;
    },
  };
}

/** @throws Fault `missing_capability` */
export function assertGate(row: CompiledRow, caller: Caller): void {
  if (passes(row.gate, caller.capabilities)) return;
  const names = required(row.gate);
  const how = names.length > 1 ? (typeof row.gate === 'object' && 'any' in row.gate ? 'one of ' : 'all of ') : '';
  throw new Fault('missing_capability', `This requires ${how}the capability ${names.join(', ')}`, {
    required: [...names],
  });
}

async function assertFlag(flag: FeatureFlag, settings: Settings): Promise<void> {
  if (await isFlagOnNow(flag, settings)) return;
  throw new Fault('feature_disabled', `The feature ${flag} is switched off in ml_extension.conf [feature_flags]`);
}
