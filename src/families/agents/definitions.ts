import { invalid } from '../../contract/codes/faults.ts';
import { mayRead, mayWrite } from '../../domain/access/acl.ts';
import { recordKey } from '../../domain/values/keys.ts';
import { readableRecords } from '../../resources/access.ts';
import type { ReferenceSite } from '../model-aliases/public.ts';
import { type AgentDefinitions, definitionOf, runnableAgent } from './records/definition.ts';
import { DEFAULTS, merge } from './records/input.ts';
import { agentSpec } from './records/records.ts';
import { assertNamesKnown } from './records/references.ts';
import { cloudOf } from './records/runtimeTypes.ts';
import type { AgentStored } from './records/stored.ts';

export const agentDefinitions = (site: ReferenceSite): AgentDefinitions => ({
  async read(caller, name) {
    const options = { query: { _key: recordKey(name) }, limit: 1 };
    const [record] = await site.records.find<AgentStored>(agentSpec.collection, options);
    return record && mayRead(caller, record) ? runnableAgent(caller, record) : undefined;
  },
  async runnable(caller) {
    const fields = ['name', 'description', 'acl', 'is_enabled', 'state'] as const;
    const agents = await readableRecords<AgentStored>(site.records, caller, agentSpec.collection, fields);
    return agents
      .filter(({ is_enabled, state }) => is_enabled && state === 'Available')
      .map(({ name, description }) => ({ name, description }));
  },
  async writable(caller) {
    const fields = ['name', 'acl', 'created_at'] as const;
    const agents = await readableRecords<AgentStored>(site.records, caller, agentSpec.collection, fields);
    return agents
      .filter((agent) => mayWrite(caller, agent))
      .map(({ name, created_at }) => ({ agent: name, agent_created_at: created_at }));
  },
  async complete(caller, input) {
    const fields = merge({ ...DEFAULTS, runtime_type: 'BUILT_IN' }, input);
    if (cloudOf(fields) !== undefined) {
      const message = `runs saved agents only, whose runtime exists; use BUILT_IN or CONTAINER, or save the agent`;
      throw invalid([{ field: 'runtime_type', message }]);
    }
    await assertNamesKnown(site, caller, fields);
    return definitionOf(fields);
  },
  assertReadable: (caller, { llm, mcps, knowledge_bases }) =>
    assertNamesKnown(site, caller, { llm, mcps: mcps.map(({ name }) => ({ name, tools: [] })), knowledge_bases }),
});
