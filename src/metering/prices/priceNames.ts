import { PRICE_PREFIXES, PROXY_SERVICE } from '../../contract/families/llmProviders.ts';
import type { LlmReference } from '../../contract/schemas/llmReference.ts';

export type PriceName = Pick<LlmReference, 'service' | 'model'>;

/**
 * The names under which the price of a model may stand, the most exact first: its own, without a proxy's prefix
 * (`openrouter/openai/gpt-4o`), without `models/`, and for a fine-tuned model its base (`ft:gpt-4o:org::id`).
 */
export function priceNames({ service, model }: PriceName): PriceName[] {
  const parts = model.split('/');
  return parts.flatMap((_, count) => {
    const maker = parts.slice(0, count).findLast((part) => Object.hasOwn(PRICE_PREFIXES, part));
    const behind = maker === undefined ? service : (PRICE_PREFIXES[maker] ?? service);
    if (behind !== service && service !== PROXY_SERVICE) return [];
    const name = parts.slice(count).join('/');
    return [name, ...bases(name), ...(count > 0 && maker === 'anthropic' ? [name.replaceAll('.', '-')] : [])].map(
      (name) => ({ service: behind, model: name }),
    );
  });
}

/** A fine-tuned model has a price of its own, or that of its base. */
function bases(model: string): string[] {
  const base = /^ft:([^:]+)/.exec(model)?.[1];
  return base === undefined ? [] : [`ft:${base}`, base];
}
