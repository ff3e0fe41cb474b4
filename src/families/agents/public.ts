import { append } from '../../contract/basics.ts';
import type { Caller } from '../../contract/caller.ts';
import { Fault } from '../../contract/codes/faults.ts';
import { mayRead } from '../../domain/access/acl.ts';
import type { AgentReference } from '../../domain/connections/connectionHealth.ts';
import type { RecordStore } from '../../ports/stores/recordStore.ts';
import { type AgentStored, agentSpec } from './records.ts';

export { agentCodec } from './codec.ts';

const NAMING = ['mcps', 'knowledge_bases', 'llm'] as const;
type AgentReferences = Pick<AgentStored, '_key' | 'name' | 'acl'> & Partial<Pick<AgentStored, (typeof NAMING)[number]>>;

/** Identities of the records that an agent can reference, by kind. */
export interface Named {
  mcp: string;
  knowledge_base: string;
  llm: { service: string; connection_name: string; model: string };
}

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
const NAMES: { [K in keyof Named]: (agent: AgentReferences, named: Named[K]) => boolean } = {
  mcp: (agent, name) => (agent.mcps ?? []).some((item) => same(item.name, name)),
  knowledge_base: (agent, name) => (agent.knowledge_bases ?? []).some((item) => same(item, name)),
  llm: ({ llm }, { service, connection_name, model }) =>
    llm?.service === service && same(llm.connection_name, connection_name) && llm.model === model,
};

const FIELDS: Record<keyof Named, (typeof NAMING)[number]> = {
  mcp: 'mcps',
  knowledge_base: 'knowledge_bases',
  llm: 'llm',
};

/** @throws Fault `in_use` with the agents that the caller may read in `used_by` */
export async function assertUnused<K extends keyof Named>(
  records: RecordStore,
  caller: Caller,
  kind: K,
  named: Named[K],
): Promise<void> {
  const users: AgentReferences[] = [];
  for await (const agents of readReferences(records, [FIELDS[kind]])) {
    append(
      users,
      agents.filter((agent) => NAMES[kind](agent, named)),
    );
  }
  if (users.length === 0) return;
  const readable = users.filter((agent) => mayRead(caller, agent)).map((agent) => agent.name);
  const hidden = users.length - readable.length;
  const list = [...readable, ...(hidden > 0 ? [`${hidden} that you may not read`] : [])].join(', ');
  throw new Fault('in_use', `It is used by agents: ${list}. Use force=true to delete it anyway.`, {
    used_by: readable,
  });
}

/** @returns a lookup from a reference to the sorted names of the readable agents that have it */
export async function findAgentUsers(
  records: RecordStore,
  caller: Caller,
): Promise<(reference: AgentReference) => readonly string[]> {
  const users = new Map<string, Set<string>>();
  const keyOf = ({ kind, name }: AgentReference) => `${kind} ${name.toLowerCase()}`;
  for await (const agents of readReferences(records, NAMING)) {
    for (const agent of agents.filter((one) => mayRead(caller, one))) {
      for (const key of referencesOf(agent).map(keyOf)) {
        const named = users.get(key) ?? new Set();
        users.set(key, named.add(agent.name));
      }
    }
  }
  return (reference) => [...(users.get(keyOf(reference)) ?? [])].sort();
}

function referencesOf({ mcps = [], knowledge_bases = [], llm }: AgentReferences): AgentReference[] {
  return [
    ...mcps.map(({ name }) => ({ kind: 'mcp' as const, name })),
    ...knowledge_bases.map((name) => ({ kind: 'knowledge_base' as const, name })),
    ...(llm ? [{ kind: 'llm' as const, name: `${llm.service}/${llm.connection_name}` }] : []),
  ];
}

/** An agent that is damaged elsewhere still uses what it names. */
const readReferences = (
  records: RecordStore,
  naming: readonly (typeof NAMING)[number][],
): AsyncIterable<AgentReferences[]> =>
  records.chunks<AgentReferences>(agentSpec.collection, { fields: ['name', 'acl', ...naming] });
