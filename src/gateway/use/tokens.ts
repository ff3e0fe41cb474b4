/** Tokens of a call: as counted by the provider, or estimated where it does not count. */
export interface Tokens {
  input: number;
  cached?: number | undefined;
  cacheWritten?: number | undefined;
  output: number;
  reasoning?: number | undefined;
  estimated: boolean;
}

/** How many characters make a token, on average. */
const CHARACTERS_PER_TOKEN = 3.5;
export const estimateTokens = (text: string): number => Math.ceil(text.length / CHARACTERS_PER_TOKEN);
