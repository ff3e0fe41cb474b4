import type { Caller } from '../../../contract/caller.ts';
import { Fault, type Problem } from '../../../contract/codes/faults.ts';
import { isBuiltInSearchTool } from '../../../contract/families/searchTools.ts';
import type { IsPlanned } from '../../../contract/rows/internalCalls.ts';
import type { RecordStore } from '../../../ports/stores/recordStore.ts';
import { isReadableConfiguration } from '../../llm-providers/public.ts';
import { readableConnection, toolsForAgents } from '../../mcp-connections/public.ts';
import { type ReferenceSite, resolveModel } from '../../model-aliases/public.ts';
import { isReadableSearchTool } from '../../search-tools/public.ts';
import { isReadableStore } from '../../vector-stores/public.ts';
import type { AgentLlm } from '../schemas.ts';
import { configurationOf } from './stored.ts';

/** References from an agent to records of other families. */
export interface AgentNames {
  llm: AgentLlm | null;
  mcps: readonly { name: string; tools: readonly string[] }[];
  knowledge_bases: readonly string[];
  search_tools?: readonly string[] | undefined;
  container?: string | undefined;
}

/** Terms for a document that is imported. */
export interface ImportTerms {
  /** Whether the import will create the record. */
  isPlanned: IsPlanned;
  /** Receives the containers that do not exist: a document has none, they are started later. */
  warnings: string[];
}

/**
 * Answers the same for a missing and an unreadable record, so that names cannot be probed.
 * @throws Fault `unknown_reference` with every unknown name in `errors`; `ambiguous_reference`
 */
export async function assertNamesKnown(
  site: ReferenceSite,
  caller: Caller,
  { llm, mcps, knowledge_bases, search_tools = [], container }: AgentNames,
  imported?: ImportTerms,
): Promise<void> {
  const { records } = site;
  const isPlanned: IsPlanned = imported?.isPlanned ?? (() => false);
  const problemLists = await Promise.all([
    llm === null || isLlmPlanned(llm, isPlanned) ? [] : llmProblems(site, caller, llm),
    ...mcps.map(async (mcp, index) => {
      const problems = await mcpProblems(records, caller, mcp, `mcps.${index}`);
      // The tools of a planned connection are not known yet.
      return isPlanned('mcp-connections', mcp.name)
        ? problems.filter(({ field }) => !field.endsWith('.name'))
        : problems;
    }),
    ...knowledge_bases.map((name, index) =>
      isPlanned('vector-stores', name) ? [] : storeProblems(records, caller, name, `knowledge_bases.${index}`),
    ),
    ...search_tools.map((name, index) =>
      isBuiltInSearchTool(name) || isPlanned('search_tools', name)
        ? []
        : searchToolProblems(records, caller, name, `search_tools.${index}`),
    ),
  ]);
  const missing = await containerProblems(records, container);
  imported?.warnings.push(...missing.map(({ field, message }) => `${field}: ${message}`));
  const errors = [...problemLists.flat(), ...(imported ? [] : missing)];
  if (errors.length === 0) return;
  const text = errors.map((error) => `${error.field}: ${error.message}`).join('; ');
  throw new Fault('unknown_reference', text, { errors });
}

async function mcpProblems(
  records: RecordStore,
  caller: Caller,
  { name, tools }: AgentNames['mcps'][number],
  field: string,
): Promise<Problem[]> {
  const connection = await readableConnection(records, caller, name);
  if (!connection)
    return [{ field: `${field}.name`, message: `there is no MCP connection ${name}, or you may not read it` }];
  if (tools.length === 0) return [];
  const offered = await toolsForAgents(records, connection);
  // The tools were never listed, so they cannot be checked.
  if (offered === undefined) return [];
  const offeredTools = new Set(offered);
  return tools.flatMap((tool, index) =>
    offeredTools.has(tool)
      ? []
      : [
          {
            field: `${field}.tools.${index}`,
            message: `the MCP connection ${name} does not offer agents a tool ${tool}`,
          },
        ],
  );
}

async function containerProblems(records: RecordStore, name: string | undefined): Promise<Problem[]> {
  if (name === undefined) return [];
  // Most agents name none, and the family is large.
  const { isContainerKnown } = await import('../../containers/public.ts');
  if (await isContainerKnown(records, name)) return [];
  return [{ field: 'runtime.container', message: `there is no container ${name}: start it first` }];
}

async function storeProblems(records: RecordStore, caller: Caller, name: string, field: string): Promise<Problem[]> {
  if (await isReadableStore(records, caller, name)) return [];
  return [{ field, message: `there is no vector store ${name}, or you may not read it` }];
}

async function searchToolProblems(
  records: RecordStore,
  caller: Caller,
  name: string,
  field: string,
): Promise<Problem[]> {
  if (await isReadableSearchTool(records, caller, name)) return [];
  return [{ field, message: `there is no search tool ${name}, or you may not read it` }];
}

function isLlmPlanned(llm: AgentLlm, isPlanned: IsPlanned): boolean {
  const named = configurationOf(llm);
  if (named) return isPlanned('llm-providers', `${named.service}/${named.connection_name}/${named.model}`);
  return isPlanned('model_aliases', llm.model) || isPlanned('llm-providers', llm.model);
}

async function llmProblems(site: ReferenceSite, caller: Caller, llm: AgentLlm): Promise<Problem[]> {
  const named = configurationOf(llm);
  if (!named) return referenceProblems(site, caller, llm.model);
  if (await isReadableConfiguration(site.records, caller, named)) return [];
  return [{ field: 'llm', message: 'there is no such LLM configuration, or you may not read it' }];
}

/** @throws Fault `ambiguous_reference` */
async function referenceProblems(site: ReferenceSite, caller: Caller, reference: string): Promise<Problem[]> {
  try {
    await resolveModel(site, caller, reference);
    return [];
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const errors = [{ field: 'llm.model', message: error.message }];
    if (error.code === 'not_found') return errors;
    throw new Fault(error.code, error.message, { candidates: error.extra.candidates, errors });
  }
}
