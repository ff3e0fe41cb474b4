import type { RunnableAgent } from '../../families/agents/public.ts';
import type { RecordStore } from '../../ports/stores/recordStore.ts';
import { unpacked } from './documents/packed.ts';
import { RUNS, type RunDoc } from './documents/stored.ts';
import type { RunStore } from './runStore.ts';
import { answerBlocks, type RunMessage, textOf } from './steps/messages.ts';

/** Maximum of messages from earlier runs. */
const MAX_MESSAGES = 50;

/**
 * Messages of the user's earlier runs of a session that succeeded, oldest first: those of this agent, or those of definitions. A call and
 * its result stay together, and every run begins with its question.
 * @param agent undefined for a definition
 */
export async function sessionOf(
  store: RunStore,
  records: RecordStore,
  user: string,
  agent: Pick<RunnableAgent, 'name' | 'created_at'> | undefined,
  session_id: string,
): Promise<Required<Pick<RunDoc, 'history' | 'session_runs'>>> {
  const ofAgent = agent ? { agent: agent.name, agent_created_at: agent.created_at } : { of_definition: true };
  const runs = await records.find<RunDoc>(RUNS, {
    query: { user, session_id, state: 'succeeded', ...ofAgent },
    fields: ['_key', 'input', 'json', 'output', 'usage', 'started_at'],
    sort: 'started_at:-1',
    limit: MAX_MESSAGES / 2,
  });
  let messages: RunMessage[] = [];
  const told: string[] = [];
  for (const run of runs.map(unpacked)) {
    const left = MAX_MESSAGES - messages.length;
    const blocks = await blocksOf(store, run);
    const part = lastBlocks(blocks, left - 1);
    // Older messages would leave a gap.
    if (part.length === 0) break;
    messages = [{ role: 'user', content: textOf(run.input) }, ...part.flat(), ...messages];
    told.unshift(run._key);
    if (part.length < blocks.length) break;
  }
  return { history: messages, session_runs: told };
}

/** The answers of a run; each comes with the calls that it asked for. */
async function blocksOf(store: RunStore, { _key, usage, output = '' }: RunDoc): Promise<RunMessage[][]> {
  // With one request, or none, no call came before the answer.
  if (usage.requests <= 1) return [[{ role: 'assistant', content: textOf(output) }]];
  return answerBlocks((await store.history(_key)).steps);
}

function lastBlocks(blocks: readonly RunMessage[][], most: number): RunMessage[][] {
  const taken: RunMessage[][] = [];
  let count = 0;
  for (const block of blocks.toReversed()) {
    count += block.length;
    if (count > most) break;
    taken.unshift(block);
  }
  return taken;
}
