/** A failure of one item. */
export interface Failure {
  error_code: string;
  message: string;
}

/** One entry of a batch's result. */
export type ItemAnswer =
  | { status: 'done'; response: Readonly<Record<string, unknown>> }
  | { status: 'not_reached' }
  | (Failure & { status: 'failed'; shouldRetry: boolean; retryAfter?: number });

/** Reads the entries of a batch's result by their ids. */
export function readAnswers(result: unknown): Map<string, ItemAnswer> {
  const entries = (Array.isArray(result) ? result : []) as Readonly<Record<string, unknown>>[];
  return new Map(entries.map((entry) => [String(entry.id), readAnswer(entry)]));
}

function readAnswer(entry: Readonly<Record<string, unknown>>): ItemAnswer {
  if (entry.status === 'done') return { status: 'done', response: Object(entry.response) };
  if (entry.status === 'not_reached') return { status: 'not_reached' };
  const { error_code = 'upstream_error', message = 'No reason given', should_retry, retry_after } = entry;
  const failure = { error_code: String(error_code), message: String(message), shouldRetry: should_retry === true };
  return { status: 'failed', ...failure, ...(typeof retry_after === 'number' ? { retryAfter: retry_after } : {}) };
}
