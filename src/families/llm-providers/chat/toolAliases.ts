import { createHash } from 'node:crypto';
import { isObject } from '../../../contract/basics.ts';
import { stringifyExact } from '../../../contract/exactJson.ts';
import { argumentsOf } from '../../../domain/values/json.ts';
import type { ChatAnswer, ChatMessage, ChatRequest, ChatTool, ToolCall } from './chat.ts';

/** Names of tools at most providers. MCP allows longer ones, with dots. */
const TOOL_NAME = /^[A-Za-z0-9_-]{1,64}$/;
/** Names of parameters of tools at Anthropic, and at Bedrock for its models. */
export const ANTHROPIC_PARAMETER = /^[A-Za-z0-9_.-]{1,64}$/;
const CALL_ID = /^[A-Za-z0-9_-]{1,64}$/;

export interface AliasedRequest<T extends ChatRequest> {
  request: T;
  /** Gives the calls of an answer their tools' own names. */
  restore(answer: ChatAnswer): ChatAnswer;
}

/** Replaces tool names that the provider would refuse. */
export function aliasTools<T extends ChatRequest>(request: T, allowed: RegExp = TOOL_NAME): AliasedRequest<T> {
  const { messages, tools = [], toolChoice } = request;
  const names = new Set([...tools.map(({ name }) => name), ...callsOf(messages).map(({ name }) => name)]);
  const aliases = new Map<string, string>();
  const taken = new Set([...names].filter((name) => allowed.test(name)));
  for (const name of names) {
    if (allowed.test(name)) continue;
    const alias = aliasOf(name, taken);
    taken.add(alias);
    aliases.set(name, alias);
  }
  if (aliases.size === 0) return { request, restore: (answer) => answer };
  const own = new Map([...aliases].map(([name, alias]) => [alias, name]));
  const renamed = <T extends { name: string }>(named: T, map: ReadonlyMap<string, string>): T => ({
    ...named,
    name: map.get(named.name) ?? named.name,
  });
  return {
    request: {
      ...request,
      tools: request.tools?.map((tool) => renamed(tool, aliases)),
      toolChoice: typeof toolChoice === 'object' ? renamed(toolChoice, aliases) : toolChoice,
      messages: messages.map((message) =>
        message.role === 'assistant'
          ? { ...message, toolCalls: message.toolCalls?.map((call) => renamed(call, aliases)) }
          : message,
      ),
    },
    restore: (answer) => ({ ...answer, toolCalls: answer.toolCalls.map((call) => renamed(call, own)) }),
  };
}

/** Replaces names of tools' parameters that the provider would refuse, such as `$filter`. */
export function aliasParameters<T extends ChatRequest>(request: T, allowed: RegExp | undefined): AliasedRequest<T> {
  const { messages, tools = [] } = request;
  const aliases = new Map(tools.flatMap((tool) => parameterAliases(tool, allowed)));
  if (aliases.size === 0) return { request, restore: (answer) => answer };
  const own = new Map(
    [...aliases].map(([tool, map]) => [tool, new Map([...map].map(([name, alias]) => [alias, name]))]),
  );
  return {
    request: {
      ...request,
      tools: tools.map((tool) => withParameters(tool, aliases.get(tool.name))),
      messages: messages.map((message) =>
        message.role === 'assistant'
          ? { ...message, toolCalls: message.toolCalls?.map((call) => withArguments(call, aliases)) }
          : message,
      ),
    },
    restore: (answer) => ({ ...answer, toolCalls: answer.toolCalls.map((call) => withArguments(call, own)) }),
  };
}

type Names = ReadonlyMap<string, string>;

function parameterAliases({ name: tool, parameters }: ChatTool, allowed: RegExp | undefined): [string, Names][] {
  if (!allowed || !isObject(parameters.properties)) return [];
  const names = Object.keys(parameters.properties);
  const taken = new Set(names.filter((name) => allowed.test(name)));
  const aliases = new Map<string, string>();
  for (const name of names) {
    if (taken.has(name)) continue;
    const alias = aliasOf(name, taken);
    taken.add(alias);
    aliases.set(name, alias);
  }
  return aliases.size === 0 ? [] : [[tool, aliases]];
}

function withParameters(tool: ChatTool, names: Names | undefined): ChatTool {
  const { properties, required, ...schema } = tool.parameters;
  if (!names || !isObject(properties)) return tool;
  const listed = Array.isArray(required) ? { required: required.map((name) => names.get(name) ?? name) } : {};
  return { ...tool, parameters: { ...schema, properties: renamedKeys(properties, names), ...listed } };
}

function withArguments(call: ToolCall, aliases: ReadonlyMap<string, Names>): ToolCall {
  const names = aliases.get(call.name);
  const args = names && argumentsOf(call.arguments);
  return args ? { ...call, arguments: stringifyExact(renamedKeys(args, names)) } : call;
}

const renamedKeys = (object: Record<string, unknown>, names: Names): Record<string, unknown> =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [names.get(name) ?? name, value]));

function aliasOf(name: string, taken: ReadonlySet<string>): string {
  const plain = name.replace(/[^A-Za-z0-9_-]/g, '_').replace(/^(?![A-Za-z_])/, '_');
  if (plain.length <= 64 && !taken.has(plain)) return plain;
  return `${plain.slice(0, 51)}_${createHash('sha256').update(name).digest('hex').slice(0, 12)}`;
}

/** Replaces call ids that are repeated or that a provider would refuse, in the calls and in their results. */
export function pairCalls(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const usedIds = new Set<string>();
  const latest = new Map<string, string>();
  const idOf = (id: string): string => {
    let callId = CALL_ID.test(id) ? id : `call_${usedIds.size}`;
    for (let more = 0; usedIds.has(callId); more++) callId = `call_${usedIds.size}_${more}`;
    usedIds.add(callId);
    latest.set(id, callId);
    return callId;
  };
  return messages.map((message) => {
    if (message.role === 'tool')
      return { ...message, toolCallId: latest.get(message.toolCallId) ?? message.toolCallId };
    if (message.role !== 'assistant' || message.toolCalls === undefined) return message;
    return { ...message, toolCalls: message.toolCalls.map((call) => ({ ...call, id: idOf(call.id) })) };
  });
}

const callsOf = (messages: readonly ChatMessage[]): ToolCall[] =>
  messages.flatMap((message) => (message.role === 'assistant' ? [...(message.toolCalls ?? [])] : []));
