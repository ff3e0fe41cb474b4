import { expect } from 'chai';
import { contract } from '../../../src/codegen/bundle/live.ts';
import type { EngineKind, EngineKinds } from '../../../src/families/containers/engines/engineKind.ts';
import { type FieldTable, matching } from '../../../src/families/containers/engines/field.ts';
import { CONTAINER_TYPES, ENGINE_KINDS } from '../../../src/families/containers/engines/registry.ts';
import { containerHandlers } from '../../../src/families/containers/handlers.ts';
import type { EngineParts, EngineTarget, Workload } from '../../../src/ports/engines/containerEngine.ts';
import { MemoryEngine } from '../../support/containers/memoryEngine.ts';
import { faultOf, fieldsOf } from '../../support/fault.ts';
import { MemoryContainers } from '../../support/memory/containers.ts';
import { caller, MemoryPlatform } from '../../support/memory/platform.ts';

/** Fields of an engine that only this test has. */
interface SwarmFields {
  swarm_host?: string;
  api_token?: string;
}
const swarm = (fields: object): SwarmFields => fields;
const FIELDS: FieldTable = {
  swarm_host: { about: 'Host of the manager', ...matching(/^[a-z]+$/, 'a plain name') },
};

/** An engine by the recipe in CONTRIBUTING; the casts replace its lines in the types. */
const SWARM: EngineKind = {
  fields: FIELDS,
  secrets: { swarm_key: 'Key of the manager' },
  defaults: { endpoint_hostname_external: 'outside' },
  check: ({ need }) => need('swarm_host' as 'docker_url', 'for a swarm'),
  addresses: (fields) => ({ swarm_host: `https://${swarm(fields).swarm_host}/` }),
  receives: {},
  isVerified: () => true,
  credentials: () => [],
  location: (fields) => ({ host: swarm(fields).swarm_host }),
  reach: (fields) => [swarm(fields).swarm_host],
  target: (fields, secrets) =>
    ({ cluster: 'swarm', host: swarm(fields).swarm_host, key: secrets.swarm_key }) as unknown as EngineTarget,
  hosts: (fields) => ({
    internal: swarm(fields).swarm_host ?? '',
    external: fields.endpoint_hostname_external ?? '',
  }),
  workloadPart: ({ spec }) => ({ swarm: { tasks: spec.min_replicas } }) as EngineParts,
  autoscales: true,
  inventory: { reads: [], shows: {}, entry: () => ({}) },
};
const KINDS = { ...ENGINE_KINDS, swarm: SWARM } as EngineKinds;

describe('a made-up engine', () => {
  const engine = new MemoryEngine();
  const targets: unknown[] = [];
  const workloads: Workload[] = [];
  const platform = new MemoryPlatform();
  const containers = new MemoryContainers();
  containers.open = async (target) => {
    targets.push(target);
    return engine;
  };
  const { start } = engine;
  engine.start = async (workload) => {
    workloads.push(workload);
    return start.call(engine, workload);
  };
  const plans = { ...contract.plans, containers: { secrets: ['api_token', 'swarm_key'], fields: {} } };

  /** One request to a new process. */
  const site = () => containerHandlers(platform.process(), containers, plans, KINDS);
  const context = () => ({ caller: caller('admin'), condition: undefined, warnings: [], params: {}, file: undefined });
  const call = <Name extends keyof ReturnType<typeof site>>(name: Name, parts: object) =>
    site()[name]({ ...context(), query: {}, body: {}, ...parts } as never) as ReturnType<ReturnType<typeof site>[Name]>;
  const connection = (more: object = {}) => ({
    body: { container_type: 'swarm', connection_name: 'one', swarm_host: 'manager', swarm_key: 'secret', ...more },
  });

  it('is saved with its rules, fields, defaults and secrets', async () => {
    const lacking = connection({ swarm_host: undefined });
    expect(fieldsOf(await faultOf(call('saveContainerConnection', lacking)))).to.deep.equal(['swarm_host']);
    const bad = connection({ swarm_host: '!' });
    expect((await faultOf(call('saveContainerConnection', bad))).message).to.contain('must be a plain name');
    const { updated_config } = await call('saveContainerConnection', connection());
    expect(updated_config).to.include({
      container_type: 'swarm',
      swarm_host: 'manager',
      swarm_key: '***MASKED***',
      endpoint_hostname_external: 'outside',
      container_enable_https: 'false',
    });
    expect(platform.records.dump()).to.not.contain('secret"');
  });

  it('receives its secrets at its address only', async () => {
    const moved = connection({ swarm_host: 'other', swarm_key: undefined, is_edit: 'true' });
    expect((await faultOf(call('saveContainerConnection', moved))).code).to.equal('secret_required_for_new_host');
  });

  it('is tested through its adapter', async () => {
    const { updated_config } = await call('testContainerConnection', connection({ is_edit: 'true' }));
    expect(updated_config.last_test).to.include({ status: 'success' });
    expect(targets).to.deep.equal([{ cluster: 'swarm', host: 'manager', key: 'secret' }]);
  });

  it('starts a workload with its part, reports it and stops it', async () => {
    expect((await call('getStartForm', {})).clusters).to.deep.equal([...CONTAINER_TYPES, 'swarm']);
    const body = {
      image: 'cpu',
      model: 'M',
      cluster: 'swarm',
      hpa_enabled: '1',
      min_replicas: '2',
      max_replicas: '3',
      cpu_threshold_percent: '50',
    };
    const { updated_config } = await call('startContainer', { body });
    expect(updated_config).to.include({ cluster: 'swarm', api_url: 'http://manager:5000' });
    expect(updated_config).to.include({ api_url_external: 'http://outside:5000', connection_name: 'one' });
    expect(workloads[0]).to.deep.include({ swarm: { tasks: '2' } });
    const { config } = await call('getContainerData', {});
    expect(config.M).to.include({ status: 'Active', cluster: 'swarm' });
    const leads = connection({ swarm_host: 'other', api_token: '', is_edit: 'true' });
    expect((await faultOf(call('saveContainerConnection', leads))).code).to.equal('in_use');
    const stopped = await call('stopContainer', { body: { model: 'M' } });
    expect([stopped.cluster, engine.running.size]).to.deep.equal(['swarm', 0]);
  });
});
