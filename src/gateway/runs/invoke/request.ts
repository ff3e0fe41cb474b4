import { createHash } from 'node:crypto';
import { stringifyExact } from '../../../contract/exactJson.ts';
import { checkBody, type Outgoing } from '../../../masking/outgoing.ts';
import type { AgentRequest } from '../../../ports/cloud/agentCloud.ts';
import type { AgentQuestion } from '../../operations/invoke.ts';
import type { RunDoc } from '../documents/stored.ts';

/** The question to an agent that runs elsewhere: names of models, tools and stores, and no credential. */
export function questionOf(run: RunDoc): AgentQuestion {
  const { system_prompt, task_prompt, llm, mcps, knowledge_bases } = run.definition;
  const texts = { input: run.input, system_prompt, task_prompt };
  return { texts, names: { llm, tools: { mcps, knowledge_bases } }, session: sessionOf(run) };
}

/** The request that a question becomes. @throws MaskingFailure */
export function requestOf(question: Outgoing<AgentQuestion>): AgentRequest {
  const { texts, names, session } = question;
  checkBody(question, () => stringifyExact(texts));
  return { body: stringifyExact({ ...texts, ...names }), session };
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
