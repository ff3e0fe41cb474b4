import type { Caller } from '../../contract/caller.ts';
import type { AgentDefinition } from '../../families/agents/public.ts';
import { acceptedTools, type ToolPrint } from '../../families/mcp-connections/public.ts';
import type { RecordStore } from '../../ports/stores/recordStore.ts';
import type { AcceptedTools } from './documents/stored.ts';

/** The accepted tools of the connections of a definition, for those that were listed before. */
export async function acceptedOf(
  records: RecordStore,
  caller: Caller,
  { mcps }: AgentDefinition,
): Promise<AcceptedTools[]> {
  const listed = await Promise.all(
    mcps.map(async ({ name }) => ({ connection: name, tools: await acceptedTools(records, caller, name) })),
  );
  return listed.filter((entry): entry is AcceptedTools => entry.tools !== undefined);
}

/**
 * A definition as replies of runs show it: each tool with the fingerprint under which it was accepted when the run began. A tool that
 * was not accepted has none; where nothing was accepted and all tools are allowed, there is no list.
 */
export function shownDefinition({ mcps, ...definition }: AgentDefinition, accepted: readonly AcceptedTools[] = []) {
  return {
    ...definition,
    mcps: mcps.map(({ name, tools }) => {
      const own = accepted.find(({ connection }) => connection === name)?.tools;
      const shown = tools?.map((tool) => own?.find((print) => print.name === tool) ?? { name: tool }) ?? own;
      return { name, ...(shown ? { tools: shown satisfies readonly Partial<ToolPrint>[] } : {}) };
    }),
  };
}
