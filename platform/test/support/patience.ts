import { availableParallelism, loadavg } from 'node:os';

/**
 * A bound for something that waits, on this machine as it is now: with more work than cores everything takes longer. It
 * tells a wait that ended early from one that did not.
 */
export function patience(ms: number): number {
  const perCore = (loadavg()[0] ?? 0) / availableParallelism();
  return ms * Math.max(1, 2 * perCore);
}

/**
 * Asks until the answer is right.
 * @param within milliseconds on an idle machine; a wait that ends well costs none of them
 * @param what is waited for, as the error says it beside the last answer
 */
export async function until<T>(
  ask: () => T | Promise<T>,
  isRight: (answer: T) => boolean,
  within = 8000,
  what = String(isRight),
): Promise<T> {
  for (const began = Date.now(); ; ) {
    const answer = await ask();
    if (isRight(answer)) return answer;
    const waited = Date.now() - began;
    if (waited > 2 * patience(within)) {
      throw new Error(`waited ${waited} ms in vain for ${what}; the last answer: ${JSON.stringify(answer)}`);
    }
    // Whoever asks over HTTP keeps several processes busy: what takes long is asked for less often.
    await new Promise((resolve) => setTimeout(resolve, Math.min(100, 10 + waited / 10)));
  }
}

/** Waits until this holds. */
export async function eventually(
  condition: () => boolean | Promise<boolean>,
  within = 5000,
  what = String(condition),
): Promise<void> {
  await until(condition, Boolean, within, what);
}
