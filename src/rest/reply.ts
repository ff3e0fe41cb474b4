import { remedyOf } from '../contract/codes/codes.ts';
import { Fault } from '../contract/codes/faults.ts';
import { OutboundError } from '../contract/codes/outbound.ts';
import { withoutRepeats } from '../contract/codes/warnings.ts';
import type { CompiledRow } from '../contract/rows/compiled.ts';
import { RawReply } from '../contract/rows/rawReply.ts';
import { limitPageSize } from './pageBound.ts';
import { applyPlan } from './plan.ts';
import type { RestReply } from './request.ts';

const ENVELOPE = ['status', 'message', 'error_code', 'warnings'] as const;

/**
 * Wraps a handler's result in the envelope and prunes it to the schema, so that undeclared fields are never sent.
 * @param undeclared called with the dropped paths
 */
export function success(
  row: CompiledRow,
  value: object,
  warnings: readonly string[],
  undeclared: (paths: string[]) => void,
): RestReply {
  const dropped: string[] = [];
  if (value instanceof RawReply) {
    const { status, headers, payload } = value;
    return { status, headers: { ...headers }, payload };
  }
  if (row.bare) return { status: 200, headers: {}, payload: applyPlan(value, row.replyPlan, dropped) };
  const result: Record<string, unknown> = { ...value };
  const envelope: Record<string, unknown> = {};
  for (const key of ENVELOPE) {
    if (result[key] !== undefined) envelope[key] = result[key];
    delete result[key];
  }
  // A failed test has a remedy, like a failed request.
  const remedy = envelope.status === 'fail' ? remedyOf(envelope.error_code) : undefined;
  const pruned = applyPlan(result, row.replyPlan, dropped) as Record<string, unknown>;
  if (dropped.length > 0) undeclared(dropped);
  return {
    status: 200,
    headers: {},
    payload: {
      status: 'success',
      message: 'OK',
      ...envelope,
      ...(remedy ? { remedy } : {}),
      ...limitPageSize(pruned, row.replyPlan),
      ...(warnings.length > 0 ? { warnings: withoutRepeats(warnings) } : {}),
    },
  };
}

/** The body of a failure; the platform's client libraries print `messages`. */
export function failure(fault: Fault, requestId: string): RestReply {
  return {
    status: fault.status,
    headers: { ...fault.headers, ...retryAfter(fault) },
    payload: {
      status: 'fail',
      message: fault.message,
      error_code: fault.code,
      remedy: remedyOf(fault.code, fault.extra.reason),
      request_id: requestId,
      messages: [{ type: 'ERROR', text: fault.message }],
      ...fault.extra,
    },
  };
}

function retryAfter(fault: Fault): Record<string, string> {
  const seconds = fault.extra.retry_after;
  return typeof seconds === 'number' ? { 'Retry-After': String(Math.ceil(seconds)) } : {};
}

/** Converts any error to a Fault. Other errors are bugs, whose text is only logged. */
export function asFault(thrown: unknown, bug: (error: unknown) => void): Fault {
  if (thrown instanceof Fault) {
    if (thrown.code === 'internal_error') bug(thrown);
    return thrown;
  }
  if (thrown instanceof OutboundError) return Fault.of(thrown);
  bug(thrown);
  return new Fault('internal_error', 'Internal error. The log has the cause under the request_id.');
}

/** The stack without the message, which may quote a value. */
export function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const frames = (error.stack ?? '').split('\n').filter((line) => line.trimStart().startsWith('at '));
  return `${error.name} ${frames
    .slice(0, 6)
    .map((line) => line.trim())
    .join(' | ')}`;
}
