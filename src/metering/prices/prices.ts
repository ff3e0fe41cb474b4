import type { WarningLog } from '../../contract/settings/warnOnce.ts';
import type { Settings } from '../../ports/stores/settings.ts';
import { confPrice } from './confPrices.ts';
import type { Price } from './price.ts';
import { type PriceName, priceNames } from './priceNames.ts';
import { shippedPrice } from './shippedPrices.ts';

/** The price of a model; undefined without one. */
export type Prices = (model: PriceName) => Price | undefined;

/** `ml_prices.conf` before the shipped table. @throws Fault `store_unavailable` */
export async function readPrices(conf: Settings, log: WarningLog): Promise<Prices> {
  const stanzas = await conf.recent();
  const priceAt = ({ service, model }: PriceName) =>
    confPrice(stanzas, service, model, log) ?? shippedPrice(service, model);
  return (named) => {
    for (const name of priceNames(named)) {
      const price = priceAt(name);
      if (price) return price;
    }
    return undefined;
  };
}
