import type { Json } from '../contract/basics.ts';
import type { Caller } from '../contract/caller.ts';
import type { Fault } from '../contract/codes/faults.ts';
import { stringifyExact } from '../contract/exactJson.ts';
import type { CompiledRow } from '../contract/rows/compiled.ts';
import type { InternalCall, InternalCalls } from '../contract/rows/internalCalls.ts';
import { bodyProblems } from './body.ts';
import { applyPlan, depthProblems } from './plan.ts';
import { success } from './reply.ts';
import type { CallInput } from './request.ts';
import type { RequestScope } from './requestScope.ts';
import { assertGate, beginRow, callRow, draftRow } from './rowCall.ts';

interface InternalCallOptions {
  rows: readonly CompiledRow[];
  scope: RequestScope;
  identity: Caller;
  requestId: string;
  undeclared(id: string, paths: string[]): void;
  /** Converts an error of a call to a fault. */
  faultOf(id: string, thrown: unknown): Fault;
}

/** Calls of endpoints within a request, as its caller. */
export function createInternalCalls(options: InternalCallOptions): InternalCalls {
  const { rows, scope, identity, requestId, undeclared } = options;
  const rowOf = (id: string): CompiledRow => {
    const row = rows.find((each) => each.id === id);
    if (!row) throw new Error(`Unknown endpoint ${id}`);
    return row;
  };
  const calls: InternalCalls = {
    assertGate: (id) => assertGate(rowOf(id), identity),
    async perform(id, call) {
      const row = rowOf(id);
      try {
        const begun = beginRow(row, call.params ?? {}, scope);
        const { value, warnings } = await callRow(begun, {
          rows,
          input: toInput(row, call),
          identity,
          calls,
          requestId,
          isImport: call.isImport,
        });
        return success(row, value, warnings, (paths) => undeclared(id, paths)).payload as Json;
      } catch (thrown) {
        throw options.faultOf(id, thrown);
      }
    },
    async draft(id, call, isPlanned) {
      const row = rowOf(id);
      try {
        const begun = beginRow(row, call.params ?? {}, scope);
        return await draftRow(begun, { rows, input: toInput(row, call), identity, calls, requestId }, isPlanned);
      } catch (thrown) {
        throw options.faultOf(id, thrown);
      }
    },
    known(id, body) {
      const unknown: string[] = [];
      return { body: applyPlan(body, rowOf(id).bodyPlan ?? {}, unknown) as Json, unknown };
    },
    async problems(id, body) {
      const row = rowOf(id);
      const deep = row.judgesDepth ? [] : depthProblems(body, row.bodyPlan ?? {});
      if (deep.length > 0) return deep;
      const { body: validate } = await row.checks();
      return validate ? bodyProblems(row, validate, body) : [];
    },
  };
  return calls;
}

/** Serializes the body like a client, so that limits and errors are the same. */
function toInput({ wrapped }: CompiledRow, { query = {}, body, condition }: InternalCall): CallInput {
  const payload = wrapped && body ? { payload: body } : body;
  return {
    query: Object.entries(query),
    headers: condition === undefined ? [] : [['If-Match', String(condition)]],
    body: payload === undefined ? undefined : Buffer.from(stringifyExact(payload)),
  };
}
