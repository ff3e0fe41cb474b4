import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { expectStatus, type TestPlatform } from '../../../support/e2e/platform.ts';
import { needsInstalled } from '../../../support/programs/part.ts';
import { preparePython, pythonOf } from '../../../support/programs/python.ts';
import { configure, gatewayPlatform, MOUNT } from '../gatewayPlatform.ts';
import { anthropic } from './upstreams/anthropic.ts';
import { bedrock } from './upstreams/bedrock.ts';
import { gemini } from './upstreams/gemini.ts';
import { type MockProvider, startMockProvider } from './upstreams/mockProvider.ts';
import { ollama } from './upstreams/ollama.ts';
import { type OpenAiUpstream, startOpenAiUpstream } from './upstreams/openAi.ts';

const FORMATS = { anthropic, bedrock, gemini, ollama };
/** Providers whose SDK has types that say what a request may contain. */
const TYPED = ['anthropic', 'bedrock', 'gemini'] as const;
type Name = keyof typeof FORMATS;
const NAMES = Object.keys(FORMATS) as Name[];

/** Tests that ask for what providers other than OpenAI lack: the gateway refuses them, since nothing is dropped in silence. */
const NAMED = 'test_message_with_name';
const FORCED = [
  'test_structured_few_shot_examples',
  'test_structured_output_pydantic_2_v1',
  'test_unicode_tool_call_integration',
];
const MODELS = {
  openai: { model: 'openai/m', embedder: 'openai/m', lacks: [], refuses: [] },
  anthropic: { ...modelsOf('anthropic'), lacks: [], refuses: [NAMED] },
  bedrock: { ...modelsOf('bedrock'), lacks: ['supports_image_urls'], refuses: [NAMED] },
  gemini: { ...modelsOf('gemini'), lacks: ['supports_image_urls'], refuses: [NAMED] },
  ollama: {
    ...modelsOf('ollama'),
    lacks: ['supports_image_urls', 'supports_pdf_inputs', 'has_tool_choice'],
    refuses: [NAMED, ...FORCED],
  },
};

function modelsOf(name: Name) {
  const { model, embedder } = FORMATS[name];
  return { model: `${name}/${model}`, embedder: embedder && `${name}/${embedder}` };
}

describe("gateway with the tests of LangChain's integrations", function () {
  this.timeout(240_000);
  let platform: TestPlatform;
  let openAi: OpenAiUpstream;
  const providers = {} as Record<Name, MockProvider>;

  before(async function () {
    await needsInstalled(this, 'LangChain', () => preparePython('openAi'));
    openAi = await startOpenAiUpstream();
    platform = await gatewayPlatform({ ML_TLS: '0' });
    await configure(platform, 'openai', openAi.url);
    for (const name of NAMES) {
      const { service, settings, model, embedder = model } = FORMATS[name];
      providers[name] = await startMockProvider(FORMATS[name]);
      const fields = { ...settings, endpoint: providers[name].url };
      const servicesettings = Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, { value }]));
      for (const one of new Set([model, embedder])) {
        const body = { service, connection_name: name, model: one, servicesettings };
        expectStatus(await platform.ml('anna', 'POST', '/aicommander', body), 200, name);
      }
    }
  });
  after(async () => {
    await platform?.dispose();
    await openAi?.close();
    for (const provider of Object.values(providers)) await provider.close();
  });

  it('passes them with models of five providers', async () => {
    // The SDK keeps its connections, and with them the event loop.
    const loop = 'asyncio_default_test_loop_scope=session';
    const options = ['-v', '--tb=short', '-p', 'no:cacheprovider', '--asyncio-mode=auto', '-o', loop];
    const { failed, output } = await python(['-m', 'pytest', ...options, script('langchain_standard.py')], {
      LANGSMITH_TRACING: 'false',
      GATEWAY_URL: `${platform.url}${MOUNT}/v1`,
      GATEWAY_KEY: await platform.sessionKey('anna'),
      GATEWAY_MODELS: JSON.stringify(MODELS),
    });
    const problems = Object.values(providers).flatMap((provider) => provider.problems);
    expect(failed, [output, ...problems].join('\n')).to.equal(false);
    const passed = (suite: string) => output.match(new RegExp(`::Test${suite}::\\S+ PASSED`, 'gi'))?.length ?? 0;
    for (const [name, { embedder }] of Object.entries(MODELS)) {
      expect(passed(`${name}Chat`), output).to.be.at.least(34);
      expect(passed(`${name}Embeddings`), output).to.equal(embedder ? 5 : 0);
    }
  });

  it("sends what the types of the providers' own SDKs allow", async () => {
    const chats = Object.fromEntries(TYPED.map((name) => [name, providers[name].chats]));
    const { output } = await python([script('provider_types.py')], {}, JSON.stringify(chats));
    expect(output).to.equal(TYPED.map((name) => `${name} ${chats[name]?.length} checked\n`).join(''));
    for (const name of TYPED) expect(chats[name]?.length, name).to.be.at.least(60);
  });
});

const script = (name: string) => join(import.meta.dirname, name);

async function python(args: string[], env: Record<string, string>, input = '') {
  const running = promisify(execFile)(pythonOf('openAi'), args, {
    env: { PATH: process.env.PATH, PYTHONDONTWRITEBYTECODE: '1', ...env },
    maxBuffer: 50_000_000,
  });
  running.child.stdin?.end(input);
  return running.then(
    ({ stdout }) => ({ failed: false, output: stdout }),
    (error: Error & { stdout?: string; stderr?: string }) => ({
      failed: true,
      output: `${error.stdout}${error.stderr}` || error.message,
    }),
  );
}
