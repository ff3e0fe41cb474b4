import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import OpenAI, { APIError } from 'openai';
import { expectStatus, type TestPlatform } from '../../../support/e2e/platform.ts';
import { needsInstalled } from '../../../support/programs/part.ts';
import { preparePython, pythonOf } from '../../../support/programs/python.ts';
import { configure, gatewayPlatform, MOUNT } from '../gatewayPlatform.ts';
import { SDK_CALLS, type SdkCall } from './calls.ts';
import { FAILING, type OpenAiUpstream, startOpenAiUpstream } from './upstreams/openAi.ts';

interface Outcome {
  result?: unknown;
  error?: { class: string; status: number; code: unknown; type: unknown; param: unknown; message: string };
}
type Caller = (call: SdkCall) => Promise<Outcome>;
type Keys = Record<string, string>;

describe("gateway with OpenAI's SDKs as clients", function () {
  this.timeout(120_000);
  let platform: TestPlatform;
  let upstream: OpenAiUpstream;
  let baseUrl: string;
  let keys: Keys;

  before(async () => {
    upstream = await startOpenAiUpstream();
    platform = await gatewayPlatform({ ML_TLS: '0' });
    await platform.createUser('reader', ['user']);
    await configure(platform, 'up', upstream.url);
    for (const model of ['org/large:free', ...FAILING]) await configure(platform, 'hub', upstream.url, { model });
    const targets = [{ service: 'General_Chat', connection_name: 'up', model: 'm' }];
    expectStatus(await platform.ml('anna', 'POST', '/model_aliases', { name: 'helper', targets }), 200, 'an alias');
    baseUrl = `${platform.url}${MOUNT}/v1`;
    keys = { anna: await platform.sessionKey('anna'), reader: await platform.sessionKey('reader'), stranger: 'no-key' };
    upstream.count();
  });
  after(async () => {
    await platform?.dispose();
    await upstream?.close();
  });

  async function check(caller: Caller, call: SdkCall): Promise<void> {
    const { result, error } = await caller(call);
    const text = JSON.stringify(result ?? error);
    expect(upstream.count(), `requests to the upstream; ${text}`).to.equal(call.upstream ?? 1);
    if (call.fails) {
      expect(error, text).to.deep.include(call.fails);
      expect(error?.message).to.match(call.fails.code === null ? /401/ : /[a-z]{3}/);
      return;
    }
    for (const [path, value] of Object.entries(call.gives ?? {}))
      expect(at(result, path), `${path}; ${text}`).to.deep.equal(value);
    expect(result, text).to.be.an(Array.isArray(result) ? 'array' : 'object');
  }

  describe('Node', () => {
    let caller: Caller;
    before(() => {
      caller = nodeCaller(baseUrl, keys);
    });
    for (const call of SDK_CALLS) it(call.title, () => check(caller, call));
  });

  describe('Python', () => {
    let python: { caller: Caller; end(): Promise<unknown> };
    before(async function () {
      await needsInstalled(this, "OpenAI's SDK for Python", () => preparePython('openAi'));
      python = pythonCaller(baseUrl, keys);
    });
    after(() => python?.end());
    for (const call of SDK_CALLS) it(call.title, () => check(python.caller, call));
  });
});

// biome-ignore lint/suspicious/noExplicitAny: any value has any path
const at = (value: any, path: string): unknown => path.split('.').reduce((one, name) => one?.[name], value);

function nodeCaller(baseURL: string, keys: Keys): Caller {
  const clientOf = (user: string) => new OpenAI({ baseURL, apiKey: keys[user] });
  return async ({ method = 'chat.completions.create', id, args, as = 'anna' }) => {
    const names = method.split('.');
    const owner = at(clientOf(as), names.slice(0, -1).join('.')) as Record<string, (...args: unknown[]) => unknown>;
    try {
      const result = await owner[names.at(-1) as string]?.(...(id === undefined ? [] : [id]), ...(args ? [args] : []));
      if (args?.stream !== true && method !== 'models.list') return { result };
      const items = [];
      for await (const item of result as AsyncIterable<unknown>) items.push(item);
      return { result: items };
    } catch (error) {
      if (!(error instanceof APIError)) throw error;
      const { status, code, type, param, message } = error;
      return { error: { class: error.constructor.name, status, code: code ?? null, type, param, message } };
    }
  };
}

function pythonCaller(baseUrl: string, keys: Keys) {
  const script = join(import.meta.dirname, 'openai_sdk.py');
  const child = spawn(pythonOf('openAi'), [script, baseUrl, JSON.stringify(keys)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const caller: Caller = async (call) => {
    child.stdin.write(`${JSON.stringify(call)}\n`);
    const { value } = await lines.next();
    return JSON.parse(value ?? '{}');
  };
  return {
    caller,
    end: () => {
      child.stdin.end();
      return ended;
    },
  };
}
