import { CODES, type FaultCode } from './codes.ts';
import type { OutboundError } from './outbound.ts';

/** Codes of a write or an inline test of a record with secrets. */
export const SECRET_FAULTS = ['masked_value_without_stored_secret', 'secret_required_for_new_host'] as const;

export interface Problem {
  /** Dotted path of the field, `$header.If-Match` style names for headers. */
  field: string;
  message: string;
}

/**
 * A failure reported to the caller. `message` never contains a secret or a part of the body.
 * Any other error except an OutboundError is a bug and becomes `internal_error`.
 */
export class Fault extends Error {
  readonly code: FaultCode;
  readonly status: number;
  /** Further keys of the reply: `errors`, `required`, `used_by`, `current_version` … */
  readonly extra: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: FaultCode,
    message: string,
    extra: Record<string, unknown> = {},
    options: { headers?: Record<string, string>; cause?: unknown; status?: number } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'Fault';
    this.code = code;
    this.status = options.status ?? CODES[code].status;
    this.extra = extra;
    this.headers = options.headers ?? {};
  }

  /** An outbound failure that fails the whole request. */
  static of(error: OutboundError, extra: Record<string, unknown> = {}): Fault {
    const { code, message, retryAfter, param, filterResult, mayBeDone } = error;
    const details = {
      ...(retryAfter === undefined ? {} : { retry_after: retryAfter }),
      ...(param === undefined ? {} : { param }),
      ...(filterResult === undefined ? {} : { innererror: filterResult }),
      ...(mayBeDone ? { should_retry: false } : {}),
    };
    return new Fault(code, message, { ...details, ...extra }, { cause: error });
  }
}

/** Adds a sentence to a message, which has no full stop while it is a single sentence. */
export const withSentence = (message: string, sentence: string): string => `${message.replace(/\.$/, '')}. ${sentence}`;

/** Limits of one reply; further problems are only counted. */
const MAX_ERRORS = 1000;
const MAX_NAMED = 50;

/** 400 with every problem. The message names the fields, since some clients print nothing else. */
export function invalid(problems: readonly Problem[], extra: Record<string, unknown> = {}): Fault {
  const texts = new Map(problems.map((problem) => [`${problem.field}: ${problem.message}`, problem]));
  const named = [...texts.keys()].slice(0, MAX_NAMED);
  const more = texts.size - named.length;
  const text = [...named, ...(more > 0 ? [`${more} more problems`] : [])].join('; ');
  return new Fault('validation_failed', text, { errors: [...texts.values()].slice(0, MAX_ERRORS), ...extra });
}
