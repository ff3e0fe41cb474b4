import { expect } from 'chai';
import type { OutboundError } from '../../../src/contract/codes/outbound.ts';
import { PROVIDER_NAMES, type Provider } from '../../../src/contract/families/llmProviders.ts';
import { startDeadline } from '../../../src/domain/async/deadline.ts';
import { unmetered } from '../../../src/domain/async/unmetered.ts';
import { PROBE, type Target } from '../../../src/families/llm-providers/providers/provider.ts';
import { LLM_PROVIDERS } from '../../../src/families/llm-providers/providers/registry.ts';
import type { HttpCall } from '../../../src/ports/llm/http.ts';
import { FakeLlm } from '../../support/memory/llm.ts';

const KEY = 'key-canary-0123456789';
const PROMPT = 'Reply with the single word: ok';
const messages = [{ role: 'user', content: PROMPT }];

const target = (settings: Partial<Target['settings']> = {}): Target => ({
  settings: {
    endpoint: 'https://llm.example/base',
    verify_tls: true,
    access_token: KEY,
    cloud_access_token: KEY,
    ...settings,
  },
  hidden: [settings.access_token ?? KEY, settings.cloud_access_token ?? KEY],
});

interface Answer {
  status?: number;
  json?: unknown;
  text?: string;
  headers?: Record<string, string>;
}

/** Answers one after the other; the last one again and again. */
function peersOf(...answers: Answer[]): FakeLlm {
  const peers = new FakeLlm();
  peers.answer = () => answers[Math.min(peers.calls.length, answers.length) - 1] ?? {};
  return peers;
}

const shown = ({ method, url, headers, body }: HttpCall) => ({
  method,
  url,
  headers,
  ...(body === undefined ? {} : { body: JSON.parse(body) }),
});

async function chat(service: Provider, peers: FakeLlm, model = 'm', settings: Partial<Target['settings']> = {}) {
  using deadline = startDeadline(5000);
  const { status, message } = await LLM_PROVIDERS[service]
    .client(target(settings), peers)
    .chat(model, PROBE, unmetered(deadline));
  return { status, text: message.content };
}

async function list(service: Provider, peers: FakeLlm, settings: Partial<Target['settings']> = {}) {
  using deadline = startDeadline(5000);
  return LLM_PROVIDERS[service].client(target(settings), peers).list(deadline);
}

async function failureOf(work: Promise<unknown>): Promise<OutboundError> {
  try {
    await work;
  } catch (error) {
    return error as OutboundError;
  }
  return expect.fail('nothing was thrown') as never;
}

const OPENAI_OK: Answer = { json: { choices: [{ message: { content: 'ok' }, finish_reason: 'stop' }] } };
const JSON_HEADERS = { accept: 'application/json', 'content-type': 'application/json' };

describe('requests to providers, to the letter', () => {
  for (const service of ['General_Chat', 'Fast_Inference', 'Platform_Hosted_Models'] as const) {
    it(service, async () => {
      const peers = peersOf(OPENAI_OK, { json: { data: [] } });
      await chat(service, peers, 'org/model:free');
      await list(service, peers);
      expect(peers.calls.map(shown)).to.deep.equal([
        {
          method: 'POST',
          url: 'https://llm.example/base/chat/completions',
          headers: { ...JSON_HEADERS, authorization: `Bearer ${KEY}` },
          body: { model: 'org/model:free', messages, max_completion_tokens: 16 },
        },
        {
          method: 'GET',
          url: 'https://llm.example/base/models',
          headers: { accept: 'application/json', authorization: `Bearer ${KEY}` },
        },
      ]);
    });
  }

  it('Enterprise_Cloud_Chat, with a dated version and with v1', async () => {
    const peers = peersOf(OPENAI_OK, OPENAI_OK, { json: { data: [] } });
    await chat('Enterprise_Cloud_Chat', peers, 'my dep/1', { enterprise_api_version: '2024-10-21' });
    await chat('Enterprise_Cloud_Chat', peers, 'my dep', { enterprise_api_version: 'v1' });
    await list('Enterprise_Cloud_Chat', peers, { enterprise_api_version: '2024-10-21' });
    await list('Enterprise_Cloud_Chat', peers, { enterprise_api_version: 'v1' });
    const [dated, v1, ...lists] = peers.calls.map(shown);
    expect(dated).to.deep.equal({
      method: 'POST',
      url: 'https://llm.example/base/openai/deployments/my%20dep%2F1/chat/completions?api-version=2024-10-21',
      headers: { ...JSON_HEADERS, 'api-key': KEY },
      body: { model: 'my dep/1', messages, max_completion_tokens: 16 },
    });
    expect(v1?.url).to.equal('https://llm.example/base/openai/v1/chat/completions');
    expect(v1?.body.model).to.equal('my dep');
    expect(lists.map(({ url }) => url)).to.deep.equal([
      'https://llm.example/base/openai/models?api-version=2024-10-21',
      'https://llm.example/base/openai/v1/models',
    ]);
  });

  it('Enterprise_Cloud_Chat: a token of Microsoft Entra travels as a bearer token', async () => {
    const peers = peersOf(OPENAI_OK);
    using deadline = startDeadline(5000);
    const entra = target({ enterprise_api_version: 'v1', access_token: 'eyJ0eXAi.eyJhdWQi.c2ln' });
    await LLM_PROVIDERS.Enterprise_Cloud_Chat.client(entra, peers).chat('m', PROBE, unmetered(deadline));
    expect(peers.calls[0]?.headers).to.deep.equal({ ...JSON_HEADERS, authorization: 'Bearer eyJ0eXAi.eyJhdWQi.c2ln' });
  });

  it('Assistant_Family', async () => {
    const peers = peersOf({ json: { content: [{ type: 'text', text: 'ok' }] } }, { json: { data: [] } });
    await chat('Assistant_Family', peers);
    await list('Assistant_Family', peers);
    const headers = { 'x-api-key': KEY, 'anthropic-version': '2023-06-01' };
    expect(peers.calls.map(shown)).to.deep.equal([
      {
        method: 'POST',
        url: 'https://llm.example/base/v1/messages',
        headers: { ...JSON_HEADERS, ...headers },
        body: { model: 'm', max_tokens: 16, messages },
      },
      {
        method: 'GET',
        url: 'https://llm.example/base/v1/models?limit=1000',
        headers: { accept: 'application/json', ...headers },
      },
    ]);
  });

  it('Search_Vendor_Models: the key in a header, never in the address', async () => {
    const peers = peersOf({ json: { candidates: [{ content: { parts: [{ text: 'ok' }] } }] } });
    await chat('Search_Vendor_Models', peers, 'gemini-x');
    await chat('Search_Vendor_Models', peers, 'tunedModels/my one');
    const [first, tuned] = peers.calls.map(shown);
    expect(first).to.deep.equal({
      method: 'POST',
      url: 'https://llm.example/base/v1/models/gemini-x:generateContent',
      headers: { ...JSON_HEADERS, 'x-goog-api-key': KEY },
      body: {
        contents: [{ role: 'user', parts: [{ text: PROMPT }] }],
        generationConfig: { maxOutputTokens: 16 },
      },
    });
    expect(tuned?.url).to.equal('https://llm.example/base/v1/tunedModels/my%20one:generateContent');
  });

  it('Local_Runtime', async () => {
    const peers = peersOf({ json: { message: { content: 'ok' }, done: true } }, { json: { models: [] } });
    await chat('Local_Runtime', peers, 'llama3.2:1b');
    await list('Local_Runtime', peers);
    expect(peers.calls.map(shown)).to.deep.equal([
      {
        method: 'POST',
        url: 'https://llm.example/base/api/chat',
        headers: { ...JSON_HEADERS, authorization: `Bearer ${KEY}` },
        body: { model: 'llama3.2:1b', messages, stream: false, options: { num_predict: 16 } },
      },
      {
        method: 'GET',
        url: 'https://llm.example/base/api/tags',
        headers: { accept: 'application/json', authorization: `Bearer ${KEY}` },
      },
    ]);
  });

  it('Cloud_Model_Hub: both keys or the role of the instance, never half a pair', async () => {
    const peers = new FakeLlm();
    await chat('Cloud_Model_Hub', peers, 'm', {
      region: 'eu-west-1',
      cloud_access_key_id: 'AKIA',
      endpoint: undefined,
    });
    await chat('Cloud_Model_Hub', peers, 'm', { region: 'eu-west-1', role_arn: 'arn:aws:iam::123456789012:role/r' });
    expect(peers.accesses[0]).to.deep.include({
      region: 'eu-west-1',
      keys: { accessKeyId: 'AKIA', secretAccessKey: KEY },
      endpoint: undefined,
      attempts: 1,
    });
    expect(peers.accesses[1]).to.not.have.property('keys');
    expect(peers.accesses[1]?.roleArn).to.equal('arn:aws:iam::123456789012:role/r');
    expect(peers.calls).to.deep.equal([]);
  });

  it('no temperature anywhere, trust and secrets handed on', async () => {
    for (const service of PROVIDER_NAMES.filter((one) => one !== 'Cloud_Model_Hub')) {
      const peers = peersOf({ status: 500, text: '' });
      await failureOf(chat(service, peers, 'm', { verify_tls: false, ca_certificate: 'PEM' }));
      expect(peers.calls[0]?.body, service).to.not.match(/temperature|top_p|top_k|response_variability/);
      expect(peers.calls[0], service).to.include({ verifyTls: false, caCertificate: 'PEM' });
      expect(peers.calls[0]?.secrets, service).to.include(KEY);
    }
  });
});

describe('the token cap has two names', () => {
  const caps = (peers: FakeLlm) =>
    peers.calls.map(({ body }) => Object.keys(JSON.parse(body ?? '{}')).filter((key) => key.startsWith('max_')));
  const refused = (error: object, status = 400): Answer => ({ status, json: { error } });

  for (const [what, first] of [
    ['the code of OpenAI', refused({ code: 'unsupported_parameter', param: 'max_completion_tokens' })],
    ['an older server', refused({ message: 'Unrecognized request argument supplied: max_completion_tokens' })],
    ['422 of a strict gateway', { status: 422, json: { detail: [{ loc: ['body', 'max_completion_tokens'] }] } }],
  ] as [string, Answer][]) {
    it(`${what}: once the other name, then none`, async () => {
      const twice = peersOf(first, OPENAI_OK);
      expect(await chat('General_Chat', twice)).to.deep.equal({ status: 200, text: 'ok' });
      expect(caps(twice)).to.deep.equal([['max_completion_tokens'], ['max_tokens']]);
      const thrice = peersOf(first, refused({ message: "'max_tokens' is not supported with this model" }), OPENAI_OK);
      await chat('Enterprise_Cloud_Chat', thrice, 'm', { enterprise_api_version: 'v1' });
      expect(caps(thrice)).to.deep.equal([['max_completion_tokens'], ['max_tokens'], []]);
      const never = peersOf(first);
      expect((await failureOf(chat('Fast_Inference', never))).code).to.equal('bad_request');
      expect(never.calls).to.have.length(3);
    });
  }

  it('other refusals are not tried again', async () => {
    for (const answer of [refused({ message: 'no' }), refused({ code: 'invalid_api_key' }, 401), { status: 503 }]) {
      const peers = peersOf(answer);
      await failureOf(chat('General_Chat', peers));
      expect(peers.calls).to.have.length(1);
    }
  });

  it('an empty answer that the cap cut off is an answer', async () => {
    const said = { json: { choices: [{ message: { content: null, reasoning: 'hm' }, finish_reason: 'length' }] } };
    expect(await chat('General_Chat', peersOf(said))).to.deep.equal({ status: 200, text: '' });
    const parts = { json: { choices: [{ message: { content: [{ type: 'text', text: 'o' }, { text: 'k' }] } }] } };
    expect((await chat('General_Chat', peersOf(parts))).text).to.equal('ok');
    const blocked = { json: { promptFeedback: { blockReason: 'SAFETY' } } };
    expect((await chat('Search_Vendor_Models', peersOf(blocked))).text).to.equal('');
  });
});

describe('versions of Gemini', () => {
  it('chat: v1, after 404 or 405 once v1beta', async () => {
    for (const status of [404, 405]) {
      const peers = peersOf(
        { status, json: { error: { code: status, status: 'NOT_FOUND' } } },
        {
          json: { candidates: [{ content: { parts: [{ text: 'ok' }] } }] },
        },
      );
      expect((await chat('Search_Vendor_Models', peers, 'gemini-flash-latest')).text).to.equal('ok');
      expect(peers.calls.map(({ url }) => new URL(url).pathname.split('/')[2])).to.deep.equal(['v1', 'v1beta']);
    }
    const never = peersOf({ status: 404, json: { error: { status: 'NOT_FOUND' } } });
    expect((await failureOf(chat('Search_Vendor_Models', never))).code).to.equal('model_not_found');
    expect(never.calls).to.have.length(2);
  });
});

describe('lists', () => {
  it('end at a cursor that comes again, and at 20 pages', async () => {
    const circling = peersOf({ json: { data: [{ id: 'a' }], has_more: true, last_id: 'a' } });
    expect((await list('Assistant_Family', circling)).ids).to.deep.equal(['a']);
    expect(circling.calls).to.have.length(2);
    const endless = new FakeLlm();
    endless.answer = () => ({
      json: { models: [{ name: `models/${endless.calls.length}` }], nextPageToken: `${endless.calls.length}` },
    });
    expect((await list('Search_Vendor_Models', endless)).ids).to.have.length(20);
  });

  it('hold at most 2,000 ids, each once', async () => {
    const data = Array.from({ length: 5000 }, (_, index) => ({ id: `m${index >> 1}` }));
    const { ids } = await list('General_Chat', peersOf({ json: { data } }));
    expect(ids).to.have.length(2000);
    expect(new Set(ids).size).to.equal(2000);
  });

  it('pass over entries without an id', async () => {
    const { ids } = await list('General_Chat', peersOf({ json: { data: [null, {}, { id: 7 }, { id: 'a' }, 'x'] } }));
    expect(ids).to.deep.equal(['a']);
  });
});

describe('codes of providers beyond those that are shown end to end', () => {
  const CASES: [Provider, number, unknown, string][] = [
    [
      'General_Chat',
      400,
      { error: { message: 'This model is only supported in v1/responses' } },
      'model_not_invokable',
    ],
    [
      'General_Chat',
      404,
      { error: { message: 'This is not a chat model and thus not supported' } },
      'model_not_invokable',
    ],
    ['General_Chat', 404, { detail: 'Not Found' }, 'upstream_error'],
    ['General_Chat', 404, { object: 'error', message: 'The model `x` does not exist.', code: 404 }, 'model_not_found'],
    ['General_Chat', 402, { error: { message: 'Insufficient Balance' } }, 'quota_exceeded'],
    ['General_Chat', 413, { error: { message: 'too large' } }, 'bad_request'],
    // LiteLLM's proxy.
    ['General_Chat', 400, { error: { message: 'No connected db.', type: 'no_db_connection' } }, 'auth_failed'],
    [
      'General_Chat',
      400,
      { error: { message: 'litellm.BadRequestError: litellm.ContentPolicyViolationError: refused', code: '400' } },
      'content_filtered',
    ],
    ['Fast_Inference', 400, { error: { code: 'model_decommissioned' } }, 'model_not_found'],
    ['Fast_Inference', 498, { error: { message: 'Flex tier capacity exceeded' } }, 'rate_limited'],
    ['Enterprise_Cloud_Chat', 400, { error: { code: 'OperationNotSupported' } }, 'model_not_invokable'],
    ['Enterprise_Cloud_Chat', 404, { error: { code: '404', message: 'Resource not found' } }, 'upstream_error'],
    ['Enterprise_Cloud_Chat', 429, { error: { code: 'insufficient_quota' } }, 'quota_exceeded'],
    ['Assistant_Family', 529, { error: { type: 'overloaded_error', message: 'Overloaded' } }, 'rate_limited'],
    ['Assistant_Family', 529, {}, 'rate_limited'],
    [
      'Assistant_Family',
      400,
      { error: { type: 'invalid_request_error', message: 'Your credit balance is too low' } },
      'quota_exceeded',
    ],
    ['Assistant_Family', 400, { error: { type: 'invalid_request_error', message: 'x' } }, 'bad_request'],
    ['Search_Vendor_Models', 401, { error: { status: 'UNAUTHENTICATED' } }, 'auth_failed'],
    [
      'Search_Vendor_Models',
      400,
      { error: { status: 'INVALID_ARGUMENT', details: [{ reason: 'API_KEY_EXPIRED' }] } },
      'auth_failed',
    ],
    [
      'Search_Vendor_Models',
      403,
      { error: { status: 'PERMISSION_DENIED', details: [{ reason: 'API_KEY_SERVICE_BLOCKED' }] } },
      'permission_denied',
    ],
    ['Search_Vendor_Models', 503, { error: { status: 'UNAVAILABLE' } }, 'upstream_error'],
    ['Local_Runtime', 400, { error: '"nomic-embed-text" does not support chat' }, 'model_not_invokable'],
    ['Local_Runtime', 404, { error: 'model "x" not found, try pulling it first' }, 'model_not_found'],
    ['Local_Runtime', 500, { error: 'model requires more system memory' }, 'upstream_error'],
  ];
  for (const [service, status, json, code] of CASES) {
    it(`${service} ${status} ${JSON.stringify(json).slice(0, 60)}: ${code}`, async () => {
      const error = await failureOf(chat(service, peersOf({ status, json }), 'm', { enterprise_api_version: 'v1' }));
      expect(error.code, error.message).to.equal(code);
      expect(error.httpStatus).to.equal(status);
    });
  }

  it('an unknown path of a list is no unknown model', async () => {
    for (const service of ['General_Chat', 'Assistant_Family', 'Search_Vendor_Models', 'Local_Runtime'] as const) {
      const json = { error: { type: 'not_found_error', status: 'NOT_FOUND', message: 'model not found' } };
      expect((await failureOf(list(service, peersOf({ status: 404, json })))).code, service).to.equal('upstream_error');
    }
  });

  it('waits: Retry-After in seconds, as a date, in milliseconds, as RetryInfo; never more than a day', async () => {
    const waitAfter = async (answer: Answer, service: Provider = 'General_Chat') =>
      (await failureOf(chat(service, peersOf({ status: 429, json: {}, ...answer })))).retryAfter;
    expect(await waitAfter({ headers: { 'retry-after': '12' } })).to.equal(12);
    expect(await waitAfter({ headers: { 'retry-after': new Date(Date.now() + 30_000).toUTCString() } })).to.be.within(
      25,
      31,
    );
    expect(await waitAfter({ headers: { 'retry-after-ms': '1500' } })).to.equal(2);
    expect(await waitAfter({ headers: { 'retry-after': '999999999' } })).to.equal(86_400);
    const json = { error: { status: 'RESOURCE_EXHAUSTED', details: [{ retryDelay: '0.4s' }] } };
    expect(await waitAfter({ json }, 'Search_Vendor_Models')).to.equal(1);
    expect(await waitAfter({})).to.equal(undefined);
  });

  it('texts of providers are cut, on one line, and without keys', async () => {
    const message = `bad\u0000\n\u202e key ${KEY}, sk-abcdefghijkl, AKIAIOSFODNN7EXAMPLE, Bearer abc.def.ghi ${'x'.repeat(5000)}`;
    const error = await failureOf(chat('General_Chat', peersOf({ status: 401, json: { error: { message } } })));
    expect(error.message).to.not.match(/canary|sk-abc|AKIA|abc\.def/);
    expect(error.message.length).to.be.lessThan(400);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be there
    expect(error.message).to.not.match(/[\u0000-\u001f\u202e]/);
    const page = await failureOf(chat('General_Chat', peersOf({ status: 502, text: `<html>${'<p>x'.repeat(999)}` })));
    expect(page.message).to.equal('The provider answered 502: an HTML page');
  });
});

describe('lists without an object around them', () => {
  it('are read, and an error in one is an error', async () => {
    expect((await list('General_Chat', peersOf({ json: [{ id: 'a' }, { id: 'b' }] }))).ids).to.deep.equal(['a', 'b']);
    const failure = list('General_Chat', peersOf({ json: [{ error: { message: 'not today' } }] }));
    expect((await failureOf(failure)).message).to.contain('not today');
  });
});

describe('the site’s own model service', () => {
  const hosted = async (site: FakeLlm['site'], more: Partial<Target['settings']> = {}, endpoint?: string) => {
    const peers = peersOf(OPENAI_OK);
    peers.site = site;
    const whole: Target = { settings: { verify_tls: true, endpoint, ...more }, hidden: [] };
    using deadline = startDeadline(5000);
    const work = LLM_PROVIDERS.Platform_Hosted_Models.client(whole, peers).chat('m', PROBE, unmetered(deadline));
    const error = await work.then(
      () => undefined,
      (thrown: OutboundError) => thrown.code,
    );
    return error ?? [peers.calls[0]?.url, peers.calls[0]?.headers.authorization];
  };
  const site = { endpoint: 'https://models.site.example/v1', token: 'site-token' };

  it('takes the site’s address and token', async () => {
    expect(await hosted(site)).to.deep.equal(['https://models.site.example/v1/chat/completions', 'Bearer site-token']);
    expect(await hosted(site, {}, 'https://MODELS.site.example/other')).to.deep.equal([
      'https://MODELS.site.example/other/chat/completions',
      'Bearer site-token',
    ]);
  });

  it('sends the site’s token nowhere else, and an own token only to an own address', async () => {
    for (const endpoint of [
      'https://evil.example',
      'http://models.site.example/v1',
      'https://models.site.example:444',
    ]) {
      expect(await hosted(site, {}, endpoint), endpoint).to.equal('configuration_invalid');
    }
    expect(await hosted(site, { access_token: 'own' })).to.equal('configuration_invalid');
    expect(await hosted(site, { access_token: 'own' }, 'https://own.example')).to.deep.equal([
      'https://own.example/chat/completions',
      'Bearer own',
    ]);
    for (const loose of [{ verify_tls: false }, { verify_tls: true, ca_certificate: 'PEM' }]) {
      expect(await hosted(site, loose), 'the site is verified as the site says').to.equal('configuration_invalid');
      const plain = { ...site, endpoint: 'http://models.site.example/v1' };
      expect(await hosted(plain, loose)).to.deep.equal([
        'http://models.site.example/v1/chat/completions',
        'Bearer site-token',
      ]);
    }
    expect(await hosted({})).to.equal('configuration_invalid');
    expect(await hosted({ endpoint: site.endpoint })).to.equal('configuration_invalid');
  });
});
