import { ApiException } from '@kubernetes/client-node';
import { redact } from '../../domain/net/redact.ts';
import { EngineFailure, type EngineReason } from '../../ports/engines/containerEngine.ts';
import { classify } from '../outbound/classify.ts';
import { refusalReason } from './state.ts';

interface Status {
  message?: string;
  reason?: string;
}

/** HTTP status of the cluster's reply; undefined if there was no reply. */
export const statusOf = (error: unknown): number | undefined =>
  error instanceof ApiException ? error.code : undefined;

/** The library provides the body as text, parsed, or (for a 401) not at all. */
function bodyOf(error: ApiException<unknown>): Status {
  if (typeof error.body !== 'string') return (error.body as Status | undefined) ?? {};
  try {
    return JSON.parse(error.body) as Status;
  } catch {
    return { message: error.body };
  }
}

/** Maps an error to an EngineFailure. The library's message is not used, since it contains headers and bodies. */
export function clusterFailure(error: unknown, signal: AbortSignal, secrets: readonly string[]): EngineFailure {
  if (error instanceof EngineFailure) return error;
  if (isMalformed(error) && !signal.aborted) return notKubernetes(error);
  if (!(error instanceof ApiException) || signal.aborted) {
    const failure = classify(error, { peer: 'The cluster', signal, secrets });
    return new EngineFailure(failure.code, failure.message, { timedOut: failure.code === 'timeout', cause: error });
  }
  const { message = '', reason = '' } = bodyOf(error);
  const detail = redact(message || reason, secrets);
  return new EngineFailure(reasonOf(error.code, reason, detail), messageFor(error.code, detail), { cause: error });
}

/** A reply with unexpected types makes the library or our code throw one of these. */
const isMalformed = (error: unknown) =>
  (error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError) && !('code' in error);

export function notKubernetes(cause?: unknown): EngineFailure {
  return new EngineFailure('upstream_error', 'The server at this address is not a Kubernetes API', { cause });
}

function reasonOf(code: number, reason: string, message: string): EngineReason {
  if (code === 400 && /HTTP request to an HTTPS server/i.test(message)) return 'plain_http_on_https';
  if (code === 401) return 'auth_failed';
  if (code === 403) return message === '' ? 'forbidden' : refusalReason(message);
  if (code === 409 && reason === 'AlreadyExists') return 'name_conflict';
  if (code === 404 && /namespaces? /i.test(message)) return 'config_missing';
  if (code === 429) return 'rate_limited';
  return 'engine_error';
}

function messageFor(code: number, detail: string): string {
  if (code === 401) return 'The cluster does not accept the credentials (401)';
  return `The cluster answered ${code}${detail === '' ? '' : `: ${detail}`}`;
}
