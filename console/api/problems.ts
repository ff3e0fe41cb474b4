import { MlExtensionError, TransportError } from '../../client/src/index.ts';
import { PlatformError } from './platform.ts';
import { engineReason, remedyOfReason } from './reasons.ts';

/** What a page says of a call that has not gone well. */
export interface Told {
  message: string;
  code?: string;
  /** What a person can do about it. */
  remedy?: string;
  requestId?: string;
  /** Whether the session is over: nothing is wrong with the call itself. */
  isSessionOver: boolean;
  /** Whether it may pass by itself: the page goes on asking. */
  isPassing: boolean;
}

const TRANSPORT: Readonly<Record<TransportError['problem'], string>> = {
  timeout: 'There was no answer in time',
  network: 'The server could not be reached',
  cut_off: 'The answer broke off',
  redirect: 'The server sent this call elsewhere',
  unexpected_answer: 'Something between this page and the app has answered in its place',
  too_large: 'The answer was too large for this page',
};

/** Too many calls, or a store or an app that is not ready. */
const PASSING = [429, 503];

export function told(error: unknown): Told {
  const status = (error as { status?: number }).status;
  const isSessionOver = status === 401;
  if (error instanceof MlExtensionError) {
    const { message, requestId } = error;
    const reason = engineReason(error);
    const remedy = (reason && remedyOfReason(reason)) ?? error.remedy;
    const code = reason ? `${error.code}: ${reason}` : error.code;
    return { message, code, remedy, requestId, isSessionOver, isPassing: PASSING.includes(error.status) };
  }
  if (error instanceof TransportError) {
    const { problem, mayBeDone } = error;
    const remedy = mayBeDone
      ? 'What you asked for may have been done all the same: look before you repeat it.'
      : undefined;
    return { message: `${TRANSPORT[problem]}.`, code: problem, remedy, isSessionOver, isPassing: true };
  }
  if (error instanceof PlatformError)
    return { message: error.message, isSessionOver, isPassing: PASSING.includes(error.status) };
  if (error instanceof DOMException && error.name === 'AbortError') {
    const remedy = 'What you asked for may be done all the same: look before you repeat it.';
    return { message: 'You have stopped waiting.', remedy, isSessionOver: false, isPassing: false };
  }
  // A network error of fetch itself: browsers say no more.
  return { message: 'The server could not be reached.', isSessionOver: false, isPassing: true };
}
