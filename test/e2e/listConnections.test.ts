import { expect } from 'chai';
import { startPlatform, type TestPlatform } from '../support/e2e/platform.ts';
import { blobOf } from '../support/llmBlob.ts';

const LLM = 'ml_llm_connections';
const CONTAINERS = 'ml_container_connections';

const META = { version: 1, created_at: 1, created_by: 'x', last_updated_at: 1, last_updated_by: 'x' };
const model = (name: string, more: object = {}) => ({
  model: name,
  is_saved: true,
  is_model_saved: true,
  blob: {},
  ...META,
  ...more,
});
const llm = (service: string, connection_name: string, ...models: object[]) => ({
  _key: `${service}.${connection_name}`.toLowerCase().replaceAll(' ', '_20'),
  service,
  connection_name,
  servicesettings: '{}',
  models: JSON.stringify(models),
  secret_ref: null,
  secret_fields: [],
  ...META,
});
const container = (container_type: string, connection_name: string, more: object) => ({
  _key: `${container_type}.${connection_name}`.toLowerCase().replaceAll(' ', '_20'),
  container_type,
  connection_name,
  secret_ref: null,
  secret_fields: [],
  ...META,
  ...more,
});

/** Contract 1.11: the capabilities that let a caller read a family, and no other. */
const GATES: Record<string, string[]> = {
  llm: ['edit_ai_commander_config', 'list_ai_commander_config'],
  containers: ['list_container_connections', 'edit_container_connections'],
};
const OTHERS = ['edit_agent_connections', 'run_agents', 'list_containers', 'control_containers', 'register_ml_models'];

describe('list_connections (contract 8) over HTTP', () => {
  let platform: TestPlatform;

  before(async () => {
    platform = await startPlatform();
    await platform.createUser('anna', ['ml_admin']);
    await platform.createUser('nobody_special', ['user']);
    await platform.createUser('modeller', ['ml_user']);
    for (const name of [...Object.values(GATES).flat(), ...OTHERS]) {
      await platform.createRole(`only_${name}`, ['user'], [name]);
      await platform.createUser(name, [`only_${name}`]);
    }
  });
  after(() => platform.dispose());

  // biome-ignore lint/suspicious/noExplicitAny: entries as they came over the wire
  const list = async (user = 'anna', query = ''): Promise<any> => {
    const reply = await platform.ml(user, 'GET', `/list_connections${query}`);
    expect(reply.status, reply.text).to.equal(200);
    return reply.json;
  };

  it('is empty where nothing is stored', async () => {
    expect(await list()).to.deep.equal({ status: 'success', message: '0 connections', result: [] });
  });

  it('shows what the LLM family has saved, as it saves it', async () => {
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

  describe('with connections of every family', () => {
    before(async () => {
      await platform.putDocuments(LLM, [
        llm('Local_Runtime', 'beta', model('llama'), model('draft', { is_model_saved: false })),
        llm('General_Chat', 'Alpha', model('gpt-b'), model('gpt-a'), model('draft', { is_saved: false })),
        llm('General_Chat', 'only drafts', model('x', { is_saved: false, is_model_saved: false })),
      ]);
      await platform.putDocuments(CONTAINERS, [
        container('kubernetes', 'k', { cluster_url: 'https://cluster:6443', auth_mode: 'user-token' }),
        container('kubernetes', 'in cluster', { in_cluster_mode: '1' }),
        container('docker', 'socket', { docker_url: 'unix:///var/run/docker:2376x' }),
        container('docker', 'Plain', { docker_url: 'tcp://docker:2375' }),
        container('docker', 'tls port', { docker_url: 'tcp://docker:2376' }),
        container('docker', 'https', { docker_url: 'https://docker:4243' }),
        container('docker', 'certificate', { docker_url: 'tcp://docker:4243', client_cert: 'PEM' }),
      ]);
    });

    const llmEntry = (Provider: string, name: string, Model: string) => ({
      connection_type: 'llm',
      Provider,
      Model,
      'Connection Name': name,
    });
    const docker = (connection_name: string, docker_url: string, tls_enabled: boolean) => ({
      connection_type: 'docker',
      connection_name,
      docker_url,
      tls_enabled,
    });
    const LLM_ENTRIES = [
      llmEntry('General_Chat', 'Alpha', 'gpt-a'),
      llmEntry('General_Chat', 'Alpha', 'gpt-b'),
      llmEntry('Local_Runtime', 'beta', 'llama'),
    ];
    const CONTAINER_ENTRIES = [
      docker('certificate', 'tcp://docker:4243', true),
      docker('https', 'https://docker:4243', true),
      docker('Plain', 'tcp://docker:2375', false),
      docker('socket', 'unix:///var/run/docker:2376x', false),
      docker('tls port', 'tcp://docker:2376', true),
      { connection_type: 'kubernetes', connection_name: 'in cluster', cluster_url: '' },
      { connection_type: 'kubernetes', connection_name: 'k', cluster_url: 'https://cluster:6443' },
    ];
    const ALL = [...LLM_ENTRIES, ...CONTAINER_ENTRIES];

    it('shows llm, docker, kubernetes, each by name, without drafts and without pages', async () => {
      const json = await list();
      expect(json).to.have.all.keys('status', 'message', 'result');
      expect(json.result).to.deep.equal(ALL);
    });

    for (const user of GATES.llm as string[]) {
      it(`shows the LLM family alone to ${user}`, async () => {
        expect((await list(user)).result).to.deep.equal(LLM_ENTRIES);
      });
    }
    for (const user of GATES.containers as string[]) {
      it(`shows Docker and Kubernetes alone to ${user}`, async () => {
        expect((await list(user)).result).to.deep.equal(CONTAINER_ENTRIES);
      });
    }
    for (const user of [...OTHERS, 'nobody_special']) {
      it(`shows nothing to ${user}`, async () => {
        expect((await list(user)).result).to.deep.equal([]);
      });
    }
    it('shows everything to ml_user and to the administrator', async () => {
      expect((await list('modeller')).result).to.deep.equal(ALL);
      expect((await list('admin')).result).to.deep.equal(ALL);
    });

    it('pages when asked', async () => {
      const first = await list('anna', '?count=4');
      expect(first.result).to.deep.equal(ALL.slice(0, 4));
      expect(first.pagination).to.deep.equal({
        offset: 0,
        count: 4,
        total: 10,
        returned: 4,
        has_more: true,
        next_offset: 4,
      });
      const last = await list('anna', '?count=4&offset=8');
      expect(last.result).to.deep.equal(ALL.slice(8));
      expect(last.pagination).to.include({ returned: 2, has_more: false, next_offset: null });
      expect((await list('anna', '?count=0')).pagination).to.include({ returned: 10, count: 0 });
      expect((await list('anna', '?offset=9')).result).to.deep.equal(ALL.slice(9));
      expect((await list('nobody_special', '?count=5')).pagination.total).to.equal(0);
    });

    it('searches and sorts', async () => {
      expect((await list('anna', '?search=ALPHA')).result).to.deep.equal(LLM_ENTRIES.slice(0, 2));
      expect((await list('anna', '?sort_dir=desc')).result).to.deep.equal([...ALL].reverse());
      const byName = (await list('anna', '?sort_key=connection_name&count=3')).result;
      expect(byName).to.deep.equal([LLM_ENTRIES[0], LLM_ENTRIES[1], LLM_ENTRIES[2]]);
    });

    it('refuses bad values', async () => {
      for (const query of ['count=-1', 'count=x', 'offset=-2', 'sort_key=docker_url', 'sort_dir=up']) {
        const reply = await platform.ml('anna', 'GET', `/list_connections?${query}`);
        expect(`${reply.status} ${reply.json.error_code}`, query).to.equal('400 validation_failed');
      }
    });
  });

  describe('with tens of thousands', () => {
    it('stays whole and in order with tens of thousands of entries', async () => {
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
      const { result } = await list('anna', '?search=many');
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
      const paged = await list('anna', '?search=many&count=100&offset=14950');
      expect(paged.result).to.deep.equal(result.slice(14_950, 15_050));
      expect(paged.pagination.total).to.equal(25_000);
    });
  });
});
