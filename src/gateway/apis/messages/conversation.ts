import { isObject, type Json } from '../../../contract/basics.ts';
import { stringifyExact } from '../../../contract/exactJson.ts';
import type {
  CacheMark,
  ChatMessage,
  ChatPart,
  ReturnedReasoning,
  TextPart,
  ToolCall,
} from '../../../families/llm-providers/public.ts';
import { cacheOf, text } from '../../models/chatParts.ts';
import { openEnvelope } from '../envelope.ts';
import { leaveOut, type Notices, type PlacedBlock, partsOfBlock, partsOrProblem, placedBlocks } from './blocks.ts';

interface Turn {
  role: 'user' | 'assistant' | 'system';
  blocks: readonly PlacedBlock[];
}

interface GivenMessage {
  role: Turn['role'];
  content: unknown;
}

const FOREIGN =
  'thinking of earlier answers was left out: it has no signature that the gateway or Anthropic could have made';

/** The messages of a chat: results stand right behind their calls, and before all else that the user says. */
export function toMessages(system: unknown, given: readonly GivenMessage[], notices: Notices): ChatMessage[] {
  const messages: ChatMessage[] = toInstructions(placedBlocks(system, 'system', notices), notices);
  const calls = new OpenCalls(notices);
  let held: ChatMessage[] = [];
  for (const { role, blocks } of turnsOf(given, notices)) {
    if (role === 'assistant') {
      calls.close();
      messages.push(...held, toAnswer(blocks, notices, calls));
      held = [];
    } else if (role === 'system') {
      const instructions = toInstructions(blocks, notices);
      if (calls.areOpen) held.push(...instructions);
      else messages.push(...instructions);
    } else {
      const results = blocks.filter(isResult).map((placed) => toResult(placed, notices, calls));
      messages.push(...results, ...held, ...toQuestion(blocks, results.length > 0, notices));
      held = [];
    }
  }
  calls.close();
  return [...messages, ...held];
}

/** Neighbouring messages of one role are one turn. */
function turnsOf(given: readonly GivenMessage[], notices: Notices): Turn[] {
  const turns: Turn[] = [];
  for (const [index, { role, content }] of given.entries()) {
    const blocks = placedBlocks(content, `messages.${index}.content`, notices);
    const last = turns.at(-1);
    if (last?.role === role && role !== 'system')
      turns[turns.length - 1] = { role, blocks: [...last.blocks, ...blocks] };
    else turns.push({ role, blocks });
  }
  return turns;
}

/** Calls that have no result yet. Providers refuse a call without one, and a result without a call. */
class OpenCalls {
  private readonly open = new Map<string, string>();
  private readonly notices: Notices;

  constructor(notices: Notices) {
    this.notices = notices;
  }

  get areOpen(): boolean {
    return this.open.size > 0;
  }

  add(id: string, field: string): void {
    if (this.open.has(id)) this.notices.problems.push({ field: `${field}.id`, message: 'is the id of another call' });
    this.open.set(id, field);
  }

  answer(id: string, field: string): void {
    if (!this.open.delete(id))
      this.notices.problems.push({
        field: `${field}.tool_use_id`,
        message: 'must be the id of a call in the answer before that has no other result',
      });
  }

  close(): void {
    for (const field of this.open.values())
      this.notices.problems.push({ field, message: 'must have a tool_result in the next message of the user' });
    this.open.clear();
  }
}

const isResult = ({ block }: PlacedBlock): boolean => block.type === 'tool_result';

/** A text that one client adds anew to each prompt: with it no provider would find the prompt in its cache. */
const ATTRIBUTION = /^\s*x-anthropic-billing-header:/;

function toInstructions(blocks: readonly PlacedBlock[], notices: Notices): ChatMessage[] {
  const texts = blocks
    .flatMap((placed) => partsOrProblem(placed, notices, 'text'))
    .filter((part): part is TextPart => part.type === 'text' && !ATTRIBUTION.test(part.text));
  return texts.length > 0 ? [{ role: 'system', ...textContent(texts) }] : [];
}

/** A text, with its parts where they say more than that. */
function textContent(texts: readonly TextPart[]): { content: string; parts?: readonly TextPart[] } {
  const content = texts.map((part) => part.text).join('');
  return texts.length > 1 || texts[0]?.cache ? { content, parts: texts } : { content };
}

function toQuestion(blocks: readonly PlacedBlock[], hasResults: boolean, notices: Notices): ChatMessage[] {
  const parts = blocks
    .filter((placed) => !isResult(placed))
    .flatMap((placed) => partsOrProblem(placed, notices, 'text, image, document, search_result or tool_result'));
  const [only] = parts;
  if (parts.length === 0) return hasResults ? [] : [{ role: 'user', content: '' }];
  if (parts.length === 1 && only?.type === 'text' && !only.cache) return [{ role: 'user', content: only.text }];
  return [{ role: 'user', content: parts }];
}

function toResult(placed: PlacedBlock, notices: Notices, calls: OpenCalls): ChatMessage {
  const { block, field } = placed;
  const toolCallId = text(block.tool_use_id) ?? '';
  calls.answer(toolCallId, field);
  const parts = placedBlocks(block.content, `${field}.content`, notices).flatMap((inner) =>
    partsOrProblem(inner, notices, 'text, image, document, search_result or tool_reference'),
  );
  return {
    role: 'tool',
    toolCallId,
    ...resultContent(parts),
    ...(block.is_error === true ? { isError: true } : {}),
    ...cacheOf(block, field, notices.problems),
  };
}

function resultContent(parts: readonly ChatPart[]): { content: string; parts?: readonly ChatPart[] } {
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const isPlain = parts.every((part) => part.type === 'text' && !part.cache);
  return isPlain ? { content: texts.join('\n') } : { content: texts.join(''), parts };
}

function toAnswer(blocks: readonly PlacedBlock[], notices: Notices, calls: OpenCalls): ChatMessage {
  const texts: TextPart[] = [];
  const toolCalls: ToolCall[] = [];
  const returned: ReturnedReasoning[] = [];
  const signed: Json[] = [];
  let mark: { cache?: CacheMark } = {};
  for (const placed of blocks) {
    const { block, field } = placed;
    if (block.type === 'tool_use') {
      toolCalls.push(toCall(placed, notices));
      calls.add(String(block.id), field);
      mark = { ...mark, ...cacheOf(block, field, notices.problems) };
    } else if (block.type === 'thinking' || block.type === 'redacted_thinking') {
      const reasoning = typeof block.signature === 'string' ? openEnvelope(block.signature) : undefined;
      if (reasoning) returned.push(reasoning);
      else if (isSigned(block)) signed.push(block);
      else notices.warnings.add(FOREIGN);
    } else if (block.type === 'text') texts.push(...((partsOfBlock(placed, notices) ?? []) as TextPart[]));
    else leaveOut(placed, notices, 'text, tool_use, thinking or redacted_thinking');
  }
  return {
    role: 'assistant',
    ...textContent(texts),
    ...(toolCalls.length > 0 ? { toolCalls } : {}),
    ...(returned.length > 0 ? { returned } : {}),
    // Only the dialect of Anthropic reads it, which judges the signatures.
    ...(signed.length > 0 ? { carrier: { anthropic: { thinking_blocks: signed } } } : {}),
    ...mark,
  };
}

/** Anthropic's own signatures and data look like nothing in particular; ours begin with their version. */
function isSigned({ type, signature, data }: Json): boolean {
  const state = type === 'thinking' ? signature : data;
  return typeof state === 'string' && state !== '' && !/^mlx\d+\./.test(state);
}

function toCall({ block, field }: PlacedBlock, { problems }: Notices): ToolCall {
  const { id, name, input = {} } = block;
  for (const [member, value] of Object.entries({ id, name }))
    if (typeof value !== 'string' || value === '')
      problems.push({ field: `${field}.${member}`, message: 'must be a text' });
  if (!isObject(input)) problems.push({ field: `${field}.input`, message: 'must be an object' });
  return { id: String(id), name: String(name), arguments: stringifyExact(input) };
}
