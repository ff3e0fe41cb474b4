import { MlExtensionError, TransportError } from '../../client/src/index.ts';
import { PlatformError } from './platform.ts';
import { engineReason } from './reasons.ts';

/** A failed call as a page shows it. */
export interface ErrorDescription {
  message: string;
  code?: string;
  remedy?: string;
  requestId?: string;
  /** Whether the change may have been made. */
  mayBeDone: boolean;
  isSessionOver: boolean;
  /** Whether the failure is temporary, so that the page retries. */
  isPassing: boolean;
}

const TRANSPORT: Readonly<Record<TransportError['problem'], string>> = {
  timeout: 'No answer in time',
  network: 'The server could not be reached',
  cut_off: 'The answer was cut off',
  redirect: 'The server redirected this call',
  unexpected_answer: 'A proxy between this page and the app answered instead of the app',
  busy: 'The platform has too many calls under way',
  too_large: 'The answer is too large for this page',
};

/** Rate limits and unavailable stores. */
const PASSING = [429, 503];
/** Replaces the proxy's technical messages. */
const PROXY: Readonly<Record<number, string>> = {
  429: 'The platform has too many calls under way.',
  502: 'The platform could not reach the app.',
  503: 'The platform could not reach the app.',
  504: 'The app did not answer within 30 seconds.',
};

export function describeError(error: unknown): ErrorDescription {
  const status = (error as { status?: number } | undefined)?.status;
  const isSessionOver = status === 401;
  if (error instanceof MlExtensionError) {
    const reason = engineReason(error);
    const code = reason ? `${error.code}: ${reason}` : error.code;
    const proxys = error.code === undefined ? PROXY[error.status] : undefined;
    const stays = (error.body as { should_retry?: unknown }).should_retry === false;
    const isPassing = (PASSING.includes(error.status) && !stays) || proxys !== undefined;
    const message = proxys ?? error.message;
    return {
      message,
      code,
      remedy: error.remedy,
      requestId: error.requestId,
      mayBeDone: proxys !== undefined,
      isSessionOver,
      isPassing,
    };
  }
  if (error instanceof TransportError) {
    const { problem, mayBeDone } = error;
    const message = PROXY[status ?? 0] ?? `${TRANSPORT[problem]}.`;
    return { message, code: problem, mayBeDone, isSessionOver, isPassing: true };
  }
  if (error instanceof PlatformError) {
    const isPassing = status === 0 || status === 429 || (status ?? 0) >= 502;
    return {
      message: PROXY[status ?? 0] ?? error.message,
      mayBeDone: isPassing && status !== 429,
      isSessionOver,
      isPassing,
    };
  }
  const over = { isSessionOver: false, isPassing: false };
  if (error instanceof DOMException && error.name === 'AbortError')
    return { message: 'You stopped waiting.', mayBeDone: true, ...over };
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return { message: `${TRANSPORT.timeout}.`, mayBeDone: true, ...over, isPassing: true };
  return { message: error instanceof Error ? error.message : String(error), mayBeDone: false, ...over };
}
