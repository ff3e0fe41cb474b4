const TOO_LONG =
  /context_length_exceeded|maximum context length|context (?:length|window|limit|size)|(?:prompt|input) is too long|prompt too long|too many input tokens|input token count|reduce the length of the (?:messages|prompt|input)/i;

/** Whether a provider refuses a prompt for its length. Every provider words it in its own way. */
export const saysPromptTooLong = (text: string): boolean => TOO_LONG.test(text);
