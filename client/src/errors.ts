import type { ErrorCode, Failure, FieldProblem, PlatformMessages } from './schemas.ts';
import type { OperationId } from './types.ts';

/** State of a call in progress. */
export interface Calling {
  readonly operation: OperationId;
  tries: number;
  /** Whether any try may have reached the server. */
  wasSent: boolean;
}

/**
 * A call refused by the app or the platform. `code` is a documented error code; errors of the platform itself, such as an expired
 * session, have none. A newer app may send codes that these types lack.
 */
export class MlExtensionError extends Error {
  override readonly name = 'MlExtensionError';
  readonly operation: OperationId;
  readonly status: number;
  readonly code: ErrorCode | undefined;
  /** How to resolve the problem. */
  readonly remedy: string | undefined;
  /** Appears in the app's log. */
  readonly requestId: string | undefined;
  /** Problems by field (400). */
  readonly errors: FieldProblem[];
  /** Seconds to wait before a retry, if the server sent them. */
  readonly retryAfter: number | undefined;
  /** After several tries, `not_found` for a deletion may mean that an earlier try succeeded. */
  readonly tries: number;
  readonly body: Failure | PlatformMessages;

  constructor(
    { operation, tries }: Calling,
    status: number,
    body: Failure | PlatformMessages,
    retryAfter: number | undefined,
  ) {
    const fail = body as Partial<Failure>;
    super(fail.message ?? fail.messages?.[0]?.text ?? `The platform answered ${status}`);
    this.operation = operation;
    this.status = status;
    this.code = fail.error_code;
    this.remedy = fail.remedy;
    this.requestId = fail.request_id;
    this.errors = fail.errors ?? [];
    this.retryAfter = retryAfter ?? fail.retry_after;
    this.tries = tries;
    this.body = body;
  }
}

/** Whether the app refused a call, optionally with this code. */
export function isFailure<Code extends ErrorCode = ErrorCode>(
  error: unknown,
  code?: Code,
): error is MlExtensionError & { readonly code: Code; readonly body: Failure } {
  return error instanceof MlExtensionError && error.code !== undefined && (code === undefined || error.code === code);
}

/**
 * - `timeout`: no answer within the time limit
 * - `network`: no connection, or a connection lost before the answer began
 * - `cut_off`: the connection was lost during the answer
 * - `redirect`: the server redirected the call; redirects are not followed
 * - `unexpected_answer`: not an answer of the app, such as a proxy's HTML page or invalid JSON
 * - `busy`: 429 of the platform or a proxy, which have too many calls under way; the app has not seen this one
 * - `too_large`: the answer exceeds `maxReplyBytes`
 */
export type TransportProblem =
  | 'timeout'
  | 'network'
  | 'cut_off'
  | 'redirect'
  | 'unexpected_answer'
  | 'busy'
  | 'too_large';

interface Circumstances {
  status?: number | undefined;
  retryAfter?: number | undefined;
  isTransient?: boolean;
  cause?: unknown;
}

/** A call without an answer of the app. An aborted call rejects with its signal's reason instead. */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  readonly operation: OperationId;
  readonly problem: TransportProblem;
  /** HTTP status, if an answer had begun. */
  readonly status: number | undefined;
  /** Seconds to wait before a retry, if the server sent them. */
  readonly retryAfter: number | undefined;
  /** False if nothing reached the server. Otherwise a write may have succeeded: read the record before you repeat it. */
  readonly mayBeDone: boolean;
  /** Whether a retry may succeed. */
  readonly isTransient: boolean;
  readonly tries: number;

  constructor(calling: Calling, problem: TransportProblem, message: string, about: Circumstances = {}) {
    super(message, { cause: about.cause });
    this.operation = calling.operation;
    this.problem = problem;
    this.status = about.status;
    this.retryAfter = about.retryAfter;
    this.mayBeDone = calling.wasSent;
    this.isTransient = about.isTransient ?? false;
    this.tries = calling.tries;
  }
}
