import { PASSAGE } from '../../support/memory/cloud.ts';
import { completionOf, gatewayApp, lastText } from '../gatewayApp.ts';
import { callTool, connect, toolsApp } from '../tools/toolsApp.ts';
import { CONTENT, operationSuite } from './operationSuite.ts';
import { makeStore, PassagePeer } from './passagePeer.ts';
import { answered, PredictionPeer, register, registration, SHARED } from './predictionPeer.ts';

describe('chats through the gateway', () => {
  operationSuite({
    name: 'chat',
    path: '/v1/chat/completions',
    flag: 'llm_providers',
    open: gatewayApp,
    common: { model: 'up/m1' },
    content: (content) => ({ messages: [{ role: 'user', content }] }),
    hidden: [{ model: 'nowhere' }, { model: 'up/other' }],
    invalid: { messages: [] },
    answer: 'choices',
    fail(app, error) {
      app.llm.answer = () => {
        throw error;
      };
    },
    heal(app) {
      app.llm.answer = (call) => ({ json: completionOf(lastText(call)) });
    },
    canBeEstimated: true,
    record: {
      via: 'openai',
      provider: 'General_Chat',
      connection: 'up',
      model: 'm1',
      input_tokens: 5,
      output_tokens: 7,
    },
  });
});

describe('embeddings through the gateway', () => {
  const embed = ({ body }: { body?: string | undefined }) => ({
    json: {
      data: (JSON.parse(body ?? '{}').input as string[]).map((_, index) => ({ index, embedding: [index, 0.5] })),
      usage: { prompt_tokens: 3 },
    },
  });
  operationSuite({
    name: 'embeddings',
    path: '/v1/embeddings',
    flag: 'llm_providers',
    async open() {
      const app = await gatewayApp();
      app.llm.answer = embed;
      return app;
    },
    common: { model: 'up/m1' },
    content: (input) => ({ input }),
    hidden: [{ model: 'nowhere' }, { model: 'up/other' }],
    invalid: { input: '' },
    answer: 'data',
    fail(app, error) {
      app.llm.answer = () => {
        throw error;
      };
    },
    heal(app) {
      app.llm.answer = embed;
    },
    canBeEstimated: true,
    record: { via: 'openai', provider: 'General_Chat', connection: 'up', model: 'm1', input_tokens: 3 },
  });
});

describe('retrieval through the gateway', () => {
  const peer = new PassagePeer();
  operationSuite({
    name: 'retrieve',
    path: '/retrieve',
    flag: 'vector_stores',
    async open() {
      const app = await gatewayApp();
      await makeStore(app, 'Runbooks', SHARED);
      await makeStore(app, 'Private', { sharing: 'user' });
      peer.answer = async () => [{ ...PASSAGE, text: CONTENT }];
      return app;
    },
    common: { store: 'Runbooks' },
    content: (query) => ({ query }),
    hidden: [{ store: 'Private' }, { store: 'nowhere' }],
    withdraw: (app) => app.call('editor', 'PUT', '/vector_stores', { name: 'Runbooks', acl: { sharing: 'user' } }),
    invalid: { filter: { equals: {} } },
    answer: 'result',
    fail(_app, error) {
      peer.answer = async () => {
        throw error;
      };
    },
    heal() {
      peer.answer = async () => [PASSAGE];
    },
    record: {
      via: 'rest',
      provider: 'CLOUD_KB',
      connection: 'Runbooks',
      model: 'Runbooks',
      'gen_ai.operation.name': 'retrieve',
    },
  });
});

describe('predictions through the gateway', () => {
  const peer = new PredictionPeer();
  operationSuite({
    name: 'predict',
    path: '/predict',
    flag: 'model_registration',
    async open() {
      const app = await gatewayApp();
      await register(app, registration('churn'));
      await register(app, registration('private', { sharing: 'user' }));
      peer.answer = async () => answered(CONTENT, 'text/csv');
      return app;
    },
    common: { model: 'churn' },
    content: (cpu) => ({ rows: [{ cpu }] }),
    hidden: ['private', 'nowhere', 'container', '__mlspl_churn', 'a/b', '*'].map((model) => ({ model })),
    withdraw: (app) =>
      app.call('scientist', 'PUT', '/register_model', { model_name: 'churn', acl: { sharing: 'user' } }),
    invalid: { rows: [] },
    answer: 'result',
    fail(_app, error) {
      peer.answer = async () => {
        throw error;
      };
    },
    heal() {
      peer.answer = peer.predictions;
    },
    record: {
      via: 'rest',
      provider: 'sagemaker',
      connection: 'forecast-1',
      model: 'churn',
      'gen_ai.operation.name': 'predict',
    },
  });
});

describe('tool calls through the gateway', () => {
  operationSuite({
    name: 'execute_tool',
    path: '/tools/call',
    flag: 'mcp_connections',
    async open() {
      const app = toolsApp();
      await connect(app, 'one');
      await connect(app, 'private', { acl: { sharing: 'user' } });
      app.peers.result = () => ({ content: [{ type: 'text', text: CONTENT }] });
      // The listing of the tools is kept from then on.
      await callTool(app, { arguments: { text: 'hi' } }, 'maker');
      await app.gateway.usage.flush();
      app.events.length = 0;
      return app;
    },
    common: { connection: 'one', tool: 'echo' },
    content: (text) => ({ arguments: { text } }),
    hidden: [{ connection: 'private' }, { connection: 'none' }],
    withdraw: (app) => app.call('maker', 'PUT', '/mcp_connection', { name: 'one', acl: { sharing: 'user' } }),
    invalid: { arguments: {} },
    answer: 'result',
    fail(app, error) {
      app.peers.failure = error;
    },
    heal(app) {
      app.peers.failure = undefined;
    },
    hasEffects: true,
    record: { via: 'rest', provider: 'mcp', connection: 'one', model: 'echo' },
  });
});
