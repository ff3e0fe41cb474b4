/** Texts that dialects add to a request. They hold nothing of it, so that a user called `tool` does not look left in them. */
export const OWN_TEXTS = {
  begin: 'Continue.',
  jsonOnly: 'Answer with one JSON object and nothing else.',
  noTools: 'Do not call any tool.',
  seeDocument: 'See the document.',
} as const;

/** @param name of the schema */
export const answerToolText = (name: string): string => `Gives the answer (${name}).`;

const ANSWER_TOOL_TEXT = /^Gives the answer \([\w-]{0,64}\)\.$/;
const OWN: ReadonlySet<string> = new Set(Object.values(OWN_TEXTS));

export const isOwnText = (text: string): boolean => OWN.has(text) || ANSWER_TOOL_TEXT.test(text);
