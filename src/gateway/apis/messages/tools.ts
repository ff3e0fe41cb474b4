import type { Static } from 'typebox';
import { isObject, type Json } from '../../../contract/basics.ts';
import { Fault, type Problem } from '../../../contract/codes/faults.ts';
import type { ChatRequest, ChatTool } from '../../../families/llm-providers/public.ts';
import { cacheOf, schemaSizeProblems, text } from '../../models/chatParts.ts';
import type { MessagesBody } from './schemas.ts';

type Body = Pick<Static<typeof MessagesBody>, 'tools' | 'tool_choice'>;
type Tool = NonNullable<Body['tools']>[number];
type Tools = Pick<ChatRequest, 'tools' | 'toolChoice' | 'parallelToolCalls'>;

/** Tools that Anthropic runs itself. Its other typed tools are run by the client, but their schemas are known to Anthropic alone. */
const HOSTED = /^(?:web_search|web_fetch|code_execution|tool_search_tool|advisor)_|^mcp_toolset$/;

/** @throws Fault `not_supported` for tools that cannot be offered, and hosted ones that the model would have to call */
export function toTools(body: Body, problems: Problem[], warnings: string[]): Tools {
  const given = body.tools ?? [];
  const own = given.flatMap((tool, index) => (isOwn(tool) ? [toTool(tool, `tools.${index}`, problems)] : []));
  const choice = isObject(body.tool_choice) ? body.tool_choice : {};
  for (const [index, tool] of given.entries()) {
    if (isOwn(tool)) continue;
    const isChosen = choice.type === 'tool' && choice.name === nameOf(tool);
    if (!HOSTED.test(String(tool.type)) || own.length === 0 || isChosen) throw refusalOf(tool, index);
    warnings.push(`${placeOf(tool, index)} was left out: the gateway runs no tools of this kind`);
  }
  const tools = own.length > 0 ? own : undefined;
  return { tools, toolChoice: toChoice(body.tool_choice, own, problems), parallelToolCalls: toParallel(choice) };
}

const isOwn = ({ type }: Tool): boolean => type === undefined || type === null || type === '' || type === 'custom';
const nameOf = ({ name, mcp_server_name: server }: Tool & Json): unknown => name ?? server;
const placeOf = ({ type }: Tool, index: number): string => `tools.${index}, a tool of the type ${type},`;

function refusalOf(tool: Tool, index: number): Fault {
  const message = `The gateway does not support tools.${index}: a tool of the type ${tool.type}, whose work or schema is known to Anthropic alone. Send a tool with an input_schema instead.`;
  return new Fault('not_supported', message, { param: `tools.${index}` });
}

function toTool(tool: Tool, field: string, problems: Problem[]): ChatTool {
  const { name, description, input_schema: parameters, strict } = tool;
  if (!name) problems.push({ field: `${field}.name`, message: 'is required' });
  problems.push(...schemaSizeProblems(parameters, `${field}.input_schema`));
  return {
    name: name ?? '',
    description: description ?? undefined,
    parameters: parameters ?? { type: 'object', properties: {} },
    strict: strict ?? undefined,
    ...cacheOf(tool, field, problems),
  };
}

const CHOICES: Readonly<Record<string, ChatRequest['toolChoice']>> = { auto: 'auto', any: 'required', none: 'none' };

function toChoice(choice: unknown, tools: readonly ChatTool[], problems: Problem[]): ChatRequest['toolChoice'] {
  if (choice === undefined || choice === null) return undefined;
  const type = isObject(choice) ? text(choice.type) : undefined;
  const chosen = type !== undefined && Object.hasOwn(CHOICES, type) ? CHOICES[type] : undefined;
  if (chosen !== undefined) return chosen;
  if (type !== 'tool') {
    problems.push({ field: 'tool_choice', message: 'must be {type: auto}, any, none, or {type: tool, name}' });
    return undefined;
  }
  const { name } = choice as Json;
  if (tools.some((tool) => tool.name === name)) return { name: String(name) };
  problems.push({ field: 'tool_choice.name', message: 'must be the name of one of the tools' });
  return undefined;
}

const toParallel = ({ disable_parallel_tool_use: isSingle }: Json): false | undefined =>
  isSingle === true ? false : undefined;
