import type { Provider } from '../src/contract/families/llmProviders.ts';
import { withoutRegion } from '../src/metering/prices/bedrockIds.ts';

/** A model in LiteLLM's price file. */
export interface LiteLlmModel {
  litellm_provider?: string;
  mode?: string;
  input_cost_per_token?: number;
  output_cost_per_token?: number;
  cache_read_input_token_cost?: number;
}

/** Models with the same price are one entry: their ids, separated by spaces -> US dollars per million tokens. */
type Prices = Record<string, [input: number, output: number, cachedInput?: number]>;

export interface PriceTable {
  price_version: string;
  /** Day on which the table was made. */
  date: string;
  services: Record<string, Prices>;
}

/** LiteLLM's name of each service's provider. */
const SERVICES: Readonly<Record<string, Provider>> = {
  openai: 'General_Chat',
  azure: 'Enterprise_Cloud_Chat',
  anthropic: 'Assistant_Family',
  bedrock: 'Cloud_Model_Hub',
  bedrock_converse: 'Cloud_Model_Hub',
  groq: 'Fast_Inference',
  gemini: 'Search_Vendor_Models',
};
/** Before the ids of a provider. Ids with a further slash are prices of a region or a commitment, except at Groq. */
const ID_PREFIX = /^(?:openai|azure|bedrock|groq|gemini)\//;

export function priceTable(
  models: Readonly<Record<string, LiteLlmModel>>,
  { price_version, date }: Pick<PriceTable, 'price_version' | 'date'>,
): PriceTable {
  const services = new Map(Object.values(SERVICES).map((service) => [service, new Map<string, string>()]));
  for (const [name, model] of Object.entries(models)) {
    const service = SERVICES[model.litellm_provider ?? ''];
    const price = priceOf(model);
    const id = name.replace(ID_PREFIX, '');
    if (service === undefined || price === undefined || /\s/.test(id)) continue;
    if (id.includes('/') && service !== 'Fast_Inference') continue;
    const prices = services.get(service);
    if (!prices?.has(id)) prices?.set(id, JSON.stringify(price));
  }
  const regional = services.get('Cloud_Model_Hub') ?? new Map<string, string>();
  for (const [id, price] of regional) {
    const base = withoutRegion(id);
    if (base !== id && regional.get(base) === price) regional.delete(id);
  }
  return {
    price_version,
    date,
    services: Object.fromEntries([...services].map(([service, prices]) => [service, byPrice(prices)])),
  };
}

function priceOf(model: LiteLlmModel): Prices[string] | undefined {
  const { mode, input_cost_per_token, output_cost_per_token = 0, cache_read_input_token_cost } = model;
  const perMillion = (cost: number) => Number((cost * 1e6).toFixed(6));
  if (mode !== 'chat' && mode !== 'embedding') return undefined;
  // Free previews have zeros, which are no prices.
  if (!input_cost_per_token || (mode === 'chat' && !output_cost_per_token)) return undefined;
  const cached = cache_read_input_token_cost || undefined;
  return [
    perMillion(input_cost_per_token),
    perMillion(output_cost_per_token),
    ...(cached === undefined ? ([] as const) : ([perMillion(cached)] as const)),
  ];
}

function byPrice(prices: ReadonlyMap<string, string>): Prices {
  const groups = new Map<string, string[]>();
  for (const id of [...prices.keys()].sort()) {
    const price = prices.get(id) as string;
    groups.set(price, [...(groups.get(price) ?? []), id]);
  }
  return Object.fromEntries([...groups].map(([price, ids]) => [ids.join(' '), JSON.parse(price)]));
}

/** One price a line, for readable diffs. */
export function tableText({ services, ...head }: PriceTable): string {
  const texts = Object.entries(services).map(([service, prices]) => {
    const lines = Object.entries(prices).map(
      ([ids, price]) => `      ${JSON.stringify(ids)}: ${JSON.stringify(price)}`,
    );
    return `    ${JSON.stringify(service)}: {\n${lines.join(',\n')}\n    }`;
  });
  const fields = Object.entries(head).map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)},\n`);
  return `{\n${fields.join('')}  "services": {\n${texts.join(',\n')}\n  }\n}\n`;
}

export const ageInDays = (date: string, now: Date): number =>
  Math.floor((now.getTime() - Date.parse(date)) / 86_400_000);
