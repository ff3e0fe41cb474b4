import type { Caller } from '../../../contract/caller.ts';
import type { RecordStore } from '../../../ports/stores/recordStore.ts';
import { assertNoUsers } from '../../../resources/users.ts';
import { agentsNaming } from '../../agents/public.ts';
import { aliasesNaming } from '../../model-aliases/public.ts';
import type { LlmIdentity } from './connection.ts';

/** @throws Fault `in_use` with the agents and aliases that the caller may read in `used_by` */
export async function assertUnused(records: RecordStore, caller: Caller, identity: LlmIdentity): Promise<void> {
  const [agents, aliases] = await Promise.all([
    agentsNaming(records, 'llm', identity),
    aliasesNaming(records, identity),
  ]);
  assertNoUsers(caller, agents, aliases);
}
