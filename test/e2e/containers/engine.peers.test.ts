import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request as send } from 'node:http';
import { createServer as createTls } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { project } from '../../support/e2e/build.ts';
import { startPlatform, type TestPlatform } from '../../support/e2e/platform.ts';
import { makeCertificate } from '../../support/peers/certificates.ts';
import { freePort, listen } from '../../support/peers/listen.ts';
import { needs } from '../../support/programs/part.ts';
import { eventually } from '../../support/time.ts';
import { ContainerClient, cleanDocker, dockerUrl, expectFail, needsDocker, testDocker } from './containerSupport.ts';

const run = promisify(execFile);

/** Whether nobody listens at this socket. */
const refuses = (path: string) =>
  new Promise<boolean>((tell) => {
    const socket = connect(path, () => tell(false)).once('error', () => tell(true));
    socket.once('connect', () => socket.destroy());
  });

describe('container engines that are real', function () {
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

  it('connects to Docker over TLS with a client certificate and reports invalid ones', async function () {
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
      [{ client_cert: '', client_key: '' }, /refused the client certificate.*none was sent/],
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
    expect(saved.json.updated_config).to.include({
      client_key: '***MASKED***',
      client_cert: ours.cert.replaceAll('\r', ''),
    });
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
    const ipv6Off = () => readFileSync('/proc/sys/net/ipv6/conf/default/disable_ipv6', 'utf8').trim();
    const before = ipv6Off();
    const testbed = (script: string) => run(join(project, 'test/testbeds/docker', script), [], { env });
    try {
      const { stdout } = await testbed('up');
      expect(ipv6Off(), 'new interfaces without IPv6').to.equal('1');
      const url = /DOCKER_HOST=(\S+)/.exec(stdout)?.[1] ?? '';
      const pids = () => run('cat', [join(home, 'pids/dockerd')]).then((out) => Number(out.stdout.split(' ')[0]));
      await client.save({ container_type: 'docker', connection_name: 'second', docker_url: url });
      for (const model of ['ended', 'stays']) {
        expect((await client.start({ image: 'golden-cpu', model, mode: 'PROD' })).status).to.equal(200);
        await client.until(model, 'Active');
      }
      // Not the orderly end: containers go on without their engine, as they do when it crashes.
      process.kill(await pids(), 'SIGKILL');
      await eventually(() => refuses(url.replace(/^unix:\/\//, '')), 5000, 'the engine to be gone');
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
      expect(ipv6Off(), 'as before').to.equal(before);
      rmSync(home, { recursive: true, force: true });
    }
  });
});
