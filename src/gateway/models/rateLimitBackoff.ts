import { RecentMap } from '../../domain/async/recentMap.ts';
import type { LlmIdentity } from '../../families/llm-providers/public.ts';

const MAX_PAUSE_MS = 60_000;
const MAX_MODELS = 10_000;

/** Models whose providers asked to wait, as far as this process knows. */
export class RateLimitBackoff {
  readonly #paused = new RecentMap<true>(MAX_MODELS);

  pause(model: LlmIdentity, seconds: number): void {
    this.#paused.set(keyOf(model), true, Math.min(seconds * 1000, MAX_PAUSE_MS));
  }

  isPaused(model: LlmIdentity): boolean {
    return this.#paused.get(keyOf(model)) ?? false;
  }
}

const keyOf = ({ service, connection_name, model }: LlmIdentity): string =>
  JSON.stringify([service, connection_name.toLowerCase(), model]);
