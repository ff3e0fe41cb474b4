import { append } from '../../contract/basics.ts';
import type { Caller } from '../../contract/caller.ts';
import type { LlmReference } from '../../contract/schemas/llmReference.ts';
import { mayRead } from '../../domain/access/acl.ts';
import type { AgentReference } from '../../domain/connections/connectionHealth.ts';
import type { RecordStore } from '../../ports/stores/recordStore.ts';
import { assertNoUsers, type Users } from '../../resources/users.ts';
import { type AgentStored, agentSpec } from './records/records.ts';

export { agentCodec } from './codec.ts';

const NAMING = ['mcps', 'knowledge_bases', 'llm'] as const;
type AgentReferences = Pick<AgentStored, '_key' | 'name' | 'acl'> & Partial<Pick<AgentStored, (typeof NAMING)[number]>>;

/** Identities of the records that an agent can reference, by kind. */
export interface Named {
  mcp: string;
  knowledge_base: string;
  llm: LlmReference;
  alias: string;
}

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
const NAMES: { [K in keyof Named]: (agent: AgentReferences, named: Named[K]) => boolean } = {
  mcp: (agent, name) => (agent.mcps ?? []).some((item) => same(item.name, name)),
  knowledge_base: (agent, name) => (agent.knowledge_bases ?? []).some((item) => same(item, name)),
  llm: ({ llm }, { service, connection_name, model }) =>
    llm?.service === service && same(llm.connection_name, connection_name) && llm.model === model,
  alias: (agent, name) => same(aliasOf(agent) ?? '', name),
};

/** `llm.model` without a service is a model reference, which can be an alias. */
const aliasOf = ({ llm }: AgentReferences): string | undefined =>
  llm && llm.service === undefined ? llm.model : undefined;

const FIELDS: Record<keyof Named, (typeof NAMING)[number]> = {
  mcp: 'mcps',
  knowledge_base: 'knowledge_bases',
  llm: 'llm',
  alias: 'llm',
};

/** @throws Fault `in_use` with the agents that the caller may read in `used_by` */
export async function assertUnused<K extends keyof Named>(
  records: RecordStore,
  caller: Caller,
  kind: K,
  named: Named[K],
): Promise<void> {
  assertNoUsers(caller, await agentsNaming(records, kind, named));
}

export async function agentsNaming<K extends keyof Named>(
  records: RecordStore,
  kind: K,
  named: Named[K],
): Promise<Users> {
  const users: AgentReferences[] = [];
  for await (const agents of readReferences(records, [FIELDS[kind]])) {
    append(
      users,
      agents.filter((agent) => NAMES[kind](agent, named)),
    );
  }
  return { kind: 'agents', records: users };
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

function referencesOf(agent: AgentReferences): AgentReference[] {
  const { mcps = [], knowledge_bases = [], llm } = agent;
  const alias = aliasOf(agent);
  return [
    ...mcps.map(({ name }) => ({ kind: 'mcp' as const, name })),
    ...knowledge_bases.map((name) => ({ kind: 'knowledge_base' as const, name })),
    ...(llm && alias === undefined ? [{ kind: 'llm' as const, name: `${llm.service}/${llm.connection_name}` }] : []),
    ...(alias === undefined ? [] : [{ kind: 'alias' as const, name: alias }]),
  ];
}

/** An agent that is damaged elsewhere still uses what it names. */
const readReferences = (
  records: RecordStore,
  naming: readonly (typeof NAMING)[number][],
): AsyncIterable<AgentReferences[]> =>
  records.chunks<AgentReferences>(agentSpec.collection, { fields: ['name', 'acl', ...naming] });
