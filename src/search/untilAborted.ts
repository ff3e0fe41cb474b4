import { unlessAborted } from '../domain/async/deadline.ts';

/** Awaits work until `signal` aborts; what it does after that is ignored. @returns undefined if it was aborted */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  try {
    return await unlessAborted(work, signal);
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}
