import type { Problem } from '../../../contract/codes/faults.ts';
import type { AgentDefinitionInput, AgentInput, AgentStored } from '../definition.ts';
import type { AgentNames } from './references.ts';
import { runtimeProblems } from './runtimeTypes.ts';

export const mergeAgent = (
  base: Pick<AgentStored, 'llm' | 'mcps'> | undefined,
  { llm, mcps }: AgentDefinitionInput,
): Pick<AgentInput, 'llm' | 'mcps'> => ({
  llm: mergeLlm(base?.llm ?? null, llm),
  mcps: mergeMcps(base?.mcps ?? [], mcps),
});

export const problemsOf = (next: AgentInput): Problem[] => [
  ...runtimeProblems(next),
  ...llmProblems(next.llm),
  ...duplicateProblems(
    next.mcps.map((mcp) => mcp.name),
    (index) => `mcps.${index}.name`,
  ),
  ...duplicateProblems(next.knowledge_bases, (index) => `knowledge_bases.${index}`),
];

/** The values are replaced; fields that only another version of the app knows stay. */
function mergeLlm(base: AgentInput['llm'], llm: AgentDefinitionInput['llm']): AgentInput['llm'] {
  if (llm === undefined) return base;
  if (llm === null || base === null) return llm;
  const { service, connection_name, model, max_tokens, response_variability, ...unknown } = base;
  return { ...unknown, ...llm };
}

/** As `mergeLlm`, for the connections that stay. */
function mergeMcps(base: AgentInput['mcps'], mcps: AgentDefinitionInput['mcps']): AgentInput['mcps'] {
  const unknown = new Map(base.map(({ name, tools, none, ...otherFields }) => [name.toLowerCase(), otherFields]));
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
  const lowercaseNames = new Set<string>();
  return names.flatMap((name, index) => {
    const isNew = !lowercaseNames.has(name.toLowerCase());
    lowercaseNames.add(name.toLowerCase());
    return isNew ? [] : [{ field: field(index), message: 'is named twice' }];
  });
}

type Names = Pick<AgentInput, 'llm' | 'mcps' | 'knowledge_bases' | 'runtime'> & { search_tools?: string[] | undefined };

const same = (a = '', b = '') => a.toLowerCase() === b.toLowerCase();

/** Only added names are checked, so that an agent can be changed after a record that it names was deleted. */
export function addedNames(before: Names, next: Names): AgentNames {
  const isSameLlm =
    before.llm !== null &&
    next.llm !== null &&
    before.llm.service === next.llm.service &&
    same(before.llm.connection_name, next.llm.connection_name) &&
    before.llm.model === next.llm.model;
  const toolsByName = new Map(before.mcps.map(({ name, tools }) => [name.toLowerCase(), new Set(tools)]));
  const mcps = next.mcps.flatMap((mcp) => {
    const savedTools = toolsByName.get(mcp.name.toLowerCase());
    if (!savedTools) return [mcp];
    const tools = mcp.tools.filter((tool) => !savedTools.has(tool));
    return tools.length > 0 ? [{ name: mcp.name, tools }] : [];
  });
  const knownBases = new Set(before.knowledge_bases.map((name) => name.toLowerCase()));
  const knowledge_bases = next.knowledge_bases.filter((name) => !knownBases.has(name.toLowerCase()));
  const knownTools = new Set(before.search_tools ?? []);
  const search_tools = (next.search_tools ?? []).filter((name) => !knownTools.has(name));
  const container = next.runtime?.container === before.runtime?.container ? undefined : next.runtime?.container;
  return { llm: isSameLlm ? null : next.llm, mcps, knowledge_bases, search_tools, container };
}
