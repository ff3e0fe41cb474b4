import type { ErrorCode, Failure, FieldProblem, PlatformMessages } from './schemas.ts';
import type { OperationId } from './types.ts';

/** What is known of a call that is under way. */
export interface Calling {
  readonly operation: OperationId;
  tries: number;
  /** Whether any try may have reached the server. */
  wasSent: boolean;
}

/**
 * A call that the app or the platform has refused. `code` is one of the documented error codes; the platform's own refusals (a
 * session that has ended, say) have none. A newer app may answer codes that these types do not know yet.
 */
export class MlExtensionError extends Error {
  override readonly name = 'MlExtensionError';
  readonly operation: OperationId;
  readonly status: number;
  readonly code: ErrorCode | undefined;
  /** What a person can do about it. */
  readonly remedy: string | undefined;
  /** Leads to the lines in the log of the app. */
  readonly requestId: string | undefined;
  /** Problems by field (400). */
  readonly errors: FieldProblem[];
  /** Seconds after which another try makes sense, if the server has said so. */
  readonly retryAfter: number | undefined;
  /** After more than one try, `not_found` for a deletion may mean that an earlier try has deleted it. */
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

/** Whether the app has refused a call with this code; without one, with any. */
export function isFailure<Code extends ErrorCode = ErrorCode>(
  error: unknown,
  code?: Code,
): error is MlExtensionError & { readonly code: Code; readonly body: Failure } {
  return error instanceof MlExtensionError && error.code !== undefined && (code === undefined || error.code === code);
}

/**
 * - `timeout`: the time of the call was over
 * - `network`: no connection, or one that broke before the answer began
 * - `cut_off`: the answer broke off
 * - `redirect`: the answer leads elsewhere; nothing was sent there
 * - `unexpected_answer`: something that the app does not say, such as a proxy's HTML page or broken JSON
 * - `too_large`: the answer has more than `maxReplyBytes`
 */
export type TransportProblem = 'timeout' | 'network' | 'cut_off' | 'redirect' | 'unexpected_answer' | 'too_large';

interface Circumstances {
  status?: number | undefined;
  retryAfter?: number | undefined;
  isTransient?: boolean;
  cause?: unknown;
}

/** A call without an answer of the app. A call that was aborted rejects with its signal's reason instead. */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  readonly operation: OperationId;
  readonly problem: TransportProblem;
  /** Of the answer, if one had begun. */
  readonly status: number | undefined;
  /** Seconds after which another try makes sense, if the server has said so. */
  readonly retryAfter: number | undefined;
  /** False when nothing can have reached the server. Otherwise a write may have been done: read before you repeat it. */
  readonly mayBeDone: boolean;
  /** Whether it may pass by itself. */
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
