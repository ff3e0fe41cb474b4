import { expect } from 'chai';
import { stringifyExact } from '../../../src/contract/exactJson.ts';
import type { HttpCall } from '../../../src/ports/llm/http.ts';
import type { Answer, Json, MemoryApp } from '../../support/memory/app.ts';
import type { FaultPlan } from '../../support/memory/faults.ts';
import type { RecordData } from '../../support/memory/recordStore.ts';
import { configure } from '../gatewayApp.ts';
import { connect, toolsApp } from '../tools/toolsApp.ts';

const LLM = { service: 'General_Chat', connection_name: 'up', model: 'm1' };

/** What a scripted model answers: a text, or calls of tools. */
export type Turn = string | { name: string; args?: Json | string }[];
/** An answer that depends on the request. @param body as the model got it */
type AnsweredTurn = (body: string) => Turn;

const completion = (turn: Turn) => {
  const calls = typeof turn === 'string' ? [] : turn;
  const message = {
    role: 'assistant',
    content: typeof turn === 'string' ? turn : null,
    ...(calls.length > 0
      ? {
          tool_calls: calls.map(({ name, args = {} }, index) => ({
            id: `call_${index}`,
            type: 'function',
            function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
          })),
        }
      : {}),
  };
  return {
    choices: [{ index: 0, message, finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' }],
    usage: { prompt_tokens: 10, completion_tokens: 5 },
  };
};

export interface RunsApp {
  app: MemoryApp;
  /** What the model answers, one after the other. */
  turns: (Turn | AnsweredTurn)[];
  /** Bodies that the model got. */
  asked: Answer['json'][];
  /** @param path below `/ai_gateway/runs` */
  call(method: string, path: string, body?: Json, user?: string): Promise<Answer>;
  /** A step by a process whose stores may fail. */
  step(id: string, faults?: FaultPlan): Promise<Answer>;
  /** A run that its caller steps, of a definition. */
  start(more?: Json, definitionMore?: Json): Promise<string>;
  /** Takes steps until the run is idle. */
  work(id: string): Promise<Answer['json']>;
  /** What a collection has. */
  stored(collection: string): ReturnType<RecordData['all']>;
  /** The run with its steps. */
  read(id: string): Promise<Answer['json']>;
}

/** An app with a model and a connection `Desk`, whose tools are `echo`, which only reads, and `delete`. */
export async function runsApp(): Promise<RunsApp> {
  const app = toolsApp();
  app.user('llm', { capabilities: ['edit_ai_commander_config', 'list_ai_commander_config'] });
  app.user('asker', { capabilities: ['list_ai_commander_config', 'use_ai_gateway', 'run_agents', 'edit_agents'] });
  app.user('other', { capabilities: ['list_ai_commander_config', 'use_ai_gateway', 'run_agents'] });
  await configure(app, 'up', 'm1');
  app.peers.tools = [
    ...app.peers.tools,
    {
      name: 'delete',
      description: 'Deletes it',
      input_schema: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
      annotations: { destructiveHint: true },
    },
  ];
  await connect(app, 'Desk');
  const turns: RunsApp['turns'] = [];
  const asked: Answer['json'][] = [];
  app.llm.answer = (call: HttpCall) => {
    asked.push(JSON.parse(call.body ?? '{}'));
    const turn = turns.shift() ?? 'nothing more';
    return { json: completion(typeof turn === 'function' ? turn(call.body ?? '') : turn) };
  };
  const call: RunsApp['call'] = (method, path, body, user = 'asker') =>
    app.call(user, method, `/ai_gateway/runs${path}`, body);
  const read = async (id: string) => (await call('GET', `/${id}`)).json.config;
  return {
    ...{ app, turns, asked, call, read },
    step: (id, faults) =>
      app.request({ method: 'POST', path: `/ai_gateway/runs/${id}/step`, sessionToken: 'asker' }, faults),
    stored: (collection) => app.site.records.all(collection),
    async start(more = {}, definitionMore = {}) {
      const definition = { runtime_type: 'BUILT_IN', llm: LLM, mcps: [{ name: 'Desk' }], ...definitionMore };
      const { status, json } = await call('POST', '', { definition, input: 'question', worker: 'caller', ...more });
      expect(status, JSON.stringify(json)).to.equal(200);
      expect(json.state).to.equal('queued');
      return json.run_id;
    },
    async work(id) {
      for (let step = 0; step < 50; step += 1) {
        const { status, json } = await call('POST', `/${id}/step`);
        expect(status, stringifyExact(json)).to.equal(200);
        if (!['queued', 'running'].includes(json.state)) break;
      }
      return read(id);
    },
  };
}

/** Kind, tool and state of each step. */
export const statesOf = (run: Answer['json']): string[] =>
  run.steps.map(({ kind, name, state }: Json) => [kind, ...(kind === 'model' ? [] : [name]), state].join(' '));
