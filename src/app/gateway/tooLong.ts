/** Clients make their prompt shorter when a message begins with these words, by as much as the numbers behind them say. */
const TOO_LONG = 'prompt is too long';

/** How providers say the tokens of a prompt and the most that they take. */
const NUMBERS = [
  /\b(?<given>\d{1,12}) tokens > (?<most>\d{1,12}) maximum/,
  /maximum (?:context|prompt) length is (?<most>\d+)(?: tokens)?\b.{1,60}?\b(?:resulted in|requested|contains) (?<given>\d+) tokens/,
  /token count \((?<given>\d+)\) exceeds the maximum number of tokens allowed \((?<most>\d+)\)/,
  /Max input tokens: (?<most>\d+), request input token count: (?<given>\d+)/,
];

/** The words of a provider about a prompt that is too long, as clients of Anthropic understand them. */
export function tooLongMessage(message: string): string {
  if (message.toLowerCase().startsWith(TOO_LONG)) return message;
  for (const pattern of NUMBERS) {
    const { given, most } = pattern.exec(message)?.groups ?? {};
    if (given !== undefined) return `${TOO_LONG}: ${given} tokens > ${most} maximum (${message})`;
  }
  return `${TOO_LONG}: ${message}`;
}
