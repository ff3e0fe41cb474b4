import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { TestPlatform } from '../../../support/e2e/platform.ts';
import { needsInstalled } from '../../../support/programs/part.ts';
import { preparePython, pythonOf } from '../../../support/programs/python.ts';
import { gatewayPlatform, MOUNT } from '../gatewayPlatform.ts';
import { type Dialects, FORMATS, startDialects } from './upstreams/dialects.ts';

/** Providers whose SDK has types that say what a request may contain. */
const TYPED = ['anthropic', 'bedrock', 'gemini'] as const;

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

function modelsOf(name: keyof typeof FORMATS) {
  const { model, embedder } = FORMATS[name];
  return { model: `${name}/${model}`, embedder: embedder && `${name}/${embedder}` };
}

describe("gateway with the tests of LangChain's integrations", function () {
  this.timeout(240_000);
  let platform: TestPlatform;
  let dialects: Dialects;

  before(async function () {
    await needsInstalled(this, 'LangChain', () => preparePython('openAi'));
    platform = await gatewayPlatform({ ML_TLS: '0' });
    dialects = await startDialects(platform);
  });
  after(async () => {
    await platform?.dispose();
    await dialects?.close();
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
    expect(failed, [output, ...dialects.problems()].join('\n')).to.equal(false);
    const passed = (suite: string) => output.match(new RegExp(`::Test${suite}::\\S+ PASSED`, 'gi'))?.length ?? 0;
    for (const [name, { embedder }] of Object.entries(MODELS)) {
      expect(passed(`${name}Chat`), output).to.be.at.least(34);
      expect(passed(`${name}Embeddings`), output).to.equal(embedder ? 5 : 0);
    }
  });

  it("sends what the types of the providers' own SDKs allow", async () => {
    const chats = Object.fromEntries(TYPED.map((name) => [name, dialects.providers[name].chats]));
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
