import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { agentOutputSchema } from '../../../src/gateway/mcp/agentOutput.ts';
import type { Json, MemoryApp } from '../../support/memory/app.ts';
import { completionOf, configure } from '../gatewayApp.ts';
import { EVERYBODY, send, toolsApp } from './toolsApp.ts';

const SCHEMA = {
  type: 'object',
  $defs: { level: { enum: ['low', 'high'] }, tree: { type: 'object', properties: { next: { $ref: '#/$defs/tree' } } } },
  properties: { level: { $ref: '#/$defs/level' }, tree: { $ref: '#/$defs/tree' }, again: { $ref: '#' } },
  required: ['level'],
};
const RIGHTS = ['list_ai_commander_config', 'use_ai_gateway', 'run_agents', 'edit_agents'];

describe('agents with a schema of their answers as tools', () => {
  let app: MemoryApp;
  const call = async (name: string, args: Json) =>
    (await send(app, 'tools/call', { name, arguments: args })).json.result;
  const listed = async () => {
    const { json } = await send(app, 'tools/list');
    return json.result.tools.find(({ name }: Json) => name === 'agent__triage');
  };
  /** Whether structured content fits the schema that a client was told. */
  const fits = (schema: Json, value: unknown) => new Ajv2020({ strict: false }).validate(schema, value);

  beforeEach(async () => {
    app = toolsApp();
    app.user('llm', { capabilities: ['edit_ai_commander_config', 'list_ai_commander_config'] });
    app.user('asker', { capabilities: RIGHTS });
    await configure(app, 'up', 'm1');
    const agent = { name: 'triage', runtime_type: 'BUILT_IN', llm: { model: 'up/m1' }, acl: EVERYBODY };
    const { status, json } = await app.call('asker', 'POST', '/agents', { ...agent, output_schema: SCHEMA });
    expect(status, JSON.stringify(json)).to.equal(200);
    const { dispatch } = app.searches;
    app.searches.dispatch = async (user, search) => {
      const id = /run_id="([^"]+)"/.exec(search)?.[1];
      setImmediate(async () => {
        for (let state = 'queued'; ['queued', 'running'].includes(state); )
          state = (await app.call(user, 'POST', `/ai_gateway/runs/${id}/step`)).json.state ?? 'failed';
      });
      return dispatch.call(app.searches, user, search);
    };
  });

  it('are listed with what they answer, and answer it', async () => {
    app.llm.answer = () => ({ json: completionOf('{"level": "high", "tree": {"next": {}}}') });
    const { outputSchema } = await listed();
    expect(Object.keys(outputSchema.properties)).to.deep.equal(['run_id', 'state', 'output', 'error_code', 'message']);
    expect(outputSchema.required).to.deep.equal(['run_id', 'state']);
    const { structuredContent, content, isError } = await call('agent__triage', { input: 'x' });
    expect(isError).to.equal(false);
    expect(structuredContent.output).to.deep.equal({ level: 'high', tree: { next: {} } });
    expect(JSON.parse(content[0].text)).to.deep.equal(structuredContent.output);
    expect(fits(outputSchema, structuredContent)).to.equal(true);
    const wrong = [{ level: 'odd' }, { level: 'low', tree: { next: 1 } }, { level: 'low', again: {} }, 'text'];
    for (const output of wrong) expect(fits(outputSchema, { ...structuredContent, output })).to.equal(false);
  });

  it('fit also where the run failed', async () => {
    app.llm.answer = () => ({ json: completionOf('no JSON') });
    const { structuredContent, isError } = await call('agent__triage', { input: 'x' });
    expect(isError).to.equal(true);
    expect(structuredContent).to.include({ state: 'failed', error_code: 'invalid_structured_output' });
    expect(structuredContent).to.not.have.property('output');
    expect(fits((await listed()).outputSchema, structuredContent)).to.equal(true);
  });

  it('fit also where the run goes on', async () => {
    app.searches.dispatch = async () => 'sid-none';
    const { structuredContent } = await call('agent__triage', { input: 'x' });
    expect(structuredContent.state).to.equal('queued');
    expect(fits((await listed()).outputSchema, structuredContent)).to.equal(true);
  });

  it('have none where the agent has no schema, or runs elsewhere', async () => {
    await app.call('asker', 'PUT', '/agents', { name: 'triage', output_schema: null });
    expect(await listed()).to.not.have.property('outputSchema');
  });

  it('keep references that are data, names, or relative to an id of their own', () => {
    const data = { const: { $ref: '#/$defs/a' }, enum: [{ $ref: '#' }] };
    const moved = agentOutputSchema({
      type: 'object',
      properties: { $ref: { $ref: '#/$defs/a' }, data },
      $defs: { a: {} },
    });
    expect((moved.properties as Json).output).to.deep.equal({
      ...{ type: 'object', properties: { $ref: { $ref: '#/properties/output/$defs/a' }, data }, $defs: { a: {} } },
    });
    const own = { $id: 'https://schema.example/a', type: 'object', properties: { a: { $ref: '#/$defs/a' } } };
    expect((agentOutputSchema(own).properties as Json).output).to.deep.equal(own);
    const draft = 'http://json-schema.org/draft-07/schema#';
    const dialect = agentOutputSchema({ $schema: draft, type: 'object' });
    expect([dialect.$schema, (dialect.properties as Json).output]).to.deep.equal([draft, { type: 'object' }]);
  });
});
