import { expect } from 'chai';
import type Docker from 'dockerode';
import { startPlatform, type TestPlatform } from '../../support/e2e/platform.ts';
import { freePort } from '../../support/peers/listen.ts';
import {
  addTestImages,
  ContainerClient,
  cleanDocker,
  dockerUrl,
  expectFail,
  needsDocker,
  ourContainers,
  testDocker,
} from './containerSupport.ts';

const SECRETS = {
  api_token: 'canary-api-token-0123456789',
  jupyter_passwd: 'canary-jupyter-sha1:abc',
  obs_access_token: 'canary-obs-token-12345',
  platform_access_token: 'canary-access-token-12345',
  platform_ingest_token: 'canary-ingest-token-12345',
};

describe('containers on Docker', function () {
  this.timeout(180_000);
  let platform: TestPlatform;
  let client: ContainerClient;
  let docker: Docker;

  before(async function () {
    needsDocker(this);
    docker = testDocker();
    platform = await startPlatform();
    client = new ContainerClient(platform);
    await addTestImages(platform);
    const connection = {
      container_type: 'docker',
      connection_name: 'local',
      docker_url: dockerUrl,
      obs_enabled: 'true',
      obs_otel_endpoint: 'https://otel.example:4318',
      obs_otel_service_name: 'models',
      platform_access_enabled: true,
      platform_access_host: 'platform.example',
      platform_access_port: 8089,
      platform_ingest_enabled: '1',
      platform_ingest_url: 'https://ingest.example:8088',
      ...SECRETS,
    };
    const reply = await client.test(connection);
    expect(reply.status, reply.text).to.equal(200);
    expect(reply.json.updated_config.last_test).to.include({ status: 'success', error_code: null });
  });

  let installation = '';

  after(async () => {
    if (!platform) return;
    installation ||= await client.installation();
    await platform.dispose();
    await cleanDocker(docker, installation);
  });

  afterEach(async () => {
    if (client) await client.stopAll();
  });

  const ours = async () => ourContainers(docker, installation || (await client.installation()));

  it('starts, becomes Active, logs and stops several models at once', async () => {
    const models = ['one', 'Two', '__dev__'];
    const started = await Promise.all(
      models.map((model, index) => client.start({ image: 'golden-cpu', model, mode: index === 1 ? 'PROD' : 'DEV' })),
    );
    for (const [index, reply] of started.entries()) {
      expect(reply.status, reply.text).to.equal(200);
      const config = reply.json.updated_config;
      expect(config.status).to.equal('Waiting for Url to start');
      expect(config.cluster).to.equal('docker');
      expect(config.id).to.match(/^[0-9a-f]{64}$/);
      expect(config.api_url).to.match(/^http:\/\/127\.0\.0\.1:\d+$/);
      for (const url of ['jupyter_url', 'tensorboard_url', 'mlflow_url', 'spark_url']) {
        expect(config[url], url).to.match(index === 1 ? /^$/ : /^http:\/\/127\.0\.0\.1:\d+$/);
      }
    }
    for (const model of models) await client.until(model, 'Active');
    const all = (await client.data()).json.config;
    expect(Object.keys(all)).to.have.members(models);
    for (const record of Object.values(all as Record<string, Record<string, unknown>>)) {
      for (const value of Object.values(record)) expect(value).to.be.a('string');
    }
    expect(all.Two).to.include({
      mode: 'PROD',
      min_cpu: '500m',
      max_memory: '4Gi',
      hpa_enabled: '0',
      probe_error: '',
      restarts: '0',
    });
    const logs = (await client.logs({ model: 'one' })).json.container_logs.entries;
    const times = logs.map((entry: { _time: string }) => entry._time);
    expect(times).to.deep.equal([...times].sort());
    for (const time of times) expect(time).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const lines = logs.map((entry: { log: string }) => entry.log);
    expect(lines).to.include.members([
      'testbed container 5.2.4 starting in mode DEV',
      'INFO:     Running on http://0.0.0.0:5000',
    ]);
    const stopped = await Promise.all(models.map((model) => client.stop(model)));
    for (const [index, reply] of stopped.entries()) {
      expect(reply.json).to.include({ model: models[index], cluster: 'docker', previous_status: 'Active' });
    }
    expect(await ours()).to.deep.equal([]);
    expect((await client.data()).json.config).to.deep.equal({});
  });

  it('gives the application what it reads, and shows its secrets nowhere else', async () => {
    await client.start({ image: 'golden-cpu', model: 'secretive' });
    const [container] = await ours();
    const info = await docker.getContainer(container?.Id ?? '').inspect();
    const environment = Object.fromEntries(info.Config.Env.map((line) => line.split(/=(.*)/s).slice(0, 2)));
    expect(environment).to.include({
      api_token: SECRETS.api_token,
      JUPYTER_PASSWD: SECRETS.jupyter_passwd,
      MODE_DEV_PROD: 'DEV',
      ENABLE_HTTPS: 'false',
      olly_enabled: 'true',
      SPLUNK_ACCESS_TOKEN: SECRETS.obs_access_token,
      OTEL_SERVICE_NAME: 'models',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otel.example:4318',
      splunk_access_enabled: '1',
      splunk_access_host: 'platform.example',
      splunk_access_port: '8089',
      splunk_access_token: SECRETS.platform_access_token,
      splunk_hec_enabled: '1',
      splunk_hec_url: 'https://ingest.example:8088',
      splunk_hec_token: SECRETS.platform_ingest_token,
    });
    expect(info.HostConfig).to.include({ AutoRemove: false, CpuQuota: 100_000, Memory: 4 * 1024 ** 3 });
    expect(info.HostConfig.SecurityOpt).to.deep.equal(['no-new-privileges']);
    expect(info.Mounts.map((mount) => mount.Destination)).to.deep.equal(['/srv']);
    const elsewhere = JSON.stringify({ ...info, Config: { ...info.Config, Env: [] } });
    await client.until('secretive', 'Active');
    const replies = [await client.data(), await client.logs({ model: 'secretive' })];
    const texts = [elsewhere, platform.log(), ...replies.map((reply) => reply.text)];
    texts.push(
      JSON.stringify(await platform.documents('ml_containers')),
      JSON.stringify(await platform.documents('ml_container_connections')),
    );
    for (const secret of Object.values(SECRETS)) for (const text of texts) expect(text).to.not.contain(secret);
    expect(platform.filesWith(Object.values(SECRETS))).to.deep.equal([]);
  });

  it('distinguishes a crash, an out-of-memory kill and a normal exit', async () => {
    const memory = { min_memory: '16Mi', max_memory: '64Mi' };
    for (const [image, model] of [
      ['crash', 'c'],
      ['oom', 'o'],
      ['golden-cpu', 'g'],
    ] as const) {
      expect((await client.start({ image, model, ...memory })).status).to.equal(200);
    }
    const crash = await client.until('c', 'Failed');
    expect(crash).to.include({ status_reason: 'crashed', status_message: 'The container ended with exit code 3' });
    expect((await client.until('o', 'Failed')).status_reason).to.equal('oom_killed');
    await client.until('g', 'Active');
    const [running] = await ourContainers(docker, await client.installation()).then((list) =>
      list.filter((one) => one.State === 'running'),
    );
    await docker.getContainer(running?.Id ?? '').stop();
    expect((await client.until('g', 'Stopped')).status_reason).to.equal('exited');
    const logs = (await client.logs({ model: 'c' })).json.container_logs.entries;
    expect(logs.some((entry: { log: string }) => entry.log.includes('giving up'))).to.equal(true);
    const previous = (await client.logs({ model: 'c', previous: 'true' })).json.container_logs.entries;
    expect(previous).to.deep.equal(logs);
    // What is dead is not in the way of a new start, and leaves nothing behind.
    expect((await client.start({ image: 'golden-cpu', model: 'c', ...memory })).status).to.equal(200);
    await client.until('c', 'Active');
    expect((await ours()).filter((one) => one.Labels['ml_extension.model'] === 'c')).to.have.length(1);
  });

  it('is Unreachable after three failed probes while the engine says running, and comes back', async () => {
    await client.start({ image: 'golden-cpu', model: 'paused', mode: 'PROD' });
    await client.until('paused', 'Active');
    const [container] = await ours();
    await docker.getContainer(container?.Id ?? '').pause();
    try {
      expect(await client.record('paused')).to.include({ status: 'Active', probe_error: 'timeout' });
      expect((await client.record('paused')).status).to.equal('Active');
      expect((await client.record('paused')).status).to.equal('Unreachable');
    } finally {
      await docker.getContainer(container?.Id ?? '').unpause();
    }
    await client.until('paused', 'Active');
  });

  it('leaves nothing behind when a start fails, and says why', async () => {
    const base = { container_type: 'docker', docker_url: dockerUrl };
    const port = await freePort();
    const logging = {
      docker_logging_endpoint_hostname: `http://127.0.0.1:${port}`,
      docker_logging_platform_token: 'canary-log-token',
    };
    await client.save({ ...base, connection_name: 'no network', docker_network: 'there-is-none' });
    await client.save({ ...base, connection_name: 'log driver', ...logging });
    await client.save({ ...base, connection_name: 'nobody', docker_url: `tcp://127.0.0.1:${port}` });
    const cases = [
      ['no network', { image: 'golden-cpu' }, 'network_missing'],
      ['log driver', { image: 'golden-cpu' }, 'log_driver_failed'],
      ['local', { image: 'golden-gpu', runtime: 'nvidia' }, 'runtime_unavailable'],
      ['nobody', { image: 'golden-cpu' }, 'connection_refused'],
    ] as const;
    for (const [connection_name, wish, reason] of cases) {
      const reply = await client.start({ model: 'fails', connection_name, ...wish });
      expectFail(reply, 502, 'upstream_error');
      expect(reply.json.reason, reply.text).to.equal(reason);
      expect(reply.text).to.not.contain('canary');
      expect((await client.data('fails')).status).to.equal(404);
      expect(await ours()).to.deep.equal([]);
    }
    for (const name of ['no network', 'log driver', 'nobody']) {
      expect(
        (await platform.ml('admin', 'DELETE', `/container_connection/docker/${encodeURIComponent(name)}`)).status,
      ).to.equal(200);
    }
  });

  it('finds what runs again when the record store is lost', async () => {
    await client.start({ image: 'golden-cpu', model: 'Survivor', mode: 'PROD', max_cpu: '700m' });
    const before = await client.until('Survivor', 'Active');
    for (const doc of await platform.documents('ml_containers'))
      await platform.removeDocument('ml_containers', String(doc._key));
    installation = await client.installation();
    await platform.removeDocument('ml_containers_installation', 'installation');
    // A start that comes before any look must not kill what runs.
    expectFail(await client.start({ image: 'golden-cpu', model: 'survivor' }), 409, 'already_running');
    const after = await client.until('Survivor', 'Active');
    for (const field of ['id', 'api_url', 'mode', 'image', 'max_cpu', 'container_name', 'connection_name']) {
      expect(after[field], field).to.equal(before[field]);
    }
    expect((await client.stop('Survivor')).status).to.equal(200);
    expect(await ours()).to.deep.equal([]);
  });

  it('refreshes addresses, and says when somebody else removed the container', async () => {
    await client.start({ image: 'golden-cpu', model: 'moved', mode: 'PROD' });
    const before = await client.until('moved', 'Active');
    const container = docker.getContainer(before.id ?? '');
    await container.restart();
    const after = await client.until('moved', 'Active');
    const port = Number(new URL(after.api_url ?? '').port);
    const { NetworkSettings } = await container.inspect();
    expect(port).to.equal(Number(NetworkSettings.Ports['5000/tcp']?.[0]?.HostPort));
    await container.remove({ force: true });
    expect(await client.record('moved')).to.include({ status: 'Stopped', status_reason: 'removed_externally' });
    const stopped = await client.stop('moved');
    expect(stopped.json).to.include({ previous_status: 'Stopped' });
    expectFail(await client.stop('moved'), 404, 'not_found');
  });

  it('does not touch the containers of a second installation', async () => {
    const other = await startPlatform();
    const second = new ContainerClient(other);
    try {
      await second.save({ container_type: 'docker', connection_name: 'local', docker_url: dockerUrl });
      for (const one of [client, second]) {
        expect((await one.start({ image: 'golden-cpu', model: 'shared', mode: 'PROD' })).status).to.equal(200);
        await one.until('shared', 'Active');
      }
      expect(await client.installation()).to.not.equal(await second.installation());
      expect((await client.stop('shared')).status).to.equal(200);
      expect(Object.keys((await client.data()).json.config)).to.deep.equal([]);
      expect((await second.record('shared')).status).to.equal('Active');
    } finally {
      const installation = await second.installation();
      await other.dispose();
      await cleanDocker(docker, installation);
    }
  });

  it('lists and reads logs by GET, by time and by number', async () => {
    await client.start({ image: 'golden-cpu', model: 'talker', mode: 'PROD' });
    await client.until('talker', 'Active');
    const get = (query: string) => platform.ml('admin', 'GET', `/container_logs${query}`);
    const list = await get('');
    expect(list.json.result).to.have.length(1);
    expect(list.json.result[0]).to.include({ model: 'talker', cluster: 'docker', status: 'Active' });
    const all = (await client.logs({ model: 'talker' })).json.container_logs.entries;
    expect((await get('?model=talker')).json.container_logs.entries).to.deep.equal(all);
    expect((await get('?model=talker&tail=2')).json.container_logs.entries).to.deep.equal(all.slice(-2));
    const since = all[2]._time;
    const later = (await client.logs({ model: 'talker', since })).json.container_logs.entries;
    expect(later).to.deep.equal(all.filter((entry: { _time: string }) => entry._time >= since));
    expect((await client.logs({ model: 'talker', since: 3600 })).json.container_logs.entries).to.deep.equal(all);
    for (const bad of [
      { tail: '0' },
      { tail: '10001' },
      { tail: 'x' },
      { since: 'yesterday' },
      { since: '-1' },
      { previous: 'maybe' },
    ]) {
      expectFail(await client.logs({ model: 'talker', ...bad }), 400, 'validation_failed');
    }
    expectFail(await client.logs({ model: 'nobody' }), 404, 'not_found');
  });
});
