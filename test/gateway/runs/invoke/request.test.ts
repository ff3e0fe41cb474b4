import { expect } from 'chai';
import type { RunDoc } from '../../../../src/gateway/runs/documents/stored.ts';
import { questionOf, requestOf, sessionOf } from '../../../../src/gateway/runs/invoke/request.ts';
import { unmasked } from '../../../../src/masking/outgoing.ts';

const RUN = {
  run_id: 'r1',
  user: 'asker',
  agent: 'triage',
  agent_created_at: 1,
  session_id: 's',
  input: { host: 'web1' },
  definition: {
    runtime_type: 'CLOUD_AGENT_CORE',
    system_prompt: 'Be short.',
    task_prompt: 'Find it.',
    llm: { model: 'up/m1', max_tokens: 10 },
    mcps: [{ name: 'Desk', tools: ['echo'] }],
    knowledge_bases: ['books'],
    agent_timeout: 60,
  },
} as unknown as RunDoc;

describe('requests to agents that run elsewhere', () => {
  it('have input, prompts, model and tools, and nothing else', () => {
    expect(JSON.parse(requestOf(unmasked(questionOf(RUN))).body)).to.deep.equal({
      input: { host: 'web1' },
      system_prompt: 'Be short.',
      task_prompt: 'Find it.',
      llm: { model: 'up/m1', max_tokens: 10 },
      tools: { mcps: [{ name: 'Desk', tools: ['echo'] }], knowledge_bases: ['books'] },
    });
  });

  it('have a session of 33 to 256 characters that tells users, agents and sessions apart', () => {
    const own = sessionOf(RUN);
    expect(own).to.match(/^[0-9a-f]{64}$/);
    expect(sessionOf({ ...RUN, run_id: 'r2' })).to.equal(own);
    const { session_id: _, ...without } = RUN;
    const { agent: __, agent_created_at: ___, ...definition } = RUN;
    const others = [
      { ...RUN, user: 'other' },
      { ...RUN, agent: 'other' },
      { ...RUN, agent_created_at: 2 },
      { ...RUN, session_id: 't' },
      { ...RUN, session_id: 'r1' },
      without,
      { ...without, run_id: 'r2' },
      definition,
      { ...definition, definition: { ...RUN.definition, runtime: { container: 'a' } } },
    ] as RunDoc[];
    const sessions = [own, ...others.map(sessionOf)];
    expect(new Set(sessions).size).to.equal(sessions.length);
  });
});
