import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type Docker from 'dockerode';
import { isAlive } from '../../../platform/test/support/processes.ts';
import { pushLargeImage, startRegistry, type TestRegistry } from '../../support/containers/registry.ts';
import { startPlatform, type TestPlatform } from '../../support/e2e/platform.ts';
import { needs } from '../../support/programs/part.ts';
import { eventually, patience } from '../../support/time.ts';
import {
  addImage,
  ContainerClient,
  cleanDocker,
  dockerUrl,
  expectFail,
  needsDocker,
  ourContainers,
  registryBinary,
  testDocker,
} from './containerSupport.ts';

const NAME = `e2e-pull-${process.pid}:1`;
const BYTES = 6_000_000;
const BASE = 'splunk/mltk-container-golden-cpu:5.2.4';

describe('pulling an image on Docker', function () {
  this.timeout(180_000);
  let platform: TestPlatform;
  let client: ContainerClient;
  let docker: Docker;
  let registry: TestRegistry;

  before(async function () {
    needsDocker(this);
    needs(this, registryBinary !== undefined, 'docker-registry (test/testbeds/registry/install)');
    docker = testDocker();
    registry = await startRegistry(registryBinary ?? '');
    await pushLargeImage(registry, dockerUrl, BASE, NAME, BYTES);
    // The worker is started by its path, and a path may hold a blank.
    platform = await startPlatform({ home: mkdtempSync(join(tmpdir(), 'e2e home-')) });
    client = new ContainerClient(platform);
    await addImage(platform, 'large', NAME, { repo: registry.repo });
    await addImage(platform, 'nowhere', `no-such-image-${process.pid}:1`, { repo: registry.repo });
    await client.save({ container_type: 'docker', connection_name: 'local', docker_url: dockerUrl });
  });

  after(async () => {
    if (!platform) return;
    const installation = await client.installation();
    await platform.dispose();
    await cleanDocker(docker, installation);
    await removeImage();
    await registry.close();
  });

  beforeEach(() => {
    registry.weather = {};
  });

  afterEach(async () => {
    if (!client) return;
    await client.stopAll();
    await eventually(() => workers().length === 0, 30_000, 'the workers to end');
    await removeImage();
  });

  const removeImage = () =>
    docker
      .getImage(`${registry.repo}${NAME}`)
      .remove({ force: true })
      .catch(() => {});
  const start = () => client.start({ image: 'large', model: 'pulled', mode: 'PROD' });
  const isAbsent = () =>
    docker
      .getImage(`${registry.repo}${NAME}`)
      .inspect()
      .then(
        () => false,
        () => true,
      );

  /** Pull workers of this platform: they outlive drivers, so they are found by what they were started as. */
  function workers(): number[] {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .filter((pid) => {
        try {
          const [, script = ''] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
          return script.startsWith(platform.home) && script.endsWith('ml_image_pull.mjs') && isAlive(pid);
        } catch {
          return false;
        }
      });
  }

  it('starts at once when the image comes fast', async () => {
    const reply = await start();
    expect(reply.status, reply.text).to.equal(200);
    expect(reply.json.updated_config.status).to.equal('Waiting for Url to start');
    await client.until('pulled', 'Active');
    const entries = async () => (await platform.ml('admin', 'GET', '/audit?name=pulled&action=start')).json.result;
    const ended = async () => (await entries())[0]?.outcome === 'success';
    await eventually(ended, 20_000, 'the entry of the worker');
    const columns = (await entries()).map(({ user, via, outcome }: Record<string, string>) => [user, via, outcome]);
    expect(columns).to.deep.equal([
      ['splunk-system-user', 'worker', 'success'],
      ['admin', 'rest', 'success'],
    ]);
  });

  it('says how far it is, and outlives the driver that began it', async () => {
    registry.weather = { rate: BYTES / 14 };
    const begun = performance.now();
    const reply = await start();
    expect(performance.now() - begun).to.be.lessThan(patience(10_000));
    expect(reply.status, reply.text).to.equal(200);
    expect(reply.json.updated_config).to.include({ status: 'Waiting for Url to start', status_reason: 'pulling' });
    const [worker = 0] = workers();
    expect(worker).to.be.greaterThan(0);
    expect(readFileSync(`/proc/${worker}/cmdline`, 'utf8').split('\0').filter(Boolean)).to.have.length(2);
    for (const pid of platform.drivers()) process.kill(pid, 'SIGKILL');
    const seen = new Set<string>();
    await eventually(
      async () => {
        const record = await client.record('pulled');
        const megabytes = /: ([\d.]+) of ([\d.]+) MB, \d+ of \d+ layers done$/.exec(record.status_message ?? '');
        if (megabytes?.[1] && megabytes[1] !== '0.0') seen.add(megabytes[1]);
        if (record.status !== 'Active') expect(record.status).to.equal('Waiting for Url to start');
        const logs = (await client.logs({ model: 'pulled' })).json.container_logs.entries;
        // The pull may have ended while the log was read.
        const isPulling = (await client.record('pulled')).status_reason === 'pulling';
        if (isPulling) expect(logs[0].log).to.match(/^\[event\] pulling: Pulling 127/);
        return record.status === 'Active';
      },
      90_000,
      'the container to be Active',
    );
    expect(seen.size, [...seen].join()).to.be.greaterThan(1);
  });

  it('fails the start when the pull fails at once', async () => {
    const absent = await client.start({ image: 'nowhere', model: 'pulled' });
    expectFail(absent, 502, 'upstream_error');
    expect(absent.json.reason).to.equal('image_not_found');
    registry.weather = { refuse: 503 };
    const refused = await start();
    expectFail(refused, 502, 'upstream_error');
    expect(refused.json.reason).to.equal('image_pull_failed');
    expect((await client.data('pulled')).status).to.equal(404);
    expect(await ourContainers(docker, await client.installation())).to.deep.equal([]);
  });

  it('is Failed when the registry breaks off later', async () => {
    registry.weather = { rate: BYTES / 10, cutAfter: BYTES * 0.7 };
    expect((await start()).status).to.equal(200);
    // The engine tries again after anything but a refusal.
    registry.weather = { ...registry.weather, refuse: 401 };
    const record = await client.until('pulled', 'Failed', 120_000);
    expect(record.status_reason).to.equal('image_pull_failed');
    expect(record.status_message).to.contain('could not be pulled');
    registry.weather = {};
    expect((await start()).status).to.equal(200);
    await client.until('pulled', 'Active');
  });

  it('ends with a stop, and leaves nothing', async () => {
    registry.weather = { rate: BYTES / 30 };
    expect((await start()).json.updated_config.status_reason).to.equal('pulling');
    const stopped = await client.stop('pulled');
    expect(stopped.json).to.include({ model: 'pulled', previous_status: 'Waiting for Url to start' });
    await eventually(() => workers().length === 0, 20_000, 'the worker to end');
    expect(await ourContainers(docker, await client.installation())).to.deep.equal([]);
    expect((await client.data()).json.config).to.deep.equal({});
    expect(await isAbsent()).to.equal(true);
  });

  it('is Failed, image_pull_interrupted, when the worker is killed', async () => {
    registry.weather = { rate: BYTES / 60 };
    expect((await start()).json.updated_config.status_reason).to.equal('pulling');
    for (const pid of workers()) process.kill(pid, 'SIGKILL');
    const record = await client.until('pulled', 'Failed', 60_000);
    expect(record.status_reason).to.equal('image_pull_interrupted');
    registry.weather = {};
    expect((await start()).status).to.equal(200);
    await client.until('pulled', 'Active');
  });

  it('goes on while the platform is away for a moment', async () => {
    registry.weather = { rate: BYTES / 15 };
    expect((await start()).json.updated_config.status_reason).to.equal('pulling');
    const { port } = new URL(platform.url);
    await platform.kill9();
    const again = await startPlatform({ home: platform.home, port: Number(port) });
    platform = again;
    client = new ContainerClient(again);
    await client.until('pulled', 'Active', 90_000);
  });
});
