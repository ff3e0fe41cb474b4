import type { LlmIdentity } from '../../families/llm-providers/public.ts';

export type PriceName = Pick<LlmIdentity, 'service' | 'model'>;

/** The service whose prices hold behind a prefix, as LiteLLM, OpenRouter and Google write them. */
const MAKERS: Readonly<Record<string, string>> = {
  openai: 'General_Chat',
  azure: 'Enterprise_Cloud_Chat',
  anthropic: 'Assistant_Family',
  amazon: 'Cloud_Model_Hub',
  bedrock: 'Cloud_Model_Hub',
  groq: 'Fast_Inference',
  gemini: 'Search_Vendor_Models',
  google: 'Search_Vendor_Models',
  models: 'Search_Vendor_Models',
  vertex_ai: 'Search_Vendor_Models',
};
/** The service of proxies: behind it may be any maker. */
const PROXIED = 'General_Chat';

/**
 * The names under which the price of a model may stand, the most exact first: its own, without a proxy's prefix
 * (`openrouter/openai/gpt-4o`), without `models/`, and for a fine-tuned model its base (`ft:gpt-4o:org::id`).
 */
export function priceNames({ service, model }: PriceName): PriceName[] {
  const parts = model.split('/');
  return parts.flatMap((_, count) => {
    const maker = parts.slice(0, count).findLast((part) => Object.hasOwn(MAKERS, part));
    const behind = maker === undefined ? service : (MAKERS[maker] ?? service);
    if (behind !== service && service !== PROXIED) return [];
    const rest = parts.slice(count).join('/');
    return [rest, ...bases(rest), ...(count > 0 && maker === 'anthropic' ? [rest.replaceAll('.', '-')] : [])].map(
      (name) => ({ service: behind, model: name }),
    );
  });
}

/** A fine-tuned model has a price of its own, or that of its base. */
function bases(model: string): string[] {
  const base = /^ft:([^:]+)/.exec(model)?.[1];
  return base === undefined ? [] : [`ft:${base}`, base];
}
