import { expect } from 'chai';
import { MASK } from '../../../src/contract/basics.ts';
import type { MemoryApp } from '../../support/memory/app.ts';
import { type Peer, readBody, sendJson, startHttp } from '../../support/peers/listen.ts';
import { SourceCopy } from '../../support/sourceCopy.ts';

const FAMILY = 'src/families/vector-stores';
const KEY = 'key-canary-of-acme';
const ROLE = 'arn:aws:iam::123456789012:role/retrieve';

/** A kind of store that nobody has. Its adapter is `fetch`, since the recipe ends where adapters begin. */
const ACME = `import { OutboundError } from '../../../contract/codes/outbound.ts';
import type { Passage } from '../../../ports/cloud/passages.ts';
import type { StoreKind, StoreOf } from './kind.ts';

async function ask(url: string, key: string | undefined, body: object): Promise<Passage[]> {
  const answer = await fetch(url, { method: 'POST', headers: { 'x-acme-key': key ?? '' }, body: JSON.stringify(body) });
  if (answer.status !== 200) throw new OutboundError('auth_failed', 'Acme refused', { httpStatus: answer.status });
  return ((await answer.json()) as { hits: string[] }).hits.map((text) => ({ text, source: { type: 'acme' }, metadata: {} }));
}

const acme: StoreKind<StoreOf<'ACME_INDEX'>> = {
  required: ['url'],
  optional: ['acme_key'],
  addresses: ({ url }) => ({ 'details.url': url }),
  problems: (_details, secrets) =>
    secrets.includes('details/acme_key') ? [] : [{ field: 'details.acme_key', message: 'is required for ACME_INDEX' }],
  async test({ record: { details }, secrets }, _deps, query, _deadline, run) {
    const { url } = details;
    await run.step('retrieve', true, async () => {
      await ask(url, secrets['details/acme_key'], { text: query ?? 'ok', most: 1 });
    });
    return {};
  },
  search({ record: { details }, secrets }) {
    const { url } = details;
    return ({ text, count }) => ask(url, secrets['details/acme_key'], { text, most: count });
  },
};
export { acme };
`;

const OWN_DETAILS = `
  ACME_INDEX: {
    url: required(Type.String({ maxLength: 200, description: 'Address' })),
    acme_key: secret(Secret({ description: 'Key', maxLength: 200 }), Masked('Key')),
  },`;

describe('a new kind of vector store, by the recipe of CONTRIBUTING.md, in a copy of the sources', () => {
  let copy: SourceCopy;
  let app: MemoryApp;
  let server: Peer;
  const asked: { key: unknown; body: unknown }[] = [];

  const compile = () => copy.compile(`${FAMILY}/endpoints.ts`, `${FAMILY}/handlers.ts`, `${FAMILY}/public.ts`);
  const call = (method: string, path: string, body?: object) => app.call('editor', method, path, body);

  before(async () => {
    copy = new SourceCopy();
    server = await startHttp(async (request, response) => {
      const key = request.headers['x-acme-key'];
      asked.push({ key, body: JSON.parse(await readBody(request)) });
      if (key === KEY) sendJson(response, 200, { hits: ['first', 'second', 'third'] });
      else sendJson(response, 401, {});
    });
  });
  after(async () => {
    await server.close();
    copy.remove();
  });
  beforeEach(() => {
    asked.length = 0;
  });

  it('takes a file and a name, and does not compile without its line in the registry', async () => {
    copy.edit(`${FAMILY}/names.ts`, "['CLOUD_KB', ", "['ACME_INDEX', 'CLOUD_KB', ");
    expect(await compile()).to.match(/registry\.ts.*Property 'ACME_INDEX' is missing/s);
    copy.add(`${FAMILY}/kinds/acme.ts`, ACME);
    const registry = `${FAMILY}/kinds/registry.ts`;
    copy.edit(registry, 'import { cloudKb }', "import { acme } from './acme.ts';\nimport { cloudKb }");
    copy.edit(registry, 'CLOUD_KB: cloudKb,', 'CLOUD_KB: cloudKb,\n  ACME_INDEX: acme,');
    expect(await compile()).to.match(/details\.ts.*Property 'ACME_INDEX' is missing/s);
  });

  it('has its details in the schemas, where those that not all kinds need become optional', async () => {
    const details = `${FAMILY}/kinds/details.ts`;
    copy.edit(details, '\n} as const satisfies', `${OWN_DETAILS}\n} as const satisfies`);
    expect(await compile()).to.equal('');

    app = await copy.openApp();
    app.user('editor', { capabilities: ['edit_agent_connections', 'use_ai_gateway'] });
  });

  const details = () => ({ url: server.url, acme_key: KEY });

  it('is saved with what it needs and its secret masked, beside the first kind', async () => {
    const lacking = await call('POST', '/vector_stores', { name: 'index', type: 'ACME_INDEX', details: {} });
    expect(lacking.json.errors).to.deep.equal([
      { field: 'details.url', message: 'is required' },
      { field: 'details.acme_key', message: 'is required for ACME_INDEX' },
    ]);
    const { json } = await call('POST', '/vector_stores', { name: 'index', type: 'ACME_INDEX', details: details() });
    expect(json.config?.details, JSON.stringify(json)).to.deep.equal({ url: server.url, acme_key: MASK });
    expect(app.leaks(KEY)).to.deep.equal([]);

    const base = { name: 'base', type: 'CLOUD_KB', details: { role_arn: ROLE } };
    const fields = (await call('POST', '/vector_stores', base)).json.errors.map(
      ({ field }: { field: string }) => field,
    );
    expect(fields).to.deep.equal(['details.cloud_region', 'details.kb_id']);
    const region = { ...base.details, cloud_region: 'eu-central-1', kb_id: 'ABCDE12345' };
    expect((await call('POST', '/vector_stores', { ...base, details: region })).status).to.equal(200);
  });

  it('keeps its secret from another address', async () => {
    const moved = { name: 'index', details: { url: 'https://other.example' } };
    expect((await call('PUT', '/vector_stores', moved)).json.error_code).to.equal('secret_required_for_new_host');
  });

  it('is tested in its own steps', async () => {
    const { json } = await call('POST', '/vector_stores/test', { name: 'index', query: 'q' });
    expect(json.data.steps.map(({ step, status }: { step: string; status: string }) => [step, status])).to.deep.equal([
      ['retrieve', 'success'],
    ]);
    expect(asked).to.deep.equal([{ key: KEY, body: { text: 'q', most: 1 } }]);
    const wrong = { type: 'ACME_INDEX', details: { ...details(), acme_key: 'wrong' } };
    expect((await call('POST', '/vector_stores/test', wrong)).json).to.include({ error_code: 'auth_failed' });
  });

  it('answers the gateway in the one shape of all kinds', async () => {
    const { json } = await call('POST', '/ai_gateway/retrieve', { store: 'index', query: 'q', number_of_results: 2 });
    expect(json.result, JSON.stringify(json)).to.deep.equal([
      { rank: 1, text: 'first', source: { type: 'acme' }, metadata: {} },
      { rank: 2, text: 'second', source: { type: 'acme' }, metadata: {} },
    ]);
  });
});
