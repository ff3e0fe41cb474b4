import { isObject, type Json } from '../../../contract/basics.ts';
import { Fault, type Problem } from '../../../contract/codes/faults.ts';
import { stringifyExact } from '../../../contract/exactJson.ts';
import type { ChatMessage } from '../../../families/llm-providers/public.ts';
import { argumentsIn } from '../../models/chatParts.ts';
import { hasState, openEnvelope } from '../envelope.ts';
import { toResult, toText, toUserContent } from './content.ts';
import { isNothing, type ToolList, type ToolSet } from './tools.ts';
import { Turns } from './turns.ts';

const MAX_ITEMS = 10_000;
const FOREIGN_REASONING = 'The reasoning of earlier answers was left out: the gateway did not make it';

/** Calls of tools that OpenAI runs, which are history once a message follows. */
const HOSTED_HISTORY =
  /^(?:web_search_call|file_search_call|code_interpreter_call|image_generation_call|mcp_(?:list_tools|call|approval_\w+)|program(?:_output)?|compaction_trigger)$/;
/** Items that no answer of the gateway has, and that cannot be left out, with what to do. */
const REFUSED: Readonly<Record<string, string>> = {
  item_reference: 'The gateway stores no items: set store: false in the client, which sends the items themselves then',
  compaction: 'The gateway cannot read compacted conversations: send the items themselves',
  configuration_update: 'The gateway keeps one configuration for the whole request: leave out configuration_update',
};
const REFUSED_KINDS = /^(?:tool_search|local_shell|shell|apply_patch|computer)_(?:call|output|call_output)$/;

/** The items of `input`, of which a text is one. */
export function inputItems(input: unknown): unknown[] | Problem {
  if (typeof input === 'string') return [{ role: 'user', content: input }];
  if (!Array.isArray(input)) return { field: 'input', message: 'must be a text or a list of items' };
  if (input.length <= MAX_ITEMS) return input;
  return { field: 'input', message: `must not have more than ${MAX_ITEMS} items` };
}

/** Some clients send their tools as an item. */
export const toolsInItems = (items: readonly unknown[], problems: Problem[]): ToolList[] =>
  items.flatMap((item, index) => {
    if (!isObject(item) || item.type !== 'additional_tools') return [];
    const field = `input.${index}.tools`;
    if (Array.isArray(item.tools)) return [{ tools: item.tools, field }];
    problems.push({ field, message: 'must be a list of tools' });
    return [];
  });

/** @throws Fault `not_supported` */
export function toMessages(
  items: readonly unknown[],
  tools: ToolSet,
  problems: Problem[],
  warnings: string[],
): ChatMessage[] {
  const reader = new ItemReader(tools, problems);
  const lastMessage = items.findLastIndex((item) => typeOf(item) === 'message');
  for (const [index, item] of items.entries()) reader.read(item, `input.${index}`, index < lastMessage);
  for (const warning of reader.warnings) warnings.push(warning);
  return reader.turns.messages();
}

/** A message needs no type, and neither does a reference. */
function typeOf(item: unknown): unknown {
  if (!isObject(item) || !isNothing(item.type)) return isObject(item) ? item.type : undefined;
  if (!isNothing(item.role)) return 'message';
  return typeof item.id === 'string' ? 'item_reference' : undefined;
}

class ItemReader {
  readonly turns: Turns;
  readonly warnings = new Set<string>();
  private readonly tools: ToolSet;
  private readonly problems: Problem[];

  constructor(tools: ToolSet, problems: Problem[]) {
    this.tools = tools;
    this.problems = problems;
    this.turns = new Turns(problems);
  }

  read(item: unknown, field: string, hasMessageAfter: boolean): void {
    if (isObject(item)) this.item(item, field, hasMessageAfter);
    else this.add(field, 'must be an object with a type or a role');
  }

  private item(item: Json, field: string, hasMessageAfter: boolean): void {
    const type = typeOf(item);
    switch (type) {
      case 'message':
        this.message(item, field);
        break;
      case 'function_call':
        this.call(item, field, argumentsIn(item.arguments), 'arguments');
        break;
      case 'custom_tool_call': {
        const { input } = item;
        this.call(item, field, typeof input === 'string' ? stringifyExact({ input }) : undefined, 'input');
        break;
      }
      case 'function_call_output':
      case 'custom_tool_call_output':
        this.output(item, field);
        break;
      case 'reasoning':
        this.reasoning(item);
        break;
      case 'additional_tools':
        break;
      default:
        this.other(type, field, hasMessageAfter);
    }
  }

  private add(field: string, message: string): void {
    this.problems.push({ field, message });
  }

  private message({ role, content }: Json, field: string): void {
    const { turns, problems } = this;
    const place = `${field}.content`;
    if (role === 'user') {
      const said = toUserContent(content, place, problems);
      if (said !== undefined) turns.add({ role, content: said });
    } else if (role === 'system' || role === 'developer') {
      const said = toText(content, place, problems, '\n\n');
      if (said) turns.add({ role, ...said });
    } else if (role === 'assistant') {
      // The marks of a cache stand on input alone.
      const said = toText(content, place, problems, '');
      if (said) turns.say(said.content);
    } else this.add(`${field}.role`, 'must be user, assistant, system or developer');
  }

  private call(item: Json, field: string, args: string | undefined, member: string): void {
    const [id, name] = [this.text(item, 'call_id', field), this.text(item, 'name', field)];
    const namespace = isNothing(item.namespace) ? undefined : this.text(item, 'namespace', field);
    if (args === undefined) this.add(`${field}.${member}`, 'must be a text');
    if (id === undefined || name === undefined || args === undefined) return;
    this.turns.call({ id, name: this.tools.flatNameOf({ namespace, name }), arguments: args }, field);
  }

  private text(item: Json, member: string, field: string): string | undefined {
    const value = item[member];
    if (typeof value === 'string' && value !== '') return value;
    this.add(`${field}.${member}`, 'must be a text that is not empty');
    return undefined;
  }

  private output(item: Json, field: string): void {
    const id = this.text(item, 'call_id', field);
    const result = toResult(item.output, `${field}.output`, this.problems);
    if (id !== undefined) this.turns.answer(id, result ?? { content: '' }, field);
  }

  private reasoning({ encrypted_content: state }: Json): void {
    const reasoning = typeof state === 'string' ? openEnvelope(state) : undefined;
    if (!reasoning) this.warnings.add(FOREIGN_REASONING);
    else if (hasState(reasoning)) this.turns.think(reasoning);
  }

  private other(type: unknown, field: string, hasMessageAfter: boolean): void {
    const kind = typeof type === 'string' ? type : '';
    const refusal = Object.hasOwn(REFUSED, kind) ? REFUSED[kind] : undefined;
    if (refusal !== undefined) throw new Fault('not_supported', refusal, { param: field });
    if (HOSTED_HISTORY.test(kind) && hasMessageAfter) {
      this.warnings.add(`${kind} was left out of input: the gateway has no tools of providers`);
    } else if (HOSTED_HISTORY.test(kind) || REFUSED_KINDS.test(kind)) {
      const message = `The gateway has no tools of providers: leave out ${kind}`;
      throw new Fault('not_supported', message, { param: field });
    } else this.add(`${field}.type`, 'must be a kind of item that the gateway knows');
  }
}
