import { roundDollars } from '../../domain/values/numbers.ts';

/** US dollars per million tokens. */
export interface Price {
  input: number;
  /** Default: `input`. */
  cachedInput?: number | undefined;
  /** Undefined where only input has a price. */
  output?: number | undefined;
  /** Version of the table: `litellm-<version>`, or `conf`. */
  version: string;
}

/** Tokens that are paid for. Input includes cached, output reasoning tokens. */
interface PaidTokens {
  input: number;
  cached?: number | undefined;
  output: number;
}

/** Cost of a use, in US dollars. */
export interface Charge {
  cost: number;
  price_version: string;
}

/** Undefined without a price. */
export function chargeFor(price: Price | undefined, tokens: PaidTokens): Charge | undefined {
  if (!price || (price.output === undefined && tokens.output > 0)) return undefined;
  const { input, cachedInput = input, output = 0, version } = price;
  const cached = Math.min(tokens.cached ?? 0, tokens.input);
  const perMillion = (tokens.input - cached) * input + cached * cachedInput + tokens.output * output;
  return { cost: roundDollars(perMillion / 1e6), price_version: version };
}
