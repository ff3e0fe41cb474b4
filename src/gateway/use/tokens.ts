/** Tokens of a call: as counted by the provider, or estimated where it does not count. */
export interface Tokens {
  input: number;
  cached?: number | undefined;
  cacheWritten?: number | undefined;
  output: number;
  reasoning?: number | undefined;
  estimated: boolean;
}

/** Of uses that are not counted in tokens. */
export const NO_TOKENS: Tokens = { input: 0, output: 0, estimated: false };

/** How many characters make a token, on average. */
const CHARACTERS_PER_TOKEN = 3.5;
export const estimateTokens = (text: string): number => Math.ceil(text.length / CHARACTERS_PER_TOKEN);
