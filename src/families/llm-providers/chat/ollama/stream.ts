import { asList, asObject, asText, type Json } from '../json.ts';

/** The answer that the lines of a stream make up; undefined if its end is missing. */
export function joinOllamaLines(lines: readonly Json[]): Json | undefined {
  const last = lines.at(-1);
  if (last?.done !== true) return undefined;
  const messages = lines.map(({ message }) => asObject(message));
  const textOf = (field: string) => messages.map((message) => asText(message[field])).join('');
  return {
    ...last,
    message: {
      content: textOf('content'),
      thinking: textOf('thinking'),
      tool_calls: messages.flatMap(({ tool_calls: calls }) => asList(calls)),
    },
  };
}
