/** Tokens of a call: as counted by the provider, or estimated where it does not count. */
export interface Tokens {
  input: number;
  cached?: number | undefined;
  cacheWritten?: number | undefined;
  output: number;
  reasoning?: number | undefined;
  estimated: boolean;
}

/** For uses that are not counted in tokens. */
export const NO_TOKENS: Tokens = { input: 0, output: 0, estimated: false };

/** How many characters make a token, on average. */
const CHARACTERS_PER_TOKEN = 3.5;
export const estimateTokens = (text: string): number => Math.ceil(text.length / CHARACTERS_PER_TOKEN);

/** The longest text of so many tokens. */
export const charactersOf = (tokens: number): number => Math.floor(tokens * CHARACTERS_PER_TOKEN);

/** The count of the provider, or an estimate where it has none; 0 for a text of at least one token is none. @param text asked for only then */
export function countedOr(count: number | undefined, text: () => string): { tokens: number; estimated: boolean } {
  if (count !== undefined && count > 0) return { tokens: count, estimated: false };
  const said = text();
  if (count === 0 && said.length < CHARACTERS_PER_TOKEN) return { tokens: 0, estimated: false };
  return { tokens: estimateTokens(said), estimated: true };
}
