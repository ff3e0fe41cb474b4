import { expect } from 'chai';
import type { Json } from '../../../src/contract/basics.ts';
import { ChatBody, EmbeddingBody } from '../../../src/gateway/schemas.ts';
import type { MemoryApp } from '../../support/memory/app.ts';
import { ask, configure, gatewayApp, sent } from '../gatewayApp.ts';

const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').toString('base64');

describe('a request with null for what is absent', () => {
  let app: MemoryApp;
  beforeEach(async () => {
    app = await gatewayApp();
  });

  type Schema = {
    type?: string;
    anyOf?: Schema[];
    properties?: Record<string, Schema>;
    required?: string[];
    items?: Schema;
  };
  /** Paths of the optional members that a schema declares, lists as their first entry. */
  function optional(schema: Schema, at: (string | number)[] = []): (string | number)[][] {
    const here = schema.anyOf?.find(({ type }) => type === 'object' || type === 'array') ?? schema;
    if (here.items) return optional(here.items, [...at, 0]);
    return Object.entries(here.properties ?? {}).flatMap(([name, inner]) => [
      ...(here.required?.includes(name) ? [] : [[...at, name]]),
      ...optional(inner, [...at, name]),
    ]);
  }
  function withNull(body: Json, path: readonly (string | number)[]): Json {
    const copy = structuredClone(body);
    let node: Record<string | number, unknown> = copy;
    for (const key of path.slice(0, -1)) node = node[key] as typeof node;
    node[path.at(-1) ?? ''] = null;
    return copy;
  }

  it('takes it in every optional field of a chat', async () => {
    const body: Json = {
      model: 'up/m1',
      messages: [
        { role: 'user', content: 'hello' },
        { role: 'tool', content: 'x', tool_call_id: 'c' },
      ].slice(0, 1),
      tools: [{ type: 'function', function: { name: 'f', parameters: {} } }],
      stream_options: {},
    };
    await app.call('llm', 'POST', '/model_aliases', {
      name: 'default',
      targets: [{ service: 'General_Chat', connection_name: 'up', model: 'm1' }],
      acl: { sharing: 'app', perms: { read: ['*'], write: [] } },
    });
    const paths = optional(ChatBody as Schema).filter((path) => path.join('.') !== 'messages.0.content');
    expect(paths.map((path) => path.join('.'))).to.include.members([
      'model',
      'drop_unsupported',
      'messages.0.name',
      'messages.0.tool_call_id',
      'tools.0.function.parameters',
      'stream_options.include_usage',
    ]);
    for (const path of paths) {
      const { status, json } = await app.call('asker', 'POST', '/ai_gateway/v1/chat/completions', withNull(body, path));
      expect(status, `${path.join('.')} ${JSON.stringify(json)}`).to.equal(200);
      expect(JSON.stringify(sent(app).at(-1)), path.join('.')).not.to.include('null');
    }
  });

  it('takes it in entries, parts, calls and unknown fields', async () => {
    const image_url = { url: `data:image/png;base64,${png}`, detail: null, format: null };
    const call = {
      id: 'c',
      type: 'function',
      index: null,
      extra_content: null,
      function: { name: 'f', arguments: null },
    };
    const { status } = await ask(app, {
      metadata: { a: 'b', c: null },
      logit_bias: { 5: 1, 6: null },
      top_k: null,
      response_format: { type: 'text', json_schema: null },
      messages: [
        { role: 'user', content: [{ type: 'image_url', image_url, cache_control: null }] },
        { role: 'assistant', content: null, tool_calls: [call], reasoning_content: null, audio: null },
        { role: 'tool', tool_call_id: 'c', content: 'x', name: null },
      ],
    });
    expect(status).to.equal(200);
    const body = sent(app)[0] ?? {};
    expect(body).to.deep.include({ metadata: { a: 'b' }, logit_bias: { 5: 1 }, response_format: { type: 'text' } });
    expect(JSON.stringify(body).replace('"content":null', '')).not.to.include('null');
  });

  it('takes it in every optional field of embeddings', async () => {
    await configure(app, 'embedding', 'e1');
    await app.call('llm', 'POST', '/model_aliases', {
      name: 'default',
      targets: [{ service: 'General_Chat', connection_name: 'embedding', model: 'e1' }],
      acl: { sharing: 'app', perms: { read: ['*'], write: [] } },
    });
    app.llm.answer = () => ({ json: { data: [{ index: 0, embedding: [1] }] } });
    for (const path of [...optional(EmbeddingBody as Schema), ['unknown']]) {
      const body = withNull({ model: 'embedding/e1', input: 'x' }, path);
      const { status, json } = await app.call('asker', 'POST', '/ai_gateway/v1/embeddings', body);
      expect(status, `${path.join('.')} ${JSON.stringify(json)}`).to.equal(path[0] === 'input' ? 400 : 200);
    }
  });

  it('takes it in the items of a batch', async () => {
    const { json } = await app.call('asker', 'POST', '/ai_gateway/batch', {
      operation: 'chat',
      common: { model: 'up/m1', drop_unsupported: null },
      items: [
        { id: 'a', messages: [{ role: 'user', content: 'x', name: null }] },
        { id: 'b', messages: [] },
      ],
    });
    expect(json.result.map(({ status, error_code }: Json) => error_code ?? status)).to.deep.equal([
      'done',
      'validation_failed',
    ]);
  });
});
