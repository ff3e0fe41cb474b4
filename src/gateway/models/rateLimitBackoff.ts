import type { LlmIdentity } from '../../families/llm-providers/public.ts';

const MAX_PAUSE_MS = 60_000;

/** Models whose providers asked to wait, as far as this process knows. */
export class RateLimitBackoff {
  /** Model -> when its provider answers again. */
  readonly #until = new Map<string, number>();

  pause(model: LlmIdentity, seconds: number): void {
    this.#until.set(keyOf(model), performance.now() + Math.min(seconds * 1000, MAX_PAUSE_MS));
  }

  isPaused(model: LlmIdentity): boolean {
    return (this.#until.get(keyOf(model)) ?? 0) > performance.now();
  }
}

const keyOf = ({ service, connection_name, model }: LlmIdentity): string =>
  JSON.stringify([service, connection_name.toLowerCase(), model]);
