import { expect } from 'chai';
import type { Json } from '../../../src/contract/basics.ts';
import type { MemoryApp } from '../../support/memory/app.ts';
import { gatewayApp } from '../gatewayApp.ts';
import { configureService, type Service } from './services.ts';

const vectors = (inputs: number): Json => ({
  data: Array.from({ length: inputs }, (_, index) => ({ index, embedding: [index] })),
  embeddings: Array.from({ length: inputs }, (_, index) => ({ values: [index] })),
});

describe('embeddings of a client', () => {
  let app: MemoryApp;
  beforeEach(async () => {
    app = await gatewayApp();
  });

  async function embedded(service: Service, body: Json, address?: string) {
    const { reference, bodies } = await configureService(app, service, {
      model: 'amazon.titan-embed-text-v2:0',
      ...(address === undefined ? {} : { address }),
    });
    app.llm.answer = (call) => {
      bodies.push(JSON.parse(call.body ?? '{}'));
      return { json: service === 'Local_Runtime' ? { embeddings: [[1]] } : vectors(1) };
    };
    app.llm.invocation = (input) => {
      bodies.push(input);
      return { output: { embedding: [1] } };
    };
    const reply = await app.call('asker', 'POST', '/ai_gateway/v1/embeddings', { model: reference, ...body });
    expect(reply.status, JSON.stringify(reply.json)).to.equal(200);
    return { body: bodies.at(-1) ?? {}, warnings: reply.json.ml.warnings as string[] };
  }

  const request = { input: 'x', user: 'ann', truncate: 'END', task: { kind: 'query' }, late_chunking: null, extra: [] };

  it("sends unknown fields on to servers of OpenAI's dialect, but for empty ones", async () => {
    const { body, warnings } = await embedded('General_Chat', request);
    expect(body.user).to.match(/^[0-9a-f]{32}$/);
    expect(body).to.include({ truncate: 'END' }).and.not.have.any.keys('late_chunking', 'extra');
    expect(body.task).to.deep.equal({ kind: 'query' });
    expect(warnings).to.deep.equal([]);
  });

  for (const [service, address, names] of [
    ['General_Chat', 'https://api.openai.com/v1', ['truncate', 'task']],
    ['Search_Vendor_Models', undefined, ['user', 'truncate', 'task']],
    ['Local_Runtime', undefined, ['user', 'truncate', 'task']],
    ['Cloud_Model_Hub', undefined, ['user', 'truncate', 'task']],
  ] as const) {
    it(`names those that ${address ?? service} does not get`, async () => {
      const { body, warnings } = await embedded(service, request, address);
      expect(warnings.map((text) => text.split(' ')[0])).to.deep.equal([...names]);
      expect(JSON.stringify(body)).not.to.match(/END|kind|late|extra/);
    });
  }

  it('asks Gemini once more at the other version of its API after 404, and after nothing else', async () => {
    const { reference } = await configureService(app, 'Search_Vendor_Models', { model: 'e' });
    const embed = (input: unknown) =>
      app.call('asker', 'POST', '/ai_gateway/v1/embeddings', { model: reference, input });
    const versions = () => app.llm.calls.map(({ url }) => new URL(url).pathname.split('/')[1]);
    app.llm.calls.length = 0;
    app.llm.answer = ({ url }) => (url.includes('/v1beta/') ? { status: 404, json: {} } : { json: vectors(1) });
    const { json } = await embed('x');
    expect([json.ml.attempts, versions()]).to.deep.equal([2, ['v1beta', 'v1']]);
    for (const [status, expected] of [
      [404, ['v1beta', 'v1']],
      [400, ['v1beta']],
      [500, ['v1beta']],
    ] as const) {
      app.llm.calls.length = 0;
      app.llm.answer = () => ({ status, json: { error: { message: 'no' } } });
      expect((await embed('x')).status).to.be.at.least(400);
      expect(versions(), String(status)).to.deep.equal([...expected]);
    }
    app.llm.calls.length = 0;
    app.llm.answer = () => (app.llm.calls.length === 1 ? { status: 503, json: {} } : { status: 404, json: {} });
    await embed('x');
    expect(versions(), 'a repeat').to.deep.equal(['v1beta', 'v1beta']);
  });
});
