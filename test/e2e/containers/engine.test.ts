import { createServer, type RequestListener } from 'node:http';
import { expect } from 'chai';
import { CONTAINER_TYPES } from '../../../src/families/containers/engines/registry.ts';
import { startApplications, startManyEngine } from '../../support/containers/manyEngine.ts';
import { startPlatform, type TestPlatform } from '../../support/e2e/platform.ts';
import { listen } from '../../support/peers/listen.ts';
import { patience } from '../../support/time.ts';
import { ContainerClient, expectFail } from './containerSupport.ts';

describe('container engines', function () {
  this.timeout(240_000);
  let platform: TestPlatform;
  let client: ContainerClient;
  const closers: (() => Promise<void>)[] = [];

  before(async () => {
    platform = await startPlatform();
    client = new ContainerClient(platform);
    await platform.createRole('reader', ['user'], ['list_container_connections', 'list_containers']);
    await platform.createUser('reader', ['reader']);
  });
  after(async () => {
    await platform?.dispose();
    await Promise.all(closers.map((close) => close()));
  });

  it('looks at 200 containers in the time of one probe, although 20 of them are silent', async () => {
    const { good, silent, close } = await startApplications();
    closers.push(close);
    const engine = await startManyEngine(Array.from({ length: 200 }, (_, index) => (index % 10 === 0 ? silent : good)));
    closers.push(engine.close);
    expect((await client.save(engine.connection)).status).to.equal(200);
    await client.data();
    engine.belongsTo(await client.installation());
    const times: number[] = [];
    // The first look makes 200 records, the others read them.
    for (let look = 0; look < 3; look++) {
      const begun = performance.now();
      const data = await client.data();
      expect(data.status, data.text.slice(0, 500)).to.equal(200);
      const records = Object.values(data.json.config as Record<string, Record<string, string>>);
      times.push(Math.round(performance.now() - begun));
      expect(records).to.have.length(200);
      const count = (expected: string) =>
        records.filter(({ status, probe_error }) => `${status} ${probe_error}` === expected).length;
      expect(count('Active ')).to.equal(180);
      expect(count('Waiting for Url to start timeout')).to.equal(20);
    }
    process.stderr.write(`      container_data of 200, three looks: ${times.join(', ')} ms\n`);
    expect(Math.min(...times)).to.be.within(4500, patience(6000));
    for (const doc of await platform.documents('ml_containers'))
      await platform.removeDocument('ml_containers', String(doc._key));
    expect((await platform.ml('admin', 'DELETE', '/container_connection/docker/many')).status).to.equal(200);
  });

  it('refuses servers that are not engines and waits for none of them', async () => {
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
        /is not a Docker engine|is not a Kubernetes API/,
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
    expect([data.status, data.json.config], data.text.slice(0, 500)).to.deep.equal([200, {}]);
    expect(performance.now() - begun).to.be.below(patience(6500));
    expect(platform.log()).to.not.contain('"event":"bug"');
    for (const n of all.keys()) await platform.ml('admin', 'DELETE', `/container_connection/docker/none%20${n}`);
  });

  it('asks which connection is meant, and which image', async () => {
    for (const connection_name of ['One', 'Two']) {
      await client.save({ container_type: 'docker', connection_name, docker_url: '/run/none.sock' });
    }
    const several = await client.start({ image: 'golden-cpu', model: 'm' });
    expectFail(several, 400, 'validation_failed');
    expect(several.json.message).to.contain('One, Two');
    expectFail(
      await client.start({ image: 'golden-cpu', model: 'm', cluster: 'kubernetes' }),
      400,
      'unknown_reference',
    );
    expectFail(
      await client.start({ image: 'golden-cpu', model: 'm', connection_name: 'nobody' }),
      400,
      'unknown_reference',
    );
    const image = await client.start({ image: 'alpine:latest', model: 'm' });
    expectFail(image, 400, 'validation_failed');
    expect(image.json.message).to.contain('known: agentic-ai, agentic-ai-debian,');
    expectFail(
      await platform.ml('reader', 'POST', '/start_container', { payload: { image: 'x', model: 'm' } }),
      403,
      'missing_capability',
    );
    expectFail(await client.stop('nobody'), 404, 'not_found');
    expectFail(await platform.ml('admin', 'DELETE', '/start_container/nobody'), 404, 'not_found');
    expect((await platform.ml('reader', 'GET', '/stop_container')).json.docker_images['golden-cpu']).to.deep.equal({
      label: 'Red Hat UBI Golden CPU (5.2.4)',
      image: 'splunk/mltk-container-golden-cpu:5.2.4',
    });
    const form = (await platform.ml('reader', 'GET', '/start_container')).json;
    expect(form).to.deep.include({
      clusters: [...CONTAINER_TYPES],
      runtimes: ['None', 'nvidia'],
      modes: ['DEV', 'PROD'],
    });
  });
});
