import { expect } from 'chai';
import { MASK } from '../../../src/contract/basics.ts';
import type { HttpCall } from '../../../src/ports/llm/http.ts';
import { MemoryApp } from '../../support/memory/app.ts';
import { Random } from '../../support/random.ts';

const CAPABILITIES = ['edit_ai_commander_config', 'list_ai_commander_config'];
const PROVIDERS = ['General_Chat', 'Local_Runtime', 'Assistant_Family', 'Platform_Hosted_Models'] as const;
const DEFAULTS: Record<(typeof PROVIDERS)[number], string | undefined> = {
  General_Chat: 'https://api.openai.com/v1',
  Local_Runtime: 'http://localhost:11434',
  Assistant_Family: 'https://api.anthropic.com',
  Platform_Hosted_Models: undefined,
};
const ENDPOINTS = [
  'https://a.example/v1',
  'https://a.example/other/chat/completions',
  'http://a.example/v1',
  'https://a.example:8443/v1',
  'https://b.example/v1',
  'http://b.example/v1',
  'https://A.EXAMPLE./v1',
];
/** ML_TEST_RUNS tries more. */
const RUNS = Number(process.env.ML_TEST_RUNS ?? 25);
const STEPS = 40;

/** scheme, host and port of an address, as the rule of contract 1.6 sees them. */
function receiver(address: string): { secure: boolean; host: string; port: string } {
  const url = new URL(address);
  const secure = url.protocol === 'https:';
  return { secure, host: url.hostname.replace(/\.$/, ''), port: url.port || (secure ? '443' : '80') };
}

function mayReach(savedFor: string, sentTo: string): boolean {
  const [from, to] = [receiver(savedFor), receiver(sentTo)];
  if (from.host !== to.host) return false;
  if (from.secure === to.secure) return from.port === to.port;
  return !from.secure && to.secure && (from.port === to.port || (from.port === '80' && to.port === '443'));
}

/** One run: any calls in any order. Each key's text says for which address it was given. */
async function run(seed: number): Promise<{ sent: number; refused: number }> {
  const random = new Random(seed);
  const app = new MemoryApp();
  app.user('editor', { capabilities: CAPABILITIES });
  const savedFor = new Map<string, string>();
  const trace: string[] = [];
  let refused = 0;
  let keys = 0;
  const newKey = (address: string) => {
    keys += 1;
    const key = `key-${keys}-of-run-${seed}`;
    savedFor.set(key, address);
    return key;
  };
  const keyOf = ({ headers }: HttpCall) => headers.authorization?.replace('Bearer ', '') ?? headers['x-api-key'];
  app.llm.answer = () => ({ json: random.pick([{ data: [{ id: 'm' }], models: [{ name: 'm' }] }, {}]) });

  for (let step = 0; step < STEPS; step++) {
    const service = random.pick(PROVIDERS);
    const identity = {
      service,
      connection_name: random.pick(['one', 'ONE', 'two']),
      model: random.pick(['m', 'n/o']),
    };
    const path = `/aicommander/${identity.service}/${identity.connection_name}/${identity.model}`;
    const kind = random.pick(['save', 'save', 'given', 'given', 'saved', 'delete', 'site']);
    if (kind === 'site') {
      const endpoint = random.chance(0.3) ? undefined : random.pick(ENDPOINTS).replace('/chat/completions', '');
      app.llm.site = endpoint === undefined ? {} : { endpoint, token: newKey(endpoint) };
      trace.push(`site ${endpoint}`);
      continue;
    }
    if (kind === 'delete') {
      if (random.chance(0.5)) await app.call('editor', 'DELETE', path);
      trace.push(`delete ${path}`);
      continue;
    }
    const action = random.pick([{}, { probe: 'list' }, { action: 'refresh_models' }]);
    if (kind === 'saved') {
      await app.call('editor', 'POST', '/aicommander_metadata', { ...identity, ...action });
      trace.push(`test saved ${path}`);
      continue;
    }
    const endpoint = random.chance(0.2) ? undefined : random.pick(ENDPOINTS);
    const address = endpoint ?? DEFAULTS[service] ?? app.llm.site.endpoint;
    const token = random.pick([undefined, MASK, '', address === undefined ? undefined : newKey(address)]);
    const blob = {
      ...identity,
      ...(random.chance(0.1)
        ? {}
        : {
            servicesettings: {
              ...(endpoint === undefined ? {} : { endpoint: { value: endpoint } }),
              ...(token === undefined ? {} : { access_token: { value: token } }),
              other_key: random.pick([undefined, { value: 'x' }, { value: MASK }, null]),
            },
          }),
      modelsettings: { step },
    };
    const reply =
      kind === 'save'
        ? await app.call('editor', 'POST', '/aicommander', blob)
        : await app.call('editor', 'POST', '/aicommander_metadata', { ...blob, ...action });
    expect(reply.status, JSON.stringify(reply.json)).to.be.oneOf([200, 400]);
    if (reply.json.error_code === 'secret_required_for_new_host') refused += 1;
    trace.push(`${kind} ${path} at ${endpoint} with ${token}: ${reply.status} ${reply.json.error_code ?? ''}`);
  }

  let sentCount = 0;
  for (const call of app.llm.calls) {
    const key = keyOf(call);
    if (key === undefined) continue;
    sentCount += 1;
    const home = savedFor.get(key);
    const message = `seed ${seed}: ${key}, saved for ${home}, went to ${call.url}\n${trace.join('\n')}`;
    expect(home !== undefined && mayReach(home, call.url), message).to.equal(true);
    expect(call.url, message).to.not.contain(key);
  }
  expect(app.leaks(...savedFor.keys())).to.deep.equal([]);
  expect(app.site.orphans('ml_llm_connections'), `seed ${seed}`).to.deep.equal([]);
  return { sent: sentCount, refused };
}

describe('a stored key never goes to a host other than the one it was saved for', () => {
  it(`by no sequence of calls: ${RUNS} sequences of ${STEPS}`, async () => {
    let [sentCount, refused] = [0, 0];
    for (let seed = 1; seed <= RUNS; seed++) {
      const outcome = await run(seed);
      sentCount += outcome.sent;
      refused += outcome.refused;
    }
    // Otherwise nothing was put to the test.
    expect(sentCount).to.be.greaterThan(RUNS);
    expect(refused).to.be.greaterThan(RUNS);
  });
});
