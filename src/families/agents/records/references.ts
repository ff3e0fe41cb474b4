import type { Caller } from '../../../contract/caller.ts';
import { Fault, type Problem } from '../../../contract/codes/faults.ts';
import type { IsPlanned } from '../../../contract/rows/internalCalls.ts';
import type { RecordStore } from '../../../ports/stores/recordStore.ts';
import { isReadableConfiguration } from '../../llm-providers/public.ts';
import { readableConnection, toolsForAgents } from '../../mcp-connections/public.ts';
import { isReadableStore } from '../../vector-stores/public.ts';

/** References from an agent to records of other families. */
export interface AgentNames {
  llm: { service: string; connection_name: string; model: string } | null;
  mcps: readonly { name: string; tools: readonly string[] }[];
  knowledge_bases: readonly string[];
}

/**
 * Answers the same for a missing and an unreadable record, so that names cannot be probed.
 * @param isPlanned whether the current import will create the record
 * @throws Fault `unknown_reference` with every unknown name in `errors`
 */
export async function assertNamesKnown(
  records: RecordStore,
  caller: Caller,
  { llm, mcps, knowledge_bases }: AgentNames,
  isPlanned: IsPlanned = () => false,
): Promise<void> {
  const isLlmPlanned = llm !== null && isPlanned('llm-providers', `${llm.service}/${llm.connection_name}/${llm.model}`);
  const found = await Promise.all([
    isLlmPlanned ? [] : llmProblems(records, caller, llm),
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
  ]);
  const errors = found.flat();
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
  const known = new Set(offered);
  return tools.flatMap((tool, index) =>
    known.has(tool)
      ? []
      : [
          {
            field: `${field}.tools.${index}`,
            message: `the MCP connection ${name} does not offer agents a tool ${tool}`,
          },
        ],
  );
}

async function storeProblems(records: RecordStore, caller: Caller, name: string, field: string): Promise<Problem[]> {
  if (await isReadableStore(records, caller, name)) return [];
  return [{ field, message: `there is no vector store ${name}, or you may not read it` }];
}

async function llmProblems(records: RecordStore, caller: Caller, llm: AgentNames['llm']): Promise<Problem[]> {
  if (!llm || (await isReadableConfiguration(records, caller, llm))) return [];
  return [{ field: 'llm', message: 'there is no such LLM configuration, or you may not read it' }];
}
