import { isObject, type Json } from '../../../contract/basics.ts';
import type { Problem } from '../../../contract/codes/faults.ts';
import type { ChatRequest, ChatTool } from '../../../families/llm-providers/public.ts';
import { isHosted, isNothing, type NamedTool, notHosted, type ToolSet } from './tools.ts';

interface ChosenTools {
  /** Undefined where there are none. */
  tools: readonly ChatTool[] | undefined;
  toolChoice: ChatRequest['toolChoice'];
}

const FORMS =
  'must be auto, none, required, {type: function, name}, {type: custom, name} or {type: allowed_tools, mode, tools}';
const NO_SUCH_TOOL = 'must be a tool of the request';

/** @throws Fault `not_supported` for the choice of a hosted tool */
export function chooseTools(choice: unknown, set: ToolSet, problems: Problem[]): ChosenTools {
  const tools = set.callable.length > 0 ? set.callable.map(({ tool }) => tool) : undefined;
  if (choice === undefined || choice === null) return { tools, toolChoice: undefined };
  if (choice === 'auto' || choice === 'none' || choice === 'required') return { tools, toolChoice: choice };
  const { type } = isObject(choice) ? choice : {};
  if (!isObject(choice) || (type !== 'function' && type !== 'custom' && type !== 'allowed_tools' && !isHosted(type))) {
    problems.push({ field: 'tool_choice', message: FORMS });
    return { tools, toolChoice: undefined };
  }
  if (isHosted(type)) throw notHosted(type, placeOf(type, set) ?? 'tool_choice');
  if (type === 'allowed_tools') return allowedTools(choice, set, problems);
  const chosen = set.callable.find((tool) => isNamedBy(choice, tool));
  if (!chosen) problems.push({ field: 'tool_choice.name', message: NO_SUCH_TOOL });
  return { tools, toolChoice: chosen && { name: chosen.tool.name } };
}

const placeOf = (chosen: string, { hosted }: ToolSet): string | undefined =>
  hosted.find(({ type }) => type === chosen)?.field;

/** A choice may name a tool of a namespace with the namespace, without it, or by the name that the model knows. */
function isNamedBy(choice: Json, { kind, namespace, name, tool }: NamedTool): boolean {
  if (choice.type === 'namespace') return choice.name === namespace;
  if (choice.type !== kind) return false;
  if (!isNothing(choice.namespace)) return choice.namespace === namespace && choice.name === name;
  return choice.name === name || choice.name === tool.name;
}

/** The order of the tools stays, which caches of prompts go by. */
function allowedTools({ mode, tools }: Json, set: ToolSet, problems: Problem[]): ChosenTools {
  const toolChoice = mode === 'auto' || mode === 'required' ? mode : undefined;
  if (!toolChoice) problems.push({ field: 'tool_choice.mode', message: 'must be auto or required' });
  const allowed = new Set<NamedTool>();
  const hosted: { type: string; field: string }[] = [];
  for (const [index, entry] of (Array.isArray(tools) ? tools : []).entries()) {
    const field = `tool_choice.tools.${index}`;
    const matching = isObject(entry) ? set.callable.filter((tool) => isNamedBy(entry, tool)) : [];
    for (const tool of matching) allowed.add(tool);
    const type = isObject(entry) ? entry.type : undefined;
    const place = isHosted(type) ? placeOf(type, set) : undefined;
    if (isHosted(type) && place !== undefined) hosted.push({ type, field: place });
    else if (matching.length === 0) problems.push({ field, message: NO_SUCH_TOOL });
  }
  const [first] = hosted;
  if (first && allowed.size === 0 && problems.length === 0) throw notHosted(first.type, first.field);
  if (allowed.size === 0) problems.push({ field: 'tool_choice.tools', message: 'must name at least one tool' });
  return { tools: set.callable.filter((tool) => allowed.has(tool)).map(({ tool }) => tool), toolChoice };
}
