import { expect } from 'chai';
import { contract } from '../../../src/codegen/bundle/live.ts';
import { containerParts } from '../../../src/families/containers/parts.ts';
import { runtimeView } from '../../../src/families/containers/runtime/records.ts';
import type { StartInput } from '../../../src/families/containers/runtime/schemas.ts';
import { startContainer } from '../../../src/families/containers/runtime/start/start.ts';
import type { ConnectionInput } from '../../../src/families/containers/schemas.ts';
import { MemoryContainers } from '../../support/memory/containers.ts';
import { caller, MemoryPlatform } from '../../support/memory/platform.ts';

const START = { image: 'own', model: 'M' } as StartInput;

describe('the protocol of a container', () => {
  let platform: MemoryPlatform;
  let containers: MemoryContainers;
  const site = () => containerParts(platform.process(), containers, contract.plans);
  const image = (more: Record<string, string> = {}) => {
    containers.images.stanzas = { own: { image: 'own:1', ...more } };
  };
  const seen = async () => {
    const [record] = await site().observer.observe('M');
    if (!record) throw new Error('there is no record');
    const { status, protocol, probe_error } = runtimeView(record);
    return [status, protocol, probe_error];
  };

  beforeEach(async () => {
    platform = new MemoryPlatform();
    containers = new MemoryContainers();
    image();
    const { connections } = site();
    const input = { container_type: 'docker', connection_name: 'one', docker_url: 'tcp://one:2375' };
    await connections.save(await connections.draft(input as ConnectionInput), caller('admin'), undefined);
  });

  const answers = (paths: Record<string, string>) => {
    containers.answer = (path) =>
      paths[path] === undefined ? { status: 404, text: '' } : { status: 200, text: paths[path] };
  };

  it('is unknown until a probe has found it, and is kept from then on', async () => {
    answers({});
    await startContainer(site(), START, []);
    expect(await seen()).to.deep.equal(['Waiting for Url to start', 'auto', 'http_404']);
    answers({ '/version': '3.17.2', '/ping': '' });
    expect(await seen()).to.deep.equal(['Active', 'mlflow', '']);
    containers.probed = [];
    answers({ '/v1/models': '{"data":[{"id":"m"}]}' });
    for (let times = 0; times < 3; times++) await seen();
    expect(await seen()).to.deep.equal(['Unreachable', 'mlflow', 'http_404']);
    expect(new Set(containers.probed.map(({ url }) => url))).to.deep.equal(new Set(['http://one:5000/version']));
  });

  it('is the one of the catalog, which a restored record has too', async () => {
    image({ protocol: ' V2 ' });
    answers({ '': '{"app":"deep learning"}' });
    await startContainer(site(), START, []);
    expect(await seen()).to.deep.equal(['Waiting for Url to start', 'v2', 'http_404']);
    platform.records.collection('ml_containers').clear();
    expect((await seen()).slice(0, 2)).to.deep.equal(['Waiting for Url to start', 'v2']);
  });

  it('is found for records of earlier releases, and stays when such a container is restored', async () => {
    await startContainer(site(), START, []);
    const [stored] = platform.records.all('ml_containers');
    const { protocol, ...old } = stored as { protocol?: string };
    expect(protocol).to.equal('auto');
    await platform.process().records.replace('ml_containers', old as never);
    expect(await seen()).to.deep.equal(['Active', 'dsdl', '']);
  });
});
