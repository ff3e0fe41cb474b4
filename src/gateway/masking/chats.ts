import { createHash } from 'node:crypto';
import { stringifyExact } from '../../contract/exactJson.ts';
import { type ChatMessage, type ChatRequest, type EmbedRequest, partsOf } from '../../families/llm-providers/public.ts';
import { MaskingFailure, SENTENCE } from '../../masking/masking.ts';
import type { MaskedContent, Outgoing } from '../../masking/outgoing.ts';
import type { RequestContext } from '../context.ts';
import { walkChat, walkEmbed } from './chatWalk.ts';
import {
  type MaskedFor,
  type MaskingContext,
  type MaskingScope,
  type MaskingTask,
  maskFor,
  maskingFailed,
} from './masker.ts';
import { loosened } from './schemaWalk.ts';
import { mapped } from './strings.ts';

type Task = Omit<MaskingTask, 'operation' | 'images'>;

/** Masks a chat for one target. @throws Fault `content_refused`, `masking_failed`, `store_unavailable` */
export async function maskChat(
  context: MaskingContext,
  task: Task,
  request: ChatRequest,
): Promise<MaskedFor<ChatRequest>> {
  const images = request.messages.flatMap(partsOf).filter(({ type }) => type !== 'text').length;
  const { content, masked } = await maskFor(context, { ...task, operation: 'chat', images }, request, walkChat);
  if (!masked || !hasMasked(masked)) return { content, ...(masked ? { masked } : {}) };
  const sent = explained(content);
  return { content: sent, masked: { ...masked, content: sent } };
}

/** Masks texts for one model of embeddings. @throws Fault as `maskChat` */
export const maskEmbed = (
  context: MaskingContext,
  task: Task,
  request: EmbedRequest,
): Promise<MaskedFor<EmbedRequest>> => maskFor(context, { ...task, operation: 'embeddings' }, request, walkEmbed);

/** Whether anything was replaced. */
export const hasMasked = ({ counts }: Pick<MaskedContent<object>, 'counts'>): boolean => Object.keys(counts).length > 0;

/** Says what placeholders are, and demands no form of them that they do not have. */
function explained(request: Outgoing<ChatRequest>): Outgoing<ChatRequest> {
  return {
    ...request,
    messages: withSentence(request.messages),
    ...mapped('tools', request.tools, (tools) =>
      tools.map((tool) => ({ ...tool, parameters: loosened(tool.parameters) })),
    ),
    ...mapped('responseFormat', request.responseFormat, (format) =>
      format.type === 'json_schema' ? { ...format, schema: loosened(format.schema) } : format,
    ),
  };
}

type Instruction = Extract<ChatMessage, { role: 'system' | 'developer' }>;
const isInstruction = (message: ChatMessage): message is Instruction =>
  message.role === 'system' || message.role === 'developer';

/** Once in a chat, at the end of its first instruction. */
function withSentence(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const index = messages.findIndex(isInstruction);
  const first = messages[index];
  if (!first || !isInstruction(first)) return [{ role: 'system', content: SENTENCE }, ...messages];
  if (first.content.includes(SENTENCE)) return messages;
  const parts = mapped('parts', first.parts, (given) => [...given, { type: 'text' as const, text: `\n\n${SENTENCE}` }]);
  const content = first.content === '' ? SENTENCE : `${first.content}\n\n${SENTENCE}`;
  return messages.with(index, { ...first, content, ...parts });
}

/** A run, a search, or a conversation of a user, which begins with the same texts each time that it goes on. */
export function chatScope(
  { run, sid }: RequestContext['origin'],
  user: string,
  messages: readonly ChatMessage[],
): MaskingScope {
  if (run) return ['run', run.id];
  if (sid !== undefined) return ['search', sid];
  const first = [messages.find(isInstruction), messages.find(({ role }) => role === 'user')];
  const texts = stringifyExact(first.map((message) => message?.content));
  return ['conversation', user, createHash('sha256').update(texts).digest('hex')];
}

/** The work of a client, which checks its bodies. @throws Fault `masking_failed` where a value is left in one */
export async function withCheckedBodies<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof MaskingFailure ? maskingFailed(error) : error;
  }
}
