import { OutboundError } from '../../contract/codes/outbound.ts';
import { redact } from '../../domain/net/redact.ts';
import { EngineFailure, type EngineReason } from '../../ports/engines/containerEngine.ts';
import { classify } from '../outbound/classify.ts';

interface DockerError {
  statusCode?: number;
  json?: { message?: unknown } | null;
  reason?: string;
  message?: string;
}

/** Message patterns and the reason of the failure; the first match applies. */
const REASONS: readonly (readonly [RegExp, EngineReason])[] = [
  [/port is already allocated|address already in use|ports are not available/i, 'port_conflict'],
  [/unknown( or invalid)? runtime|could not select device driver|nvidia-container/i, 'runtime_unavailable'],
  [/network (?:\S+ )?not found/i, 'network_missing'],
  [/logging driver|log driver|splunk-token|splunk-url|log opt/i, 'log_driver_failed'],
  [
    /no such image|manifest unknown|manifest for \S+ not found|repository does not exist|name unknown|pull access denied|repository \S+ not found/i,
    'image_not_found',
  ],
  [/invalid reference format/i, 'image_name_invalid'],
  [/is already in use by container/i, 'name_conflict'],
  [/no space left|cannot allocate memory|minimum memory limit/i, 'quota_exceeded'],
  [/permission denied|access denied|unauthorized|forbidden|denied/i, 'forbidden'],
];

/** HTTP status of the engine's reply; undefined if there was no reply. */
export const statusOf = (error: unknown): number | undefined => (error as DockerError | undefined)?.statusCode;

/**
 * Maps an error of dockerode to an EngineFailure with the engine's message.
 * @param signal of the deadline; once aborted, every error is a timeout
 */
export function engineFailure(
  error: unknown,
  signal: AbortSignal | undefined,
  secrets: readonly string[],
  hasClientCertificate = false,
) {
  if (error instanceof EngineFailure) return error;
  const { statusCode, json } = error as DockerError;
  if (statusCode === undefined || signal?.aborted) {
    const failure = unreachable(error, signal, hasClientCertificate);
    return new EngineFailure(failure.code, failure.message, { timedOut: failure.code === 'timeout', cause: error });
  }
  const message = redact(typeof json?.message === 'string' ? json.message : messageOf(error), secrets);
  return new EngineFailure(reasonOf(message, statusCode), `Docker answered ${statusCode}: ${message}`, {
    cause: error,
  });
}

export function reasonOf(message: string, status?: number): EngineReason {
  const reason = REASONS.find(([pattern]) => pattern.test(message))?.[1];
  if (reason) return reason;
  return status === 401 || status === 403 ? 'forbidden' : 'engine_error';
}

function unreachable(error: unknown, signal: AbortSignal | undefined, hasClientCertificate: boolean): OutboundError {
  const { code } = error as { code?: string };
  if (code === 'ENOENT') return new OutboundError('connection_refused', 'There is no Docker socket at this path');
  if (code === 'EACCES') return new OutboundError('permission_denied', 'The platform may not use this Docker socket');
  // The reply of a TLS port is not valid HTTP.
  if (code === 'HPE_INVALID_CONSTANT') {
    return new OutboundError('tls_protocol', 'The port does not speak plain HTTP: is this a TLS port?');
  }
  return classify(error, { peer: 'The Docker engine', signal, hasClientCertificate });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.trim() : 'no reason';
}
