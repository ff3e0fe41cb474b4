import { expect } from 'chai';
import type { Provider } from '../../../../src/contract/families/llmProviders.ts';
import { startDeadline } from '../../../../src/domain/async/deadline.ts';
import { unmetered } from '../../../../src/domain/async/unmetered.ts';
import type { ChatRequest, EmbedRequest } from '../../../../src/families/llm-providers/chat/chat.ts';
import { LLM_PROVIDERS } from '../../../../src/families/llm-providers/providers/registry.ts';
import { MaskingFailure } from '../../../../src/masking/masking.ts';
import { maskContent, unmasked } from '../../../../src/masking/outgoing.ts';
import { FakeLlm } from '../../../support/memory/llm.ts';

const SERVICES: readonly Provider[] = [
  'General_Chat',
  'Enterprise_Cloud_Chat',
  'Assistant_Family',
  'Cloud_Model_Hub',
  'Fast_Inference',
  'Search_Vendor_Models',
  'Local_Runtime',
  'Platform_Hosted_Models',
];
const WITHOUT_EMBEDDINGS: readonly Provider[] = ['Assistant_Family', 'Fast_Inference'];
const TEXT = 'user=jdoe';
const PARTS = {
  policies: [{ kinds: { user: 'mask' } }],
  key: new Uint8Array(32),
  clock: () => 0,
  judgePhone: () => undefined,
} as const;

/** A chat whose last text a walk has forgotten. */
const leaky = maskContent<ChatRequest>(
  { messages: [{ role: 'user', content: TEXT }], stop: ['by jdoe'] },
  (request, replace) => ({
    ...request,
    messages: request.messages.map(
      (message) => ({ ...message, content: replace(message.content as string) }) as typeof message,
    ),
  }),
  PARTS,
).content;
const leakyTexts = maskContent<EmbedRequest>(
  { inputs: [TEXT, 'by JDOE'] },
  (request, replace) => ({ ...request, inputs: [replace(String(request.inputs[0])), ...request.inputs.slice(1)] }),
  PARTS,
).content;

describe('a body with a value that had to be masked', () => {
  const clientOf = (service: Provider, peers: FakeLlm) =>
    LLM_PROVIDERS[service].client(
      {
        settings: {
          endpoint: 'https://service.example',
          access_token: 'sk-canary',
          enterprise_api_version: '2024-10-21',
          region: 'eu-central-1',
          verify_tls: true,
        },
        hidden: [],
      },
      peers,
    );

  for (const service of SERVICES) {
    it(`is not sent to ${service}`, async () => {
      const peers = new FakeLlm();
      using deadline = startDeadline(5000);
      const client = clientOf(service, peers);
      const asked = [client.chat('m', leaky, unmetered(deadline))];
      if (!WITHOUT_EMBEDDINGS.includes(service)) {
        const model = service === 'Cloud_Model_Hub' ? 'cohere.embed-v4' : 'm';
        asked.push(client.embed(model, leakyTexts, unmetered(deadline)) as never);
      }
      for (const call of asked) expect(await call.catch((error: unknown) => error)).to.be.instanceOf(MaskingFailure);
      expect([peers.calls, peers.accesses]).to.deep.equal([[], []]);
    });
  }

  it('is not sent in another form, after the first was refused', async () => {
    const peers = new FakeLlm();
    using deadline = startDeadline(5000);
    peers.answer = () => ({ status: 400, json: { error: { message: 'response_format is not supported' } } });
    const schema = { type: 'object', properties: {} };
    const { content } = maskContent<ChatRequest>(
      {
        messages: [{ role: 'user', content: 'user=jdoe' }],
        responseFormat: { type: 'json_schema', name: 'row of jdoe', schema },
      },
      (request, replace) => ({
        ...request,
        messages: request.messages.map(
          (message) => ({ ...message, content: replace(message.content as string) }) as typeof message,
        ),
      }),
      PARTS,
    );
    // The tool of the second form has the name of the schema in its description.
    const error = await clientOf('General_Chat', peers)
      .chat('m', content, unmetered(deadline))
      .catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(MaskingFailure);
    expect(peers.calls.length).to.equal(1);
  });

  it('is sent where no policy applies', async () => {
    const peers = new FakeLlm();
    using deadline = startDeadline(5000);
    peers.answer = () => ({ json: { choices: [{ message: { content: 'ok' } }] } });
    await clientOf('General_Chat', peers).chat(
      'm',
      unmasked<ChatRequest>({ messages: [{ role: 'user', content: TEXT }] }),
      unmetered(deadline),
    );
    expect(peers.calls[0]?.body).to.contain(TEXT);
  });
});
