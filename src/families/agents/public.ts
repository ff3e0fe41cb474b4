import { append } from '../../contract/basics.ts';
import type { Caller } from '../../contract/caller.ts';
import type { LlmReference } from '../../contract/schemas/llmReference.ts';
import { mayRead } from '../../domain/access/acl.ts';
import type { AgentReference } from '../../domain/connections/connectionHealth.ts';
import { fitsReference } from '../../domain/values/modelReference.ts';
import type { RecordStore } from '../../ports/stores/recordStore.ts';
import { assertNoUsers, type Users } from '../../resources/users.ts';
import { agentSpec } from './records/records.ts';
import { type AgentStored, configurationOf } from './records/stored.ts';

export { agentCodec } from './codec.ts';
export type { AgentDefinition, AgentDefinitions, RunnableAgent } from './records/definition.ts';

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
  llm: ({ llm }, configuration) => {
    if (!llm) return false;
    const { service, connection_name, model } = configurationOf(llm) ?? {};
    if (service === undefined || connection_name === undefined) return fitsReference(configuration, llm.model);
    return (
      service === configuration.service &&
      same(connection_name, configuration.connection_name) &&
      model === configuration.model
    );
  },
  alias: (agent, name) => same(referenceOf(agent) ?? '', name),
};

/** A model reference, which can also be an alias. */
const referenceOf = ({ llm }: AgentReferences): string | undefined =>
  llm && !configurationOf(llm) ? llm.model : undefined;

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
  /** Model reference -> agents. */
  const byModel = new Map<string, Set<string>>();
  const keyOf = ({ kind, name }: AgentReference) => `${kind} ${name.toLowerCase()}`;
  for await (const agents of readReferences(records, NAMING)) {
    for (const agent of agents.filter((one) => mayRead(caller, one))) {
      for (const key of referencesOf(agent).map(keyOf)) addTo(users, key, agent.name);
      const model = referenceOf(agent);
      if (model !== undefined) addTo(byModel, model, agent.name);
    }
  }
  return (reference) => {
    const models = [...byModel].filter(([model]) => namesModelOf(reference, model));
    return [...new Set([...(users.get(keyOf(reference)) ?? []), ...models.flatMap(([, names]) => [...names])])].sort();
  };
}

function addTo(users: Map<string, Set<string>>, key: string, name: string): void {
  const names = users.get(key) ?? new Set();
  users.set(key, names.add(name));
}

/** Whether a model reference fits a model of this LLM connection. */
function namesModelOf({ kind, name, models = [] }: AgentReference, model: string): boolean {
  const [service = '', ...rest] = name.split('/');
  const connection_name = rest.join('/');
  return kind === 'llm' && models.some((one) => fitsReference({ service, connection_name, model: one }, model));
}

function referencesOf(agent: AgentReferences): AgentReference[] {
  const { mcps = [], knowledge_bases = [], llm = null } = agent;
  const configuration = configurationOf(llm);
  const alias = referenceOf(agent);
  return [
    ...mcps.map(({ name }) => ({ kind: 'mcp' as const, name })),
    ...knowledge_bases.map((name) => ({ kind: 'knowledge_base' as const, name })),
    ...(configuration
      ? [{ kind: 'llm' as const, name: `${configuration.service}/${configuration.connection_name}` }]
      : []),
    ...(alias === undefined ? [] : [{ kind: 'alias' as const, name: alias }]),
  ];
}

/** An agent that is damaged elsewhere still uses what it names. */
const readReferences = (
  records: RecordStore,
  naming: readonly (typeof NAMING)[number][],
): AsyncIterable<AgentReferences[]> =>
  records.chunks<AgentReferences>(agentSpec.collection, { fields: ['name', 'acl', ...naming] });
