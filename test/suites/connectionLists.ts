import { expect } from 'chai';
import type { Capability } from '../../src/contract/capabilities.ts';
import { container, llm, model } from '../support/records/connectionDocuments.ts';
import { pageOf } from '../support/replies.ts';
import type { OpenWorld } from '../support/worlds/world.ts';

const LLM = 'ml_llm_connections';
const CONTAINERS = 'ml_container_connections';

/** Contract 1.11: the capabilities that let a caller read a family, and no other. */
const GATES = {
  llm: ['edit_ai_commander_config', 'list_ai_commander_config'],
  containers: ['list_container_connections', 'edit_container_connections'],
} satisfies Record<string, Capability[]>;
const OTHERS: Capability[] = [
  'edit_agent_connections',
  'run_agents',
  'list_containers',
  'control_containers',
  'register_ml_models',
];

const LLM_DOCUMENTS = [
  llm('Local_Runtime', 'beta', model('llama'), model('draft', { is_model_saved: false })),
  llm('General_Chat', 'Alpha', model('gpt-b'), model('gpt-a'), model('draft', { is_saved: false })),
  llm('General_Chat', 'only drafts', model('x', { is_saved: false, is_model_saved: false })),
];
const CONTAINER_DOCUMENTS = [
  container('kubernetes', 'k', { cluster_url: 'https://cluster:6443', auth_mode: 'user-token' }),
  container('kubernetes', 'in cluster', { in_cluster_mode: '1' }),
  container('docker', 'socket', { docker_url: 'unix:///var/run/docker:2376x' }),
  container('docker', 'Plain', { docker_url: 'tcp://docker:2375' }),
  container('docker', 'tls port', { docker_url: 'tcp://docker:2376' }),
  container('docker', 'https', { docker_url: 'https://docker:4243' }),
  container('docker', 'certificate', { docker_url: 'tcp://docker:4243', client_cert: 'PEM' }),
];

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

/** The list of all connections, in any world. */
export function connectionListSuite(open: OpenWorld): void {
  const only = [...GATES.llm, ...GATES.containers, ...OTHERS];
  const world = open({
    users: {
      ...{ anna: ['ml_admin'], modeller: ['ml_user'], root: ['admin'], nobody_special: ['user'] },
      ...Object.fromEntries(only.map((name) => [name, ['user', `only_${name}`]])),
    },
    roles: Object.fromEntries(only.map((name) => [`only_${name}`, [name]])),
    collections: [LLM, CONTAINERS],
  });

  const list = async (user = 'anna', query = '') => {
    const { status, json } = await world.call(user, 'GET', `/list_connections${query}`);
    expect(status, JSON.stringify(json)).to.equal(200);
    return json;
  };

  it('is empty where nothing is stored', async () => {
    expect(await list()).to.deep.equal({ status: 'success', message: '0 connections', result: [] });
  });

  describe('with connections of every family', () => {
    beforeEach(async () => {
      for (const document of LLM_DOCUMENTS) await world.store(LLM, document);
      for (const document of CONTAINER_DOCUMENTS) await world.store(CONTAINERS, document);
    });

    it('shows llm, docker, kubernetes, each by name, without drafts and without pages', async () => {
      const json = await list();
      expect(json).to.have.all.keys('status', 'message', 'result');
      expect(json.result).to.deep.equal(ALL);
    });

    it('shows each family to those who may read it', async () => {
      for (const user of GATES.llm) expect((await list(user)).result, user).to.deep.equal(LLM_ENTRIES);
      for (const user of GATES.containers) expect((await list(user)).result, user).to.deep.equal(CONTAINER_ENTRIES);
      for (const user of [...OTHERS, 'nobody_special']) expect((await list(user)).result, user).to.deep.equal([]);
    });

    it('shows everything to ml_user and to the administrator', async () => {
      expect((await list('modeller')).result).to.deep.equal(ALL);
      expect((await list('root')).result).to.deep.equal(ALL);
    });

    it('pages when asked', async () => {
      const first = await list('anna', '?count=4');
      expect(first.result).to.deep.equal(ALL.slice(0, 4));
      expect(first.pagination).to.deep.equal(pageOf(10, 4, 0));
      const last = await list('anna', '?count=4&offset=8');
      expect(last.result).to.deep.equal(ALL.slice(8));
      expect(last.pagination).to.deep.equal(pageOf(10, 4, 8));
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
        const reply = await world.call('anna', 'GET', `/list_connections?${query}`);
        expect(`${reply.status} ${reply.json.error_code}`, query).to.equal('400 validation_failed');
      }
    });
  });
}
