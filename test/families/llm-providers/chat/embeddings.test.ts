import { expect } from 'chai';
import type { OutboundError } from '../../../../src/contract/codes/outbound.ts';
import type { Provider } from '../../../../src/contract/families/llmProviders.ts';
import { startDeadline } from '../../../../src/domain/async/deadline.ts';
import { fromBedrockEmbed, toBedrockEmbed } from '../../../../src/families/llm-providers/chat/bedrock/embeddings.ts';
import type { EmbedRequest } from '../../../../src/families/llm-providers/chat/chat.ts';
import { LLM_PROVIDERS } from '../../../../src/families/llm-providers/providers/registry.ts';
import { unmasked } from '../../../../src/masking/outgoing.ts';
import { FakeLlm } from '../../../support/memory/llm.ts';
import { counted } from '../../../support/upstream.ts';

const target = {
  settings: {
    endpoint: 'https://llm.example',
    verify_tls: true,
    region: 'eu-central-1',
    enterprise_api_version: '2024-10-21',
  },
  hidden: [],
};
const TITAN = 'amazon.titan-embed-text-v2:0';

async function embed(service: Provider, peers: FakeLlm, request: EmbedRequest, model = 'm') {
  using deadline = startDeadline(5000);
  const client = LLM_PROVIDERS[service].client(target, peers);
  return await counted(deadline, (upstream) => client.embed(model, unmasked(request), upstream));
}
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error: OutboundError) => error.code,
  );
const numbered = (count: number) => Array.from({ length: count }, (_, index) => String(index));
const vectorsOf = (inputs: readonly string[]) => inputs.map((text) => [Number(text)]);

describe('embeddings', () => {
  it('come in the order of the texts, from as many calls as it takes, with the sum of the usage', async () => {
    const peers = new FakeLlm();
    peers.answer = ({ body = '' }) => {
      const { input } = JSON.parse(body) as { input: string[] };
      const data = input.map((text, index) => ({ index, embedding: [Number(text)] })).reverse();
      return { json: { data, usage: { prompt_tokens: input.length } } };
    };
    const inputs = numbered(3000);
    const found = await embed('General_Chat', peers, { inputs });
    expect(found.vectors).to.deep.equal(vectorsOf(inputs));
    expect([found.usage.input.total, found.attempts, peers.calls.length]).to.deep.equal([3000, 2, 2]);
  });

  it('OpenAI, Azure: tokens, dimensions and a user; base64 from servers that send nothing else', async () => {
    const peers = new FakeLlm();
    const bytes = Buffer.alloc(8);
    bytes.writeFloatLE(0.5, 0);
    bytes.writeFloatLE(-2, 4);
    peers.answer = () => ({ json: { data: [{ index: 0, embedding: bytes.toString('base64') }] } });
    const { vectors, usage } = await embed('Enterprise_Cloud_Chat', peers, {
      inputs: [[1, 2]],
      dimensions: 2,
      user: 'ann',
    });
    expect([vectors, usage.input.total]).to.deep.equal([[[0.5, -2]], undefined]);
    expect(peers.calls[0]?.url).to.equal('https://llm.example/openai/deployments/m/embeddings?api-version=2024-10-21');
    expect(JSON.parse(peers.calls[0]?.body ?? '')).to.deep.equal({
      model: 'm',
      input: [[1, 2]],
      dimensions: 2,
      encoding_format: 'float',
      user: 'ann',
    });
  });

  it('Gemini takes 100 texts a call, Ollama any number, each in its own way', async () => {
    const peers = new FakeLlm();
    peers.answer = ({ url, body = '' }) => {
      const { requests = [], input = [] } = JSON.parse(body) as { requests?: unknown[]; input?: unknown[] };
      if (url.includes('v1beta')) return { json: { embeddings: requests.map(() => ({ values: [1] })) } };
      return { json: { embeddings: input.map(() => [1]), prompt_eval_count: 7 } };
    };
    const request = { inputs: ['x'], dimensions: 8, inputType: 'query' } as const;
    expect((await embed('Search_Vendor_Models', peers, request)).usage.input.total).to.equal(undefined);
    expect((await embed('Local_Runtime', peers, request)).usage.input.total).to.equal(7);
    const part = { model: 'models/m', content: { parts: [{ text: 'x' }] } };
    expect(peers.calls.map(({ url, body = '' }) => [url, JSON.parse(body)])).to.deep.equal([
      [
        'https://llm.example/v1beta/models/m:batchEmbedContents',
        { requests: [{ ...part, taskType: 'RETRIEVAL_QUERY', outputDimensionality: 8 }] },
      ],
      ['https://llm.example/api/embed', { model: 'm', input: ['x'], truncate: false, dimensions: 8 }],
    ]);
    expect((await embed('Search_Vendor_Models', peers, { inputs: numbered(201) })).attempts).to.equal(3);
  });

  it('Titan takes one text a call, eight at a time', async () => {
    const peers = new FakeLlm();
    let [running, most] = [0, 0];
    peers.cloud.invoke = async (_access, _model, body) => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 2));
      running--;
      return { httpStatus: 200, output: { embedding: [Number(body.inputText)], inputTextTokenCount: 2 } };
    };
    const inputs = numbered(20);
    const { vectors, usage, attempts } = await embed('Cloud_Model_Hub', peers, { inputs }, TITAN);
    expect(vectors).to.deep.equal(vectorsOf(inputs));
    expect([usage.input.total, attempts, most]).to.deep.equal([40, 20, 8]);
  });

  it('Cohere on Bedrock takes 96, and its tokens stand in a header', async () => {
    const peers = new FakeLlm();
    peers.invocation = ({ texts }) => ({
      output: { embeddings: { float: vectorsOf(texts as string[]) } },
      inputTokens: 5,
    });
    const inputs = numbered(100);
    const { vectors, usage, attempts } = await embed('Cloud_Model_Hub', peers, { inputs }, 'cohere.embed-v4:0');
    expect(vectors).to.deep.equal(vectorsOf(inputs));
    expect([usage.input.total, attempts]).to.deep.equal([10, 2]);
  });

  it('Bedrock: the bodies of each model', async () => {
    const request = { inputs: ['x'], dimensions: 256 };
    expect(toBedrockEmbed(TITAN, request)).to.deep.equal({ inputText: 'x', dimensions: 256, normalize: true });
    expect(toBedrockEmbed('amazon.titan-embed-text-v1', { inputs: ['x'] })).to.deep.equal({ inputText: 'x' });
    expect(toBedrockEmbed('eu.cohere.embed-v4:0', { ...request, inputType: 'query' })).to.deep.equal({
      texts: ['x'],
      input_type: 'search_query',
      truncate: 'NONE',
      embedding_types: ['float'],
      output_dimension: 256,
    });
    expect(toBedrockEmbed('cohere.embed-english-v3', { inputs: ['x'] })).to.include({ input_type: 'search_document' });
    expect(fromBedrockEmbed({ embeddings: [[1], [2]] })?.vectors).to.deep.equal([[1], [2]]);
    expect(await codeOf(embed('Cloud_Model_Hub', new FakeLlm(), request, 'cohere.embed-english-v3'))).to.equal(
      'not_supported',
    );
  });

  it('are refused where there are none, and tokens where only texts are taken', async () => {
    const peers = new FakeLlm();
    for (const service of ['Assistant_Family', 'Fast_Inference'] as const) {
      expect(await codeOf(embed(service, peers, { inputs: ['x'] })), service).to.equal('not_supported');
    }
    for (const service of ['Search_Vendor_Models', 'Local_Runtime', 'Cloud_Model_Hub'] as const) {
      expect(await codeOf(embed(service, peers, { inputs: [[1]] })), service).to.equal('not_supported');
    }
    expect(peers.calls).to.have.length(0);
  });

  it('are an error when there are fewer than texts', async () => {
    const peers = new FakeLlm();
    peers.answer = () => ({ json: { embeddings: [[1]] } });
    expect(await codeOf(embed('Local_Runtime', peers, { inputs: ['x', 'y'] }))).to.equal('upstream_error');
  });
});
