import { invalid, type Problem } from '../../../contract/codes/faults.ts';
import { AGENT_DEFAULTS } from '../../../contract/families/agents.ts';
import { replaceValue } from '../../../resources/record/merge.ts';
import type { AgentDefinitionInput } from '../inputSchemas.ts';
import type { AgentNames } from './references.ts';
import { runtimeProblems } from './runtimeTypes.ts';
import { type AgentInput, LATER } from './stored.ts';

export const DEFAULTS: AgentInput = {
  ...AGENT_DEFAULTS,
  ...LATER,
  description: '',
  system_prompt: '',
  task_prompt: '',
  llm: null,
  mcps: [],
  knowledge_bases: [],
};

/** Null restores the default. @throws Fault `validation_failed` */
export function merge(base: AgentInput, patch: AgentDefinitionInput): AgentInput {
  const next: AgentInput = {
    description: replaceValue(base.description, patch.description, ''),
    is_enabled: patch.is_enabled ?? base.is_enabled,
    runtime_type: patch.runtime_type ?? base.runtime_type,
    runtime: patch.runtime === null ? undefined : (patch.runtime ?? base.runtime),
    system_prompt: replaceValue(base.system_prompt, patch.system_prompt, ''),
    task_prompt: replaceValue(base.task_prompt, patch.task_prompt, ''),
    llm: mergeLlm(base.llm, patch.llm),
    mcps: mergeMcps(base.mcps, patch.mcps),
    knowledge_bases: replaceValue(base.knowledge_bases, patch.knowledge_bases, []),
    agent_timeout: patch.agent_timeout ?? base.agent_timeout,
    max_steps: patch.max_steps ?? base.max_steps,
    max_tokens_per_run: replaceValue<number | undefined>(base.max_tokens_per_run, patch.max_tokens_per_run, undefined),
    approve_tools: patch.approve_tools ?? base.approve_tools,
    approve_tools_named: [...new Set(replaceValue(base.approve_tools_named, patch.approve_tools_named, []))],
  };
  const problems = [
    ...runtimeProblems(next),
    ...llmProblems(next.llm),
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
function mergeLlm(base: AgentInput['llm'], llm: AgentDefinitionInput['llm']): AgentInput['llm'] {
  if (llm === undefined || llm === null || base === null) return replaceValue(base, llm, null);
  const { service, connection_name, model, max_tokens, response_variability, ...unknown } = base;
  return { ...unknown, ...llm };
}

/** As `mergeLlm`, for the connections that stay. */
function mergeMcps(base: AgentInput['mcps'], mcps: AgentDefinitionInput['mcps']): AgentInput['mcps'] {
  const unknown = new Map(base.map(({ name, tools, none, ...rest }) => [name.toLowerCase(), rest]));
  if (mcps === undefined) return base;
  return (mcps ?? []).map(({ name, tools }) => ({
    ...unknown.get(name.toLowerCase()),
    name,
    tools: [...new Set(tools)],
    ...(tools?.length === 0 && { none: true as const }),
  }));
}

/** A configuration is named by all of its parts; a model alone is a reference. */
function llmProblems(llm: AgentInput['llm']): Problem[] {
  if (!llm) return [];
  const parts = ['service', 'connection_name'] as const;
  const missing = parts.filter((part) => llm[part] === undefined);
  if (missing.length !== 1) return [];
  const message = 'is required: give service and connection_name, or model alone';
  return missing.map((part) => ({ field: `llm.${part}`, message }));
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

const same = (a = '', b = '') => a.toLowerCase() === b.toLowerCase();

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
  const container = next.runtime?.container === before.runtime?.container ? undefined : next.runtime?.container;
  return { llm: isSameLlm ? null : next.llm, mcps, knowledge_bases, container };
}
