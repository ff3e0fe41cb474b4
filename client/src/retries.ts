import { MlExtensionError, type TransportError } from './errors.ts';
import { operations } from './operations.ts';
import type { Failure } from './schemas.ts';
import type { AnyInput, OperationId } from './types.ts';

/**
 * When a call is retried automatically.
 *
 * 1. Nothing has reached the app (connection refused, unknown host, a 429 of the platform itself): any operation.
 * 2. The answer was lost, or the server is not ready (503, 429 of the app, a proxy's 502 or 504): only operations that are safe to repeat.
 *    - GET, and the POSTs below: they only read, only test, or are idempotent.
 *    - PUT and DELETE without a version. With one, a retry after a successful first try would report a false conflict.
 *    - Not a PUT with `verify`: its test may rotate a refresh token, and servers treat a reused one as stolen.
 *    - Not `deleteContainer`: the model may have been restarted meanwhile.
 *
 * A write may have succeeded in spite of `store_unavailable` (the app lost the store's answer) or `rate_limited` (an agent's record
 * is written before the cloud call). Therefore no other POST is retried.
 */
const REPEATABLE_POSTS: ReadonlySet<OperationId> = new Set<OperationId>([
  'getContainerLogs',
  'followAgent',
  'setCtsmFeature',
  'acknowledgeCtsm',
  'checkConnectionHealth',
  'importConfiguration',
  'indexDocuments',
  'deleteDocuments',
]);

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5000;

/** Whether a retry may succeed and is safe. */
export function shouldRetry(failure: MlExtensionError | TransportError, input: AnyInput): boolean {
  const { operation } = failure;
  if (failure instanceof MlExtensionError) return isPassing(failure) && isSafeToRepeat(operation, input);
  return failure.isTransient && (!failure.mayBeDone || isSafeToRepeat(operation, input));
}

/** A disabled KV store, for one, does not become available by waiting. */
const isPassing = ({ status, body }: MlExtensionError): boolean =>
  (status === 503 || status === 429) && (body as Partial<Failure>).should_retry !== false;

function isSafeToRepeat(id: OperationId, input: AnyInput): boolean {
  const { method } = operations[id];
  if (method === 'GET') return true;
  if (method === 'POST') return REPEATABLE_POSTS.has(id);
  return id !== 'deleteContainer' && !hasVersion(input) && input.query?.verify !== true;
}

const hasVersion = ({ ifMatch, query, body }: AnyInput): boolean =>
  [ifMatch, query?.version, (body as { version?: unknown } | undefined)?.version].some(
    (version) => version !== undefined,
  );

/** Milliseconds before the next try: exponential backoff with jitter, plus the server's Retry-After. */
export function pauseBefore({ tries, retryAfter = 0 }: MlExtensionError | TransportError): number {
  const usual = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (tries - 1));
  return usual * (0.5 + Math.random() / 2) + retryAfter * 1000;
}
