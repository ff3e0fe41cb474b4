import { expect } from 'chai';
import { ENGINE_KINDS } from '../../../src/families/containers/engines/registry.ts';
import { nextState, type Observation } from '../../../src/families/containers/runtime/observe/state.ts';
import type { RuntimeStored } from '../../../src/families/containers/runtime/records.ts';
import type { StartInput } from '../../../src/families/containers/runtime/schemas.ts';
import { environment } from '../../../src/families/containers/runtime/start/environment.ts';
import { safeName } from '../../../src/families/containers/runtime/start/names.ts';
import { readStart } from '../../../src/families/containers/runtime/start/startSpec.ts';
import { urlsOf } from '../../../src/families/containers/runtime/urls.ts';
import type { Phase, WorkloadState } from '../../../src/ports/engines/containerEngine.ts';
import { sent } from '../../support/containers/sent.ts';
import { faultOf, fieldsOf } from '../../support/fault.ts';

const WAITING = 'Waiting for Url to start';
const NOW = Date.UTC(2026, 10, 20);

const record = (more: Partial<RuntimeStored> = {}): RuntimeStored =>
  ({
    id: 'id',
    step: '',
    started_at: NOW,
    status: WAITING,
    status_reason: 'starting',
    status_message: '',
    status_since: 'before',
    probe_error: '',
    restarts: '0',
    probe_failures: 0,
    ...more,
  }) as RuntimeStored;
const object = (phase: Phase, reason = '', message = ''): WorkloadState =>
  ({ phase, reason, message, restarts: 0, published: {} }) as unknown as WorkloadState;
const observation = (was: RuntimeStored, more: Partial<Observation>) => ({
  ...was,
  ...nextState(was, { engine: object('running'), probe: undefined, pulling: false, now: NOW, ...more }),
});

describe('state of a container', () => {
  it('keeps waiting through failed probes with any error', () => {
    for (const probe of ['timeout', 'refused', 'http_500', 'wrong_application', 'token_rejected']) {
      let now = record();
      for (let n = 0; n < 5; n++) now = observation(now, { probe });
      expect(now).to.include({
        status: WAITING,
        status_reason: 'starting',
        probe_error: probe,
        status_since: 'before',
      });
    }
  });

  it('is Active only with the banner, and since its first answer', () => {
    const now = observation(record({ probe_error: 'timeout' }), { probe: '' });
    expect(now).to.include({
      status: 'Active',
      status_reason: '',
      probe_error: '',
      status_since: new Date(NOW).toISOString(),
    });
  });

  it('is Unreachable after three failed probes in a row', () => {
    let now = record({ status: 'Active' });
    now = observation(now, { probe: 'timeout' });
    now = observation(now, { probe: 'timeout' });
    expect(now).to.include({ status: 'Active', probe_failures: 2 });
    expect(observation(now, { probe: '' })).to.include({ status: 'Active', probe_failures: 0 });
    now = observation(now, { probe: 'timeout' });
    expect(now.status).to.equal('Unreachable');
    expect(observation(now, { probe: 'timeout' }).status).to.equal('Unreachable');
    expect(observation(now, { probe: '' }).status).to.equal('Active');
  });

  it('stays Active when only the token is rejected', () => {
    let now = record({ status: 'Active' });
    for (let n = 0; n < 5; n++) now = observation(now, { probe: 'token_rejected' });
    expect(now).to.include({ status: 'Active', probe_error: 'token_rejected', probe_failures: 0 });
  });

  it('does not change and counts no probes while the engine does not answer', () => {
    for (const status of [WAITING, 'Active', 'Unreachable', 'Failed', 'Stopped']) {
      let now = record({ status, probe_failures: 2 });
      for (let n = 0; n < 5; n++) now = observation(now, { engine: 'unreachable', probe: 'timeout' });
      expect(now).to.include({ status, probe_failures: 2, probe_error: 'engine_unreachable' });
    }
  });

  it('follows the state that the engine reports', () => {
    for (const status of [WAITING, 'Active', 'Unreachable']) {
      expect(observation(record({ status }), { engine: object('failed', 'oom_killed', 'm') })).to.include({
        status: 'Failed',
        status_reason: 'oom_killed',
        status_message: 'm',
      });
      expect(observation(record({ status }), { engine: object('ended', 'exited') })).to.include({
        status: 'Stopped',
        status_reason: 'exited',
      });
      expect(observation(record({ status }), { engine: 'gone' })).to.include({
        status: 'Stopped',
        status_reason: 'removed_externally',
      });
    }
    expect(observation(record({ status: 'Failed' }), { probe: '' }).status).to.equal('Active');
    expect(observation(record({ status: 'Failed' }), { engine: object('pending', 'scheduling') })).to.include({
      status: WAITING,
      status_reason: 'scheduling',
    });
  });

  it('detects an interrupted start', () => {
    const creating = record({ id: '', step: 'creating' });
    for (const engine of ['gone', object('pending', 'creating')] as const) {
      expect(observation(creating, { engine, now: NOW + 59_000 }).status).to.equal(WAITING);
      expect(observation(creating, { engine, now: NOW + 61_000 })).to.include({
        status: 'Failed',
        status_reason: 'start_interrupted',
        step: '',
      });
    }
    const pulling = record({ id: '', step: 'pulling', status_reason: 'pulling' });
    expect(observation(pulling, { engine: 'gone', pulling: true, now: NOW + 3_600_000 })).to.include({
      status: WAITING,
      status_reason: 'pulling',
    });
    expect(observation(pulling, { engine: 'gone', pulling: false })).to.include({
      status: 'Failed',
      status_reason: 'image_pull_interrupted',
      step: '',
    });
    const failed = record({ id: '', status: 'Failed', status_reason: 'image_pull_failed' });
    expect(observation(failed, { engine: 'gone' })).to.include({
      status: 'Failed',
      status_reason: 'image_pull_failed',
    });
  });
});

describe('the body of a start', () => {
  const rest = { apiPort: '5000', https: '', arguments: '' };
  const catalog = [
    { key: 'cpu', label: 'CPU', image: 'r/cpu:1', runtimes: ['none'], protocol: 'auto', ...rest },
    { key: 'gpu', label: 'GPU', image: 'r/gpu:1', runtimes: ['none', 'nvidia'], protocol: 'v2', ...rest },
  ];
  const rules = (input: StartInput) => readStart(input, catalog, ENGINE_KINDS);
  const read = async (more: object) =>
    rules(await sent<StartInput>('startContainer', { image: 'cpu', model: 'm', ...more }, rules));

  it('has the defaults of the contract', async () => {
    expect(await read({})).to.deep.equal({
      model: 'm',
      cluster: 'docker',
      connectionName: undefined,
      spec: {
        image: 'cpu',
        image_reference: 'r/cpu:1',
        protocol: 'auto',
        api_port: '5000',
        https: '',
        mode: 'DEV',
        runtime: 'None',
        hpa_enabled: '0',
        min_cpu: '500m',
        max_cpu: '1000m',
        min_memory: '1Gi',
        max_memory: '4Gi',
        min_replicas: '1',
        max_replicas: '1',
        cpu_threshold_percent: '',
      },
      arguments: '',
    });
    const { spec: scaled } = await read({
      cluster: 'kubernetes',
      hpa_enabled: true,
      min_replicas: 2,
      max_replicas: '5',
      cpu_threshold_percent: 70,
    });
    expect(scaled).to.include({ hpa_enabled: '1', min_replicas: '2', max_replicas: '5', cpu_threshold_percent: '70' });
    expect((await read({ min_replicas: '3', cluster: 'kubernetes' })).spec.max_replicas).to.equal('3');
  });

  const BAD: [object, string[]][] = [
    [{ image: 'tpu' }, ['image']],
    [{ runtime: 'nvidia' }, ['runtime']],
    [{ runtime: 'tpu', image: 'gpu' }, ['runtime', 'runtime']],
    [{ cluster: 'swarm' }, ['cluster']],
    [{ mode: 'TEST' }, ['mode']],
    [{ min_cpu: '1' }, ['min_cpu']],
    [{ min_cpu: '0m' }, ['min_cpu']],
    [{ max_memory: '1GB' }, ['max_memory']],
    [{ min_cpu: '2000m' }, ['min_cpu']],
    [{ min_memory: '5Gi' }, ['min_memory']],
    [{ min_replicas: '0' }, ['min_replicas']],
    [{ max_replicas: '101' }, ['max_replicas']],
    [{ min_replicas: '3', max_replicas: '2' }, ['min_replicas']],
    [{ cpu_threshold_percent: '101' }, ['cpu_threshold_percent']],
    [{ hpa_enabled: 'x' }, ['hpa_enabled']],
    [{ hpa_enabled: '1', max_replicas: '2', cpu_threshold_percent: '1' }, ['hpa_enabled']],
    [{ hpa_enabled: '1', cluster: 'kubernetes' }, ['max_replicas', 'cpu_threshold_percent']],
    [{ mode: 'x', min_cpu: 'x', max_memory: 'x' }, ['mode', 'min_cpu', 'max_memory']],
  ];
  for (const [more, fields] of BAD) {
    it(`refuses ${JSON.stringify(more)}`, async () => {
      const fault = await faultOf(() => read(more));
      expect(fault.code).to.equal('validation_failed');
      expect([...new Set(fieldsOf(fault))]).to.have.members([...new Set(fields)]);
    });
  }

  it('accepts numbers and booleans as texts, any case of true, and "" and null as the default', async () => {
    const odd = { cluster: null, mode: ' ', min_cpu: '', hpa_enabled: 'FALSE', min_replicas: 2, max_replicas: '007' };
    expect(await read(odd)).to.deep.equal({
      ...(await read({})),
      spec: { ...(await read({})).spec, min_replicas: '2', max_replicas: '007' },
    });
    expect((await read({ cluster: ' kubernetes ', min_cpu: '000000001m', max_memory: '999999999Gi' })).spec).to.include(
      {
        min_cpu: '000000001m',
        max_memory: '999999999Gi',
      },
    );
  });

  it('lists the problems of all fields and contradictions in one answer', async () => {
    const fault = await faultOf(
      read({ image: 'x', mode: 'T', min_cpu: {}, max_cpu: '1', min_replicas: 3, max_replicas: 2 }),
    );
    expect(fault.extra.errors).to.have.deep.members([
      { field: 'mode', message: 'must be one of DEV, PROD' },
      { field: 'min_cpu', message: 'must be a string of at most 65536 characters' },
      { field: 'max_cpu', message: 'must be thousandths of a CPU, such as 500m' },
      { field: 'min_replicas', message: 'must not be more than max_replicas' },
      { field: 'image', message: 'is not a key of the image catalog; known: cpu, gpu' },
    ]);
  });
});

describe('the environment and name of a container', () => {
  it('contain nothing that is switched off', () => {
    const fields = { obs_enabled: 'false', obs_otel_endpoint: 'https://o', platform_ingest_url: 'https://i' };
    expect(
      environment(
        fields,
        { api_token: 't', obs_access_token: 'o', user_token: 'cluster' },
        { mode: 'PROD', https: '' },
      ),
    ).to.deep.equal({
      open: { MODE_DEV_PROD: 'PROD', ENABLE_HTTPS: 'false' },
      secret: { api_token: 't' },
    });
    expect(environment({ container_enable_https: 'true' }, {}, { mode: 'DEV', https: '' }).open.ENABLE_HTTPS).to.equal(
      'true',
    );
  });

  it('include a name that every engine accepts and no other model has', () => {
    const names = ['__dev__', 'dev', 'a.b', 'a-b', 'x'.repeat(63), '...', '0'].map((model) =>
      safeName('ml', model, 'site'),
    );
    for (const name of names) expect(name).to.match(/^[a-z]([-a-z0-9]{0,45}[a-z0-9])?$/);
    expect(new Set(names).size).to.equal(names.length);
    expect(safeName('ml', 'dev', 'other')).to.not.equal(safeName('ml', 'dev', 'site'));
  });

  it('use the hosts of the connection', () => {
    const published = { api: { port: 1 }, jupyter: { port: 2 }, spark: { port: 3 } };
    expect(
      urlsOf(
        ENGINE_KINDS.docker,
        { docker_url: 'tcp://Engine:2375', container_enable_https: 'true', endpoint_hostname_external: 'ext' },
        published,
      ),
    ).to.deep.equal({
      api_url: 'https://engine:1',
      api_url_external: 'https://ext:1',
      jupyter_url: 'https://ext:2',
      spark_url: 'http://ext:3',
      tensorboard_url: '',
      mlflow_url: '',
    });
    const cluster = { cluster_url: 'https://[::1]:6443' };
    expect(urlsOf(ENGINE_KINDS.kubernetes, cluster, { api: { port: 1 } }).api_url).to.equal('http://[::1]:1');
    expect(urlsOf(ENGINE_KINDS.kubernetes, cluster, { api: { host: 'h.example' } }).api_url_external).to.equal(
      'http://h.example',
    );
  });
});
