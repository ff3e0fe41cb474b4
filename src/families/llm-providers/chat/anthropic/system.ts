import type { ChatMessage, ChatRequest, TextPart } from '../chat.ts';
import { instructionParts, isInstruction, splitSystem, type Turn } from '../turns.ts';

/** Models before Claude Opus 4.8. */
const OLDER = /claude-(?:v?[12]\b|instant|3|[a-z]+-4(?![-.][89]\b))/;
const takesInPlace = (model: string): boolean => !OLDER.test(model);

interface Prompt {
  system: TextPart[];
  turns: Turn[];
  /** Turns that are instructions. */
  placed: ReadonlySet<Turn>;
}

/** The request's system texts and turns. Newer models take an instruction in its place, if a turn of the user is before it. */
export function promptOf(model: string, request: ChatRequest): Prompt {
  if (!takesInPlace(model)) return joinedPrompt(request);
  const placed = new Set<Turn>();
  let previous: ChatMessage | undefined;
  const messages = request.messages.map((message) => {
    if (!isInstruction(message)) {
      previous = message;
      return message;
    }
    if (previous?.role !== 'user' && previous?.role !== 'tool') return message;
    const turn: Turn = { role: 'user', content: instructionParts(message) };
    placed.add(turn);
    return turn;
  });
  return { ...splitSystem({ ...request, messages }, true), placed };
}

/** The same with each instruction before the first turn. */
export const joinedPrompt = (request: ChatRequest): Prompt => ({ ...splitSystem(request, true), placed: new Set() });
