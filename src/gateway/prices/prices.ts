import type { WarningLog } from '../../contract/settings/warnOnce.ts';
import type { LlmIdentity } from '../../families/llm-providers/public.ts';
import type { Settings } from '../../ports/stores/settings.ts';
import { confPrice } from './confPrices.ts';
import type { Price } from './price.ts';
import { shippedPrice } from './shippedPrices.ts';

/** The price of a model; undefined without one. */
export type Prices = (model: Pick<LlmIdentity, 'service' | 'model'>) => Price | undefined;

/** `ml_prices.conf` before the shipped table. @throws Fault `store_unavailable` */
export async function readPrices(conf: Settings, log: WarningLog): Promise<Prices> {
  const stanzas = await conf.recent();
  return ({ service, model }) => confPrice(stanzas, service, model, log) ?? shippedPrice(service, model);
}
