import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, request as send } from 'node:http';
import { createServer as createTls } from 'node:https';
import { createServer as createTcp } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { project } from '../support/e2e/build.ts';
import { startPlatform, type TestPlatform } from '../support/e2e/platform.ts';
import { needs } from '../support/part.ts';
import { makeCertificate } from '../support/peers/certificates.ts';
import { freePort, listen, sendJson } from '../support/peers/listen.ts';
import { ContainerClient, cleanDocker, dockerUrl, expectFail, needsDocker, testDocker } from './containerSupport.ts';

const run = promisify(execFile);
const BANNER = JSON.stringify({ app: 'Splunk App for Data Science and Deep Learning' });

describe('container engines', function () {
  this.timeout(240_000);
  let platform: TestPlatform;
  let client: ContainerClient;
  const closers: (() => Promise<void>)[] = [];

  before(async () => {
    platform = await startPlatform();
    client = new ContainerClient(platform);
  });
  after(async () => {
    await platform?.dispose();
    await Promise.all(closers.map((close) => close()));
  });

  it('looks at 200 containers in the time of one probe, although 20 of them are silent', async () => {
    const listening = async (server: Parameters<typeof listen>[0]) => {
      const { port, close } = await listen(server);
      closers.push(close);
      return port;
    };
    const good = await listening(createServer((_, response) => response.end(JSON.stringify(BANNER))));
    const silent = await listening(createTcp(() => {}));
    let installation = '';
    // An engine of its own that runs 200 containers; the real one would take the machine's memory for them.
    const engine = await listening(
      createServer((request, response) => {
        if (!request.url?.startsWith('/containers/json'))
          return sendJson(response, 404, { message: 'no such endpoint' });
        const containers = Array.from({ length: 200 }, (_, index) => ({
          Id: `id-${index}`,
          Names: [`/ml-${index}`],
          State: 'running',
          Ports: [{ PrivatePort: 5000, PublicPort: index % 10 === 0 ? silent : good, Type: 'tcp' }],
          Labels: {
            'ml_extension.installation': installation,
            'ml_extension.connection': 'docker.many',
            'ml_extension.model': `model-${index}`,
            'ml_extension.start': `mark-${index}`,
            'ml_extension.settings': '{"mode":"PROD"}',
          },
        }));
        return sendJson(response, 200, installation === '' ? [] : containers);
      }),
    );
    const connection = { container_type: 'docker', connection_name: 'many' };
    expect((await client.save({ ...connection, docker_url: `tcp://127.0.0.1:${engine}` })).status).to.equal(200);
    await client.data();
    installation = await client.installation();
    const times: number[] = [];
    // The first look makes 200 records, the others read them.
    for (let look = 0; look < 3; look++) {
      const begun = performance.now();
      const records = Object.values((await client.data()).json.config as Record<string, Record<string, string>>);
      times.push(Math.round(performance.now() - begun));
      expect(records).to.have.length(200);
      const count = (wanted: string) =>
        records.filter(({ status, probe_error }) => `${status} ${probe_error}` === wanted).length;
      expect(count('Active ')).to.equal(180);
      expect(count('Waiting for Url to start timeout')).to.equal(20);
    }
    process.stderr.write(`      container_data of 200, three looks: ${times.join(', ')} ms\n`);
    expect(Math.min(...times)).to.be.within(4500, 6000);
    for (const doc of await platform.documents('ml_containers'))
      await platform.removeDocument('ml_containers', String(doc._key));
    expect((await platform.ml('admin', 'DELETE', '/container_connection/docker/many')).status).to.equal(200);
  });

  it('says of what is no engine that it is none, and waits for nobody', async () => {
    const listening = async (server: Parameters<typeof listen>[0]) => {
      const { port, close } = await listen(server);
      closers.push(close);
      return port;
    };
    const endless: RequestListener = (_, response) => {
      const more = () => {
        while (response.write('["x",'.repeat(10_000))) if (response.destroyed) return;
        response.once('drain', more);
      };
      more();
    };
    const dripping: RequestListener = (_, response) => {
      const timer = setInterval(() => response.write(' '), 50);
      response.once('close', () => clearInterval(timer));
    };
    const bodies = ['{}', '[]', 'null', '7', '<html>hello</html>', '{"ApiVersion":{}}', '{"items":[null]}'];
    const peers: [RequestListener, RegExp][] = [
      ...bodies.map((body): [RequestListener, RegExp] => [
        (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end(body),
        /is no Docker engine|is no Kubernetes API/,
      ]),
      [(_, response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end(), /not allowed/],
      [endless, /larger than 8 MiB/],
    ];
    for (const [peer, reason] of peers) {
      const port = await listening(createServer(peer));
      const docker = { container_type: 'docker', connection_name: 'none', docker_url: `tcp://127.0.0.1:${port}` };
      const cluster_url = `http://127.0.0.1:${port}`;
      const cluster = {
        container_type: 'kubernetes',
        connection_name: 'none',
        auth_mode: 'user-token',
        user_token: 't',
      };
      for (const connection of [docker, { ...cluster, cluster_url }]) {
        const reply = await client.test(connection);
        expectFail(reply, 500, 'verification_failed');
        expect(reply.json.message).to.match(reason);
        expect(reply.json.problems).to.have.length(1);
      }
    }
    // Saved without a test, all of them at once.
    const all = [...peers.map(([peer]) => peer), dripping];
    for (const [n, peer] of all.entries()) {
      const docker_url = `tcp://127.0.0.1:${await listening(createServer(peer))}`;
      expect(
        (await client.save({ container_type: 'docker', connection_name: `none ${n}`, docker_url })).status,
      ).to.equal(200);
      if (peer === dripping) continue;
      const start = await client.start({ image: 'golden-cpu', model: 'm', connection_name: `none ${n}` });
      expectFail(start, 502, 'upstream_error');
    }
    const begun = performance.now();
    const data = await client.data();
    expect([data.status, data.json.config], data.text).to.deep.equal([200, {}]);
    expect(performance.now() - begun).to.be.below(6500);
    expect(platform.log()).to.not.contain('"event":"bug"');
    for (const n of all.keys()) await platform.ml('admin', 'DELETE', `/container_connection/docker/none%20${n}`);
  });

  it('reaches Docker over TLS, with a certificate, and names what is wrong with one', async function () {
    needsDocker(this);
    const ca = makeCertificate({ ca: true });
    const server = makeCertificate({ issuer: ca });
    const ours = makeCertificate({ names: ['client'], issuer: ca });
    const stranger = makeCertificate({ names: ['client'] });
    const socketPath = dockerUrl.replace(/^unix:\/\//, '');
    const front = createTls(
      { ...server, ca: ca.cert, requestCert: true, rejectUnauthorized: true },
      (request, response) => {
        const { method, url: path, headers } = request;
        const onward = send({ socketPath, method, path, headers }, (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(response);
        });
        request.pipe(onward);
      },
    );
    front.on('tlsClientError', () => {});
    const { port, close } = await listen(front);
    closers.push(close);
    const good = {
      container_type: 'docker',
      connection_name: 'tls',
      docker_url: `https://127.0.0.1:${port}`,
      cluster_ca: ca.cert,
      client_cert: ours.cert,
      client_key: ours.key,
    };
    const bad: [object, RegExp][] = [
      [{ cluster_ca: '' }, /not signed by a trusted authority/],
      [{ cluster_ca: stranger.cert }, /not signed by a trusted authority/],
      [{ docker_url: `https://127.0.0.2:${port}` }, /another host name|refused|cannot be reached/],
      [{ docker_url: `https://localhost.localdomain.invalid:${port}` }, /could not be resolved/],
      [{ docker_url: `tcp://127.0.0.1:${port}` }, /TLS port|closed the connection/],
      [{ client_cert: stranger.cert, client_key: stranger.key }, /Docker engine/],
      [{ docker_url: `https://127.0.0.1:${await freePort()}` }, /refused/],
      [{ docker_url: '/no/such/docker.sock' }, /no Docker socket/],
    ];
    for (const [change, reason] of bad) {
      const reply = await client.test({ ...good, ...change });
      expectFail(reply, 500, 'verification_failed');
      expect(reply.json.message, JSON.stringify(Object.keys(change))).to.match(reason);
    }
    const plain = await listen(createServer((_, response) => response.end('{}')));
    closers.push(plain.close);
    const onPlain = await client.test({ ...good, docker_url: `https://127.0.0.1:${plain.port}` });
    expect(onPlain.json.message).to.match(/plain http/);
    expectFail(await client.test({ ...good, client_key: '' }), 400, 'validation_failed');
    const saved = await client.test(good);
    expect(saved.status, saved.text).to.equal(200);
    expect(saved.json.updated_config).to.include({ client_key: '***MASKED***', client_cert: ours.cert.trim() });
    expect((await client.start({ image: 'golden-cpu', model: 'by-tls', mode: 'PROD' })).status).to.equal(200);
    await client.until('by-tls', 'Active');
    expect((await client.stop('by-tls')).status).to.equal(200);
    await cleanDocker(testDocker(), await client.installation());
    expect((await platform.ml('admin', 'DELETE', '/container_connection/docker/tls')).status).to.equal(200);
  });

  it('keeps records while the engine is away, and finds their containers again', async function () {
    needsDocker(this);
    needs(this, process.getuid?.() === 0, 'root, to run a second Docker engine');
    const home = mkdtempSync(join(tmpdir(), 'tb-'));
    const env = { ...process.env, TESTBED_HOME: home, TESTBED_NET: '10.203', DOCKER_HOST: '' };
    const testbed = (script: string) => run(join(project, 'test/testbeds/docker', script), [], { env });
    try {
      const { stdout } = await testbed('up');
      const url = /DOCKER_HOST=(\S+)/.exec(stdout)?.[1] ?? '';
      const pids = () => run('cat', [join(home, 'pids/dockerd')]).then((out) => Number(out.stdout.split(' ')[0]));
      await client.save({ container_type: 'docker', connection_name: 'second', docker_url: url });
      for (const model of ['ended', 'stays']) {
        expect((await client.start({ image: 'golden-cpu', model, mode: 'PROD' })).status).to.equal(200);
        await client.until(model, 'Active');
      }
      // Not the orderly end: containers go on without their engine, as they do when it crashes.
      process.kill(await pids(), 'SIGKILL');
      const away = (await client.data()).json.config;
      for (const model of ['ended', 'stays'])
        expect(away[model]).to.include({ status: 'Active', probe_error: 'engine_unreachable' });
      const start = await client.start({ image: 'golden-cpu', model: 'third' });
      expectFail(start, 502, 'upstream_error');
      expect((await client.data('third')).status).to.equal(404);
      const stop = await client.stop('stays');
      expectFail(stop, 502, 'upstream_error');
      expect((await client.record('stays')).status).to.equal('Active');
      // The testbed's `up` begins with an empty engine: what ran is gone, and that is what the records say.
      await testbed('up');
      for (const model of ['ended', 'stays']) {
        expect(await client.record(model)).to.include({ status: 'Stopped', status_reason: 'removed_externally' });
      }
      expect((await client.start({ image: 'golden-cpu', model: 'ended', mode: 'PROD' })).status).to.equal(200);
      await client.until('ended', 'Active');
      for (const model of ['ended', 'stays']) expect((await client.stop(model)).status).to.equal(200);
    } finally {
      await testbed('down');
      rmSync(home, { recursive: true, force: true });
    }
  });
});
