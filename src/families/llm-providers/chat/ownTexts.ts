/** Texts that dialects add to a request. They hold nothing of it, so that a user called `tool` does not look left in them. */
export const OWN_TEXTS = {
  begin: 'Continue.',
  jsonOnly: 'Answer with one JSON object and nothing else.',
  noTools: 'Do not call any tool.',
  seeDocument: 'See the document.',
} as const;

/** In the text of a tool's result, in place of what the model cannot be shown there. */
export const RESULT_NOTES = {
  image: '[An image was left out here: this model is shown none in results of tools.]',
  file: '[A document was left out here: this model is shown none in results of tools.]',
} as const;

/** A text without the notes, which other texts may stand beside. */
export const withoutNotes = (text: string): string =>
  Object.values(RESULT_NOTES).reduce((left, note) => left.replaceAll(note, ''), text);

/** @param name of the schema */
export const answerToolText = (name: string): string => `Gives the answer (${name}).`;

const ANSWER_TOOL_TEXT = /^Gives the answer \([\w-]{0,64}\)\.$/;
const OWN: ReadonlySet<string> = new Set(Object.values(OWN_TEXTS));

export const isOwnText = (text: string): boolean => OWN.has(text) || ANSWER_TOOL_TEXT.test(text);
