import { createHash } from 'node:crypto';
import { stringifyExact } from '../../../contract/exactJson.ts';
import type { AgentRequest } from '../../../ports/cloud/agentCloud.ts';
import type { RunDoc } from '../documents/stored.ts';

/** The request to an agent that runs elsewhere: names of models, tools and stores, and no credential. */
export function requestOf(run: RunDoc): AgentRequest {
  const { system_prompt, task_prompt, llm, mcps, knowledge_bases } = run.definition;
  const body = { input: run.input, system_prompt, task_prompt, llm, tools: { mcps, knowledge_bases } };
  return { body: stringifyExact(body), session: sessionOf(run) };
}

/**
 * The session of a run where the agent runs: 64 hexadecimal digits. Sessions of two users or agents are never the same, and a run
 * without a session has one of its own.
 */
export function sessionOf({ run_id, user, agent, agent_created_at, definition, session_id }: RunDoc): string {
  const ofWhom = [user, agent ?? null, agent_created_at ?? null, definition.runtime?.container ?? null];
  const which = session_id === undefined ? ['run', run_id] : ['session', session_id];
  return createHash('sha256')
    .update(JSON.stringify([...ofWhom, ...which]))
    .digest('hex');
}
