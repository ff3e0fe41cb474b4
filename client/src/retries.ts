import { MlExtensionError, type TransportError } from './errors.ts';
import { operations } from './operations.ts';
import type { AnyInput, OperationId } from './types.ts';

/**
 * When a call is sent again by itself.
 *
 * 1. Nothing has reached the server (connection refused, unknown host): any operation.
 * 2. The answer was lost, or the server is not ready (503, 429, a proxy's 502 or 504): only operations that may be done twice.
 *    - Reading is one of these. So are the POSTs below: the first only reads, a check tests again what it has tested, and the others
 *      leave, the second time, what the first time has made.
 *    - PUT and DELETE are as well, as long as they carry no version. With a version, the second try would meet what the first has
 *      done, and report a conflict with somebody else that does not exist.
 *    - Not a PUT with `verify`: its test may use up a refresh token, and a server that sees one twice takes it for stolen.
 *    - Not `deleteContainer`: the model may have been started again in between.
 *
 * `store_unavailable` is no proof that a write has not been done: the app answers it too when its own call to the store was lost.
 * Neither is `rate_limited`: an agent's record is written before its cloud is asked. Therefore no other POST is ever repeated.
 */
const REPEATABLE_POSTS: ReadonlySet<OperationId> = new Set<OperationId>([
  'getContainerLogs',
  'followAgent',
  'setCtsmFeature',
  'acknowledgeCtsm',
  'checkConnectionHealth',
  'importConfiguration',
]);

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5000;

/** Whether another try can succeed, and does no harm. */
export function isWorthRepeating(failure: MlExtensionError | TransportError, input: AnyInput): boolean {
  const { operation } = failure;
  if (failure instanceof MlExtensionError)
    return (failure.status === 503 || failure.status === 429) && mayBeDoneTwice(operation, input);
  return failure.isTransient && (!failure.mayBeDone || mayBeDoneTwice(operation, input));
}

function mayBeDoneTwice(id: OperationId, input: AnyInput): boolean {
  const { method } = operations[id];
  if (method === 'GET') return true;
  if (method === 'POST') return REPEATABLE_POSTS.has(id);
  return id !== 'deleteContainer' && !hasVersion(input) && input.query?.verify !== true;
}

const hasVersion = ({ ifMatch, query, body }: AnyInput): boolean =>
  [ifMatch, query?.version, (body as { version?: unknown } | undefined)?.version].some((one) => one !== undefined);

/** Milliseconds before the next try: longer each time, never the same for two clients, and not before the server wants it. */
export function pauseBefore({ tries, retryAfter = 0 }: MlExtensionError | TransportError): number {
  const usual = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (tries - 1));
  return usual * (0.5 + Math.random() / 2) + retryAfter * 1000;
}
