import { expect } from 'chai';
import { contract } from '../../../src/codegen/bundle/live.ts';
import { containerParts } from '../../../src/families/containers/parts.ts';
import { runtimeView } from '../../../src/families/containers/runtime/records.ts';
import type { StartInput } from '../../../src/families/containers/runtime/schemas.ts';
import { startContainer } from '../../../src/families/containers/runtime/start/start.ts';
import type { ConnectionInput } from '../../../src/families/containers/schemas.ts';
import type { Workload } from '../../../src/ports/engines/containerEngine.ts';
import { faultOf, fieldsOf } from '../../support/fault.ts';
import { MemoryContainers } from '../../support/memory/containers.ts';
import { caller, MemoryPlatform } from '../../support/memory/platform.ts';

describe('images that are not the data-science application', () => {
  let platform: MemoryPlatform;
  let containers: MemoryContainers;
  let workloads: Workload[];
  const site = () => containerParts(platform.process(), containers, contract.plans);
  const start = (stanza: Record<string, string>, more: Partial<StartInput> = {}) => {
    containers.images.stanzas = { own: { image: 'own:1', ...stanza } };
    return startContainer(site(), { image: 'own', model: 'M', ...more } as StartInput, []);
  };

  beforeEach(async () => {
    platform = new MemoryPlatform();
    containers = new MemoryContainers();
    workloads = [];
    const engine = containers.docker('one');
    const begin = engine.start.bind(engine);
    engine.start = async (workload) => {
      workloads.push(workload);
      return begin(workload);
    };
    const { connections } = site();
    const fields = { container_type: 'docker', connection_name: 'one', docker_url: 'tcp://one:2375' };
    const input = { ...fields, container_enable_https: 'true' } as ConnectionInput;
    await connections.save(await connections.draft(input), caller('admin'), undefined);
  });

  it('have a port, arguments and a scheme of their own', async () => {
    const record = await start({ api_port: '8888', https: '0', arguments: ' --model  "a  b" --max-len=8 "" x' });
    expect(workloads[0]?.arguments).to.deep.equal(['--model', 'a  b', '--max-len=8', '', 'x']);
    expect(workloads[0]?.facts).to.include({ api_port: '8888', https: 'false' });
    expect(workloads[0]?.ports).to.deep.equal(['api', 'tensorboard', 'mlflow', 'spark']);
    expect(workloads[0]?.environment.ENABLE_HTTPS).to.equal('false');
    expect(record.urls.api_url).to.equal('http://one:5000');
    expect(runtimeView(record)).to.include({ api_port: '8888', https: 'false' }).and.not.to.have.property('arguments');
  });

  it('are like the application by default, also in records of earlier releases', async () => {
    const record = await start({});
    expect(workloads[0]).to.deep.include({ arguments: [] });
    expect(workloads[0]?.facts).to.include({ api_port: '5000', https: '' });
    expect(workloads[0]?.environment.ENABLE_HTTPS).to.equal('true');
    expect(record.urls.api_url).to.equal('https://one:5000');
    const { api_port, https, protocol, arguments: _, ...old } = record;
    expect([api_port, https, protocol]).to.deep.equal(['5000', '', 'auto']);
    await platform.process().records.replace('ml_containers', old);
    const [found] = await site().observer.observe();
    expect(found && runtimeView(found)).to.include({ api_port: '5000', https: '', protocol: 'dsdl', status: 'Active' });
    expect(found?.urls.api_url).to.equal('https://one:5000');
  });

  it('keep their scheme when a record is restored', async () => {
    await start({ https: 'no' });
    platform.records.collection('ml_containers').clear();
    const [found] = await site().observer.observe();
    expect(found?.urls.api_url).to.equal('http://one:5000');
    expect(found?.https).to.equal('false');
  });

  it('are refused with the setting that cannot be used', async () => {
    for (const [setting, values] of Object.entries({
      api_port: ['0', '65536', 'x', '1e3', '-1'],
      https: ['maybe'],
      protocol: ['grpc'],
    })) {
      for (const value of values) {
        const fault = await faultOf(start({ [setting]: value }));
        expect(fieldsOf(fault), value).to.deep.equal(['image']);
        expect(fault.message).to.contain(`whose ${setting} cannot be used`);
      }
    }
    expect((await faultOf(start({ protocol: 'grpc' }))).message).to.contain('auto, dsdl, v2');
    expect(workloads).to.deep.equal([]);
  });
});
