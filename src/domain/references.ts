import type { Caller } from '../contract/caller.ts';
import type { Acl } from '../contract/common.ts';
import { Fault } from '../contract/faults.ts';
import type { Doc, RecordStore } from '../ports/recordStore.ts';
import { mayRead } from './acl.ts';

/** The part of an agent's record that names other records. */
interface Naming extends Doc {
  name: string;
  acl: Acl;
  mcps?: { name: string }[];
  knowledge_bases?: string[];
}

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
const NAMES = {
  mcp: (agent: Naming, name: string) => (agent.mcps ?? []).some((item) => same(item.name, name)),
  knowledge_base: (agent: Naming, name: string) => (agent.knowledge_bases ?? []).some((item) => same(item, name)),
};

/**
 * Refuses to take away what agents use.
 * @throws Fault `in_use` with the agents that the caller may read in `used_by`
 */
export async function assertUnused(
  records: RecordStore,
  caller: Caller,
  kind: keyof typeof NAMES,
  name: string,
): Promise<void> {
  const fields = ['name', 'acl', 'mcps', 'knowledge_bases'];
  const agents = await records.find<Naming>('ml_agents', { fields });
  const users = agents.filter((agent) => NAMES[kind](agent, name));
  if (users.length === 0) return;
  const shown = users.filter((agent) => mayRead(caller, agent)).map((agent) => agent.name);
  const hidden = users.length - shown.length;
  const list = [...shown, ...(hidden > 0 ? [`${hidden} that you may not read`] : [])].join(', ');
  throw new Fault('in_use', `It is used by agents: ${list}; delete with force=true to do so all the same`, {
    used_by: shown,
  });
}
