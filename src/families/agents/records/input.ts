import { invalid, type Problem } from '../../../contract/codes/faults.ts';
import { AGENT_DEFAULTS } from '../../../contract/families/agents.ts';
import { replaceValue } from '../../../resources/merge.ts';
import type { AgentCreate } from '../schemas.ts';
import type { AgentStored } from './records.ts';
import type { AgentNames } from './references.ts';

/** The part of a record that callers write. */
export type AgentInput = Pick<
  AgentStored,
  | 'description'
  | 'is_enabled'
  | 'runtime_type'
  | 'system_prompt'
  | 'task_prompt'
  | 'llm'
  | 'mcps'
  | 'knowledge_bases'
  | 'agent_timeout'
>;

export const DEFAULTS: AgentInput = {
  ...AGENT_DEFAULTS,
  description: '',
  system_prompt: '',
  task_prompt: '',
  llm: null,
  mcps: [],
  knowledge_bases: [],
};

/** Null restores the default. @throws Fault `validation_failed` */
export function merge(base: AgentInput, patch: Partial<AgentCreate>): AgentInput {
  const next: AgentInput = {
    description: replaceValue(base.description, patch.description, ''),
    is_enabled: patch.is_enabled ?? base.is_enabled,
    runtime_type: patch.runtime_type ?? base.runtime_type,
    system_prompt: replaceValue(base.system_prompt, patch.system_prompt, ''),
    task_prompt: replaceValue(base.task_prompt, patch.task_prompt, ''),
    llm: mergeLlm(base.llm, patch.llm),
    mcps: mergeMcps(base.mcps, patch.mcps),
    knowledge_bases: replaceValue(base.knowledge_bases, patch.knowledge_bases, []),
    agent_timeout: patch.agent_timeout ?? base.agent_timeout,
  };
  const problems = [
    ...duplicateProblems(
      next.mcps.map((mcp) => mcp.name),
      (index) => `mcps.${index}.name`,
    ),
    ...duplicateProblems(next.knowledge_bases, (index) => `knowledge_bases.${index}`),
  ];
  if (problems.length > 0) throw invalid(problems);
  return next;
}

/** The values are replaced; fields that only another version of the app knows stay. */
function mergeLlm(base: AgentInput['llm'], llm: AgentCreate['llm']): AgentInput['llm'] {
  if (llm === undefined || llm === null || base === null) return replaceValue(base, llm, null);
  const { service, connection_name, model, max_tokens, response_variability, ...unknown } = base;
  return { ...unknown, ...llm };
}

/** As `mergeLlm`, for the connections that stay. */
function mergeMcps(base: AgentInput['mcps'], mcps: AgentCreate['mcps']): AgentInput['mcps'] {
  const unknown = new Map(base.map(({ name, tools, ...rest }) => [name.toLowerCase(), rest]));
  return replaceValue<NonNullable<AgentCreate['mcps']>>(base, mcps, []).map(({ name, tools }) => ({
    ...unknown.get(name.toLowerCase()),
    name,
    tools: [...new Set(tools ?? [])],
  }));
}

/** Names are compared without regard to case. */
function duplicateProblems(names: readonly string[], field: (index: number) => string): Problem[] {
  const seen = new Set<string>();
  return names.flatMap((name, index) => {
    const isNew = !seen.has(name.toLowerCase());
    seen.add(name.toLowerCase());
    return isNew ? [] : [{ field: field(index), message: 'is named twice' }];
  });
}

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

/** Only added names are checked, so that an agent can be changed after a record that it names was deleted. */
export function addedNames(before: AgentInput, next: AgentInput): AgentNames {
  const isSameLlm =
    before.llm !== null &&
    next.llm !== null &&
    before.llm.service === next.llm.service &&
    same(before.llm.connection_name, next.llm.connection_name) &&
    before.llm.model === next.llm.model;
  const toolsByName = new Map(before.mcps.map(({ name, tools }) => [name.toLowerCase(), new Set(tools)]));
  const mcps = next.mcps.flatMap((mcp) => {
    const known = toolsByName.get(mcp.name.toLowerCase());
    if (!known) return [mcp];
    const tools = mcp.tools.filter((tool) => !known.has(tool));
    return tools.length > 0 ? [{ name: mcp.name, tools }] : [];
  });
  const knownBases = new Set(before.knowledge_bases.map((name) => name.toLowerCase()));
  const knowledge_bases = next.knowledge_bases.filter((name) => !knownBases.has(name.toLowerCase()));
  return { llm: isSameLlm ? null : next.llm, mcps, knowledge_bases };
}
