import { expect } from 'chai';
import { connectionListSuite } from '../../suites/connectionLists.ts';
import { container, llm, model } from '../../support/connectionDocuments.ts';
import { startPlatform, type TestPlatform } from '../../support/e2e/platform.ts';
import { blobOf } from '../../support/llmBlob.ts';
import { overHttp } from '../../support/worlds/overHttp.ts';

const LLM = 'ml_llm_connections';
const CONTAINERS = 'ml_container_connections';

describe('list_connections (contract 8) over HTTP', () => {
  let platform: TestPlatform;

  before(async () => {
    platform = await startPlatform();
    await platform.createUser('anna', ['ml_admin']);
  });
  after(() => platform.dispose());

  // biome-ignore lint/suspicious/noExplicitAny: entries as they came over the wire
  const list = async (query = ''): Promise<any> => {
    const reply = await platform.ml('anna', 'GET', `/list_connections${query}`);
    expect(reply.status, reply.text).to.equal(200);
    return reply.json;
  };

  it('lists the saved LLM configurations', async () => {
    const saved = blobOf('Local_Runtime', 'http://127.0.0.1:9');
    const draft = { ...saved, model: 'a draft', is_model_saved: false };
    for (const blob of [saved, draft, { ...saved, connection_name: 'drafts', is_saved: false }]) {
      const reply = await platform.ml('anna', 'POST', '/aicommander', blob);
      expect(reply.status, reply.text).to.equal(200);
    }
    expect((await list()).result).to.deep.equal([
      {
        connection_type: 'llm',
        Provider: 'Local_Runtime',
        Model: saved.model,
        'Connection Name': 'to Local_Runtime',
      },
    ]);
    for (const doc of await platform.documents(LLM)) await platform.removeDocument(LLM, String(doc._key));
  });

  it('is complete and sorted with tens of thousands of entries', async () => {
    const models = (index: number) => [0, 1, 2].map((one) => model(`model-${index}-${one}`));
    const many = Array.from({ length: 5000 }, (_, index) =>
      llm('General_Chat', `Many ${String((index * 7919) % 5000).padStart(5, '0')}`, ...models(index)),
    );
    const engines = Array.from({ length: 10_000 }, (_, index) => {
      const type = index % 2 ? 'docker' : 'kubernetes';
      const url = index % 2 ? { docker_url: `tcp://d${index}:2375` } : { cluster_url: `https://k${index}:6443` };
      return container(type, `Many ${String((index * 7919) % 10_000).padStart(5, '0')}`, url);
    });
    await platform.putDocuments(LLM, many);
    await platform.putDocuments(CONTAINERS, engines);
    const { result } = await list('?search=many');
    expect(result).to.have.length(25_000);
    const types = result.map((one: { connection_type: string }) => one.connection_type);
    expect(types).to.deep.equal([
      ...Array(15_000).fill('llm'),
      ...Array(5000).fill('docker'),
      ...Array(5000).fill('kubernetes'),
    ]);
    for (const [from, to] of [
      [0, 15_000],
      [15_000, 20_000],
      [20_000, 25_000],
    ]) {
      const named = result
        .slice(from, to)
        .map((one: Record<string, string>) => `${one['Connection Name'] ?? one.connection_name}${one.Model ?? ''}`);
      expect(named).to.deep.equal([...named].sort());
    }
    const paged = await list('?search=many&count=100&offset=14950');
    expect(paged.result).to.deep.equal(result.slice(14_950, 15_050));
    expect(paged.pagination.total).to.equal(25_000);
  });
});

describe('list_connections over HTTP', () => connectionListSuite(overHttp));
