import { withoutArn, withoutRegion } from './bedrockIds.ts';
import table from './litellm/table.json' with { type: 'json' };
import type { Price } from './price.ts';

/** US dollars per million tokens: input, output, cached input. */
type Numbers = readonly number[];

const { price_version: version } = table;
let services: Map<string, Map<string, Numbers>> | undefined;

/** The price that the app ships for a model. */
export function shippedPrice(service: string, model: string): Price | undefined {
  services ??= new Map(Object.entries(table.services).map(([name, prices]) => [name, byModel(prices)]));
  const models = services.get(service);
  const id = withoutArn(model);
  const numbers = models?.get(id) ?? models?.get(withoutRegion(id));
  if (!numbers) return undefined;
  const [input = 0, output, cachedInput] = numbers;
  return { input, output, cachedInput, version };
}

const byModel = (prices: Readonly<Record<string, Numbers>>): Map<string, Numbers> =>
  new Map(Object.entries(prices).flatMap(([ids, numbers]) => ids.split(' ').map((id) => [id, numbers] as const)));
