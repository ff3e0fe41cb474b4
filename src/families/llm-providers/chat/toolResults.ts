import type { ChatMessage, ChatPart, ChatRequest, TextPart } from './chat.ts';
import { RESULT_NOTES } from './ownTexts.ts';

/**
 * Leaves a note in results of tools for each image and document that the dialect does not have there: without it the model would
 * take the result for complete.
 * @param takes whether the dialect has a part in results
 */
export function withNotes(request: ChatRequest, takes: (part: ChatPart) => boolean, warnings: string[]): ChatRequest {
  const messages = request.messages.map((message) => noted(message, takes));
  if (messages.every((message, index) => message === request.messages[index])) return request;
  warnings.push('a note stands in place of images and documents in results of tools: the model is shown none there');
  return { ...request, messages };
}

function noted(message: ChatMessage, takes: (part: ChatPart) => boolean): ChatMessage {
  if (message.role !== 'tool') return message;
  const { parts = [] } = message;
  const sent = parts.map((part) => (part.type === 'text' || takes(part) ? part : noteFor(part)));
  if (sent.every((part, index) => part === parts[index])) return message;
  const isPlain = sent.every((part) => part.type === 'text' && !part.others && !part.cache);
  return { ...message, content: textOf(sent), parts: isPlain ? undefined : sent };
}

const noteFor = ({ type, cache }: ChatPart): TextPart => ({
  type: 'text',
  text: RESULT_NOTES[/^image/.test(type) ? 'image' : 'file'],
  ...(cache ? { cache } : {}),
});

const textOf = (parts: readonly ChatPart[]): string =>
  parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
