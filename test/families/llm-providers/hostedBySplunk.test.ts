import { expect } from 'chai';
import { OutboundError } from '../../../src/contract/codes/outbound.ts';
import { startDeadline } from '../../../src/domain/async/deadline.ts';
import { unmetered } from '../../../src/domain/async/unmetered.ts';
import type { ChatRequest } from '../../../src/families/llm-providers/chat/chat.ts';
import { type LlmClient, PROBE, type Target } from '../../../src/families/llm-providers/providers/provider.ts';
import { LLM_PROVIDERS } from '../../../src/families/llm-providers/providers/registry.ts';
import { unmasked } from '../../../src/masking/outgoing.ts';
import type { HttpCall } from '../../../src/ports/llm/http.ts';
import type { Upstream } from '../../../src/ports/platform/upstream.ts';
import { FakeLlm } from '../../support/memory/llm.ts';

const BASE = 'https://acme.api.scs.example/acme-prod/slim-api/v1alpha1';
const TOKEN = 'tenant-token-canary-1';
const RENEWED = 'tenant-token-canary-2';
const MODELS = [
  { model_name: 'gpt-oss-20b', model_id: 'id-20' },
  { model_name: 'gpt-oss-120b', model_id: 'id-120', extra_headers: { pool: 'large' } },
];
const ANSWER = {
  choices: [{ message: { content: 'ok' } }],
  usage: { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 },
};
const hello: ChatRequest = { messages: [{ role: 'user', content: 'hello' }] };
const { hosting, client: open } = LLM_PROVIDERS.Platform_Hosted_Models;

type Settings = Partial<Target['settings']>;

/** A site whose models Splunk hosts. */
function peersOf(models: unknown = MODELS, answer: FakeLlm['answer'] = () => ({ json: ANSWER })): FakeLlm {
  const peers = new FakeLlm();
  peers.tenant.value = { tenant: 'acme-prod', host: 'acme.api.scs.example' };
  peers.answer = (call) => (call.method === 'GET' ? { json: models } : answer(call));
  return peers;
}

async function use<T>(
  peers: FakeLlm,
  work: (client: LlmClient, upstream: Upstream) => Promise<T>,
  settings: Settings = {},
): Promise<T> {
  using deadline = startDeadline(5000);
  return work(open({ settings: { verify_tls: true, ...settings }, hidden: [] }, peers), unmetered(deadline));
}

const chat = (peers: FakeLlm, model = 'gpt-oss-20b', request = hello, settings: Settings = {}) =>
  use(peers, (client, upstream) => client.chat(model, unmasked(request), upstream), settings);

const failureOf = (work: Promise<unknown>): Promise<OutboundError> =>
  work.then(
    () => expect.fail('nothing was thrown'),
    (error) => {
      expect(error).to.be.instanceOf(OutboundError);
      return error;
    },
  );

const bodyOf = ({ body = '{}' }: HttpCall) => JSON.parse(body);
const posts = ({ calls }: FakeLlm) => calls.filter(({ method }) => method === 'POST');
const tokensOf = ({ calls }: FakeLlm) => calls.map(({ headers }) => headers.authorization);

describe('models that Splunk hosts', () => {
  it('are called to the letter, with ids for names and an id for each request', async () => {
    const peers = peersOf();
    const { message, usage } = await chat(peers, 'gpt-oss-20b', { ...hello, maxTokens: 100, temperature: 0.3 });
    expect(message.content).to.equal('ok');
    expect(usage).to.deep.include({ input: { total: 7, cached: undefined, cacheWritten: undefined } });
    expect(peers.calls.map(({ method, url }) => `${method} ${url}`)).to.deep.equal([
      `GET ${BASE}/chat/models`,
      `POST ${BASE}/chat/completions`,
    ]);
    expect(posts(peers).map(bodyOf)).to.deep.equal([
      {
        model_id: 'id-20',
        messages: [{ role: 'user', content: 'hello' }],
        max_tokens: 100,
        temperature: 0.3,
        stream: false,
        extra_headers: { additionalProp1: 'string' },
      },
    ]);
    const ids = peers.calls.map(({ headers }) => headers.request_id);
    for (const id of ids) expect(id).to.match(/^[\da-f]{64}$/);
    expect(new Set(ids).size).to.equal(2);
    expect(tokensOf(peers)).to.deep.equal([`Bearer ${TOKEN}`, `Bearer ${TOKEN}`]);
    for (const { verifyTls, caCertificate } of peers.calls)
      expect([verifyTls, caCertificate]).to.deep.equal([true, undefined]);
  });

  it('take a limit where none is asked for, the headers that the list has, and an id in place of a name', async () => {
    const peers = peersOf();
    await chat(peers, 'gpt-oss-120b');
    await chat(peers, 'id-20');
    expect(posts(peers).map(bodyOf)).to.deep.equal([
      {
        model_id: 'id-120',
        messages: [{ role: 'user', content: 'hello' }],
        max_tokens: 4096,
        stream: false,
        extra_headers: { pool: 'large' },
      },
      {
        model_id: 'id-20',
        messages: [{ role: 'user', content: 'hello' }],
        max_tokens: 4096,
        stream: false,
        extra_headers: { additionalProp1: 'string' },
      },
    ]);
    expect(peers.calls, 'they are listed once').to.have.length(3);
  });

  it('get no hints of the caller, which is said', async () => {
    const peers = peersOf();
    const { warnings } = await chat(peers, 'gpt-oss-20b', { ...hello, hints: { user: 'anna', store: true } });
    expect(posts(peers).map(bodyOf)[0]).to.not.have.any.keys('user', 'store');
    expect(warnings.join()).to.contain('user').and.contain('store');
  });

  it('are listed by their names, as a list and in an object', async () => {
    for (const list of [MODELS, { models: MODELS }]) {
      const answer = await use(peersOf(list), (client, upstream) => client.list(upstream));
      expect(answer).to.deep.equal({ status: 200, ids: ['gpt-oss-20b', 'gpt-oss-120b'] });
    }
    for (const other of [{}, 'text', { models: 'none' }]) {
      const error = await failureOf(use(peersOf(other), (client, upstream) => client.list(upstream)));
      expect(error.code).to.equal('upstream_error');
    }
  });

  it('are read from a stream too, and cut off it is an error', async () => {
    const events = ['o', 'k'].map(
      (content) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}`,
    );
    const stream = (...more: string[]) => peersOf(MODELS, () => ({ text: [...events, ...more].join('\n\n') }));
    expect((await chat(stream('data: [DONE]', ''))).message.content).to.equal('ok');
    expect((await failureOf(chat(stream()))).code).to.equal('upstream_error');
  });

  it('that are unknown are refused with the names that there are, and nothing is asked of a model', async () => {
    const peers = peersOf();
    const error = await failureOf(chat(peers, 'gpt-5'));
    expect([error.code, error.message]).to.deep.equal([
      'model_not_found',
      'Splunk does not host gpt-5 for the tenant acme-prod, but gpt-oss-20b, gpt-oss-120b',
    ]);
    expect(posts(peers)).to.deep.equal([]);
    const many = Array.from({ length: 25 }, (_, index) => ({ model_name: `m${index}`, model_id: `id${index}` }));
    expect((await failureOf(chat(peersOf(many), 'x'))).message).to.match(/m19 and 5 more$/);
    expect((await failureOf(chat(peersOf([])))).message).to.equal('Splunk hosts no models for the tenant acme-prod');
  });

  it('are listed anew where the list of a short while ago lacks one, or an id is gone', async () => {
    const peers = peersOf();
    await chat(peers);
    const listed = { model_name: 'new', model_id: 'id-new' };
    peers.answer = ({ method }) => (method === 'GET' ? { json: [listed] } : { json: ANSWER });
    await chat(peers, 'new');
    expect(bodyOf(posts(peers)[1] as HttpCall).model_id).to.equal('id-new');
    peers.answer = ({ method }) =>
      method === 'GET' ? { json: [{ ...listed, model_id: 'id-newer' }] } : { status: 404, json: {} };
    expect((await failureOf(chat(peers, 'new'))).code).to.equal('model_not_found');
    peers.answer = ({ method }) =>
      method === 'GET' ? { json: [{ ...listed, model_id: 'id-newer' }] } : { json: ANSWER };
    await chat(peers, 'new');
    expect(bodyOf(posts(peers)[3] as HttpCall).model_id).to.equal('id-newer');
  });

  it('are called once more with a renewed token after a 401, and no more', async () => {
    const refused = { status: 401, json: { error_message: `bad token ${TOKEN}` } };
    const peers = peersOf(MODELS, ({ headers }) =>
      headers.authorization === `Bearer ${RENEWED}` ? { json: ANSWER } : refused,
    );
    expect((await chat(peers)).message.content).to.equal('ok');
    expect(tokensOf(peers)).to.deep.equal([TOKEN, TOKEN, RENEWED].map((token) => `Bearer ${token}`));
    const never = peersOf(MODELS, ({ headers }) => ({ status: 401, json: { error_message: headers.authorization } }));
    const error = await failureOf(chat(never));
    expect([error.code, error.httpStatus, posts(never).length]).to.deep.equal(['auth_failed', 401, 2]);
    expect(error.message).to.not.match(/canary/);
    const list = new FakeLlm();
    list.tenant.value = peers.tenant.value;
    list.tenant.tokens = [TOKEN];
    list.tenant.renewed = async () => undefined;
    list.answer = () => refused;
    expect((await failureOf(use(list, (client, upstream) => client.list(upstream)))).code).to.equal('auth_failed');
    expect(list.calls, 'a new token is not renewed').to.have.length(1);
  });

  it('do not show the token, wherever a server repeats it', async () => {
    const echoing = peersOf([{ model_name: `m-${TOKEN}`, model_id: 'id' }], () => ({
      json: { choices: [{ message: { content: `I saw ${TOKEN}` } }] },
    }));
    expect(JSON.stringify(await use(echoing, (client, upstream) => client.list(upstream)))).to.not.contain(TOKEN);
    expect(JSON.stringify(await chat(echoing, 'id'))).to.not.contain(TOKEN);
    expect((await failureOf(chat(echoing, 'other'))).message).to.not.contain(TOKEN);
  });

  it('are tested by a chat, and have no embeddings', async () => {
    const peers = peersOf();
    const test = (model: string) => use(peers, async (client, upstream) => client.test?.(model, upstream));
    expect((await test('id-120'))?.message.content).to.equal('ok');
    expect(bodyOf(posts(peers)[0] as HttpCall)).to.include({ model_id: 'id-120', max_tokens: PROBE.maxTokens });
    expect((await failureOf(test('nope'))).message).to.contain('gpt-oss-20b');
    const embedding = use(peers, (client, upstream) =>
      client.embed('gpt-oss-20b', unmasked({ inputs: ['text'] }), upstream),
    );
    const { code, param } = await failureOf(embedding);
    expect([code, param]).to.deep.equal(['not_supported', 'model']);
  });

  it('are there only where the service of the tenant is', async () => {
    const peers = peersOf();
    peers.answer = () => ({ status: 404, json: {} });
    const { code, message } = await failureOf(chat(peers));
    expect(code).to.equal('not_supported');
    expect(message).to.not.contain('servicesettings.endpoint');
  });

  it('the token goes nowhere that a configuration has loosened', async () => {
    for (const settings of [{ verify_tls: false }, { ca_certificate: 'PEM' }]) {
      const peers = peersOf();
      const { code, message } = await failureOf(chat(peers, 'gpt-oss-20b', hello, settings));
      expect([code, peers.calls.length]).to.deep.equal(['configuration_invalid', 0]);
      expect(message).to.match(/verify_tls on and no ca_certificate/);
    }
  });

  it('give way to an endpoint of the configuration and to that of the site, and need no own token', async () => {
    const urls = async (site: FakeLlm['site'], settings: Settings) => {
      const peers = peersOf();
      peers.site = site;
      return chat(peers, 'm', hello, settings).then(
        () => peers.calls.map(({ url, headers }) => `${url} ${headers.authorization}`),
        (error: OutboundError) => `${error.code} ${peers.calls.length}`,
      );
    };
    const own = { endpoint: 'https://own.example/v1', access_token: 'own-token' };
    expect(await urls({}, own)).to.deep.equal(['https://own.example/v1/chat/completions Bearer own-token']);
    const site = { endpoint: 'https://site.example/v1', token: 'site-token' };
    expect(await urls(site, {})).to.deep.equal(['https://site.example/v1/chat/completions Bearer site-token']);
    expect(await urls({}, { endpoint: 'https://own.example/v1' })).to.equal('configuration_invalid 0');
    expect(await urls({}, { access_token: 'own-token' })).to.equal('configuration_invalid 0');
  });

  it('are not there on premises, or the platform says why it does not tell', async () => {
    const peers = peersOf();
    peers.tenant.value = undefined;
    const { code, message } = await failureOf(chat(peers));
    expect(code).to.equal('configuration_invalid');
    expect(message).to.match(/endpoint_url in ml_extension\.conf.*the platform has no tenant/);
    peers.tenant.failure = new OutboundError('permission_denied', 'refused (403)');
    expect((await failureOf(chat(peers))).code).to.equal('permission_denied');
  });

  it('say who hosts them', async () => {
    const peers = peersOf();
    const words = (settings: Settings = {}) => hosting?.(settings, peers);
    expect(await words()).to.equal('Hosted by Splunk (tenant acme-prod)');
    expect(await words({ endpoint: 'https://own.example' })).to.equal('Endpoint of this site');
    expect(await words({ access_token: 'own' })).to.equal('Endpoint of this site');
    peers.site = { endpoint: 'https://site.example' };
    expect(await words()).to.equal('Endpoint of this site');
    peers.site = {};
    peers.tenant.failure = new Error('refused');
    expect(await words()).to.equal(undefined);
  });
});
