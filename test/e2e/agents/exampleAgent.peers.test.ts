import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type Docker from 'dockerode';
import { readPage } from '../../docs/markdown.ts';
import { callContainers, startContainers, TOKEN } from '../../gateway/containers/containerApp.ts';
import { buildImage, importPython } from '../../support/containers/pythonImage.ts';
import { expectStatus, startPlatform, type TestPlatform } from '../../support/e2e/platform.ts';
import { type Json, MemoryApp } from '../../support/memory/app.ts';
import { freePort } from '../../support/peers/listen.ts';
import { isInstalled, needs } from '../../support/programs/part.ts';
import { eventually } from '../../support/time.ts';
import {
  addImage,
  ContainerClient,
  cleanDocker,
  dockerUrl,
  needsDocker,
  testDocker,
} from '../containers/containerSupport.ts';
import { MOUNT } from '../gateway/gatewayPlatform.ts';

/** The only block of a language on the page. */
function blockOf(language: string): string {
  const found = readPage('docs/guide/agent-in-a-container.md').blocks.filter((block) => block.language === language);
  expect(found, language).to.have.length(1);
  return found[0]?.text ?? '';
}

const RIGHTS = ['list_containers', 'use_ai_gateway', 'run_agents', 'edit_agents'];

describe('the example of an agent in a container', function () {
  this.timeout(180_000);
  let folder: string;

  before(function () {
    needs(this, isInstalled('python3'), 'python3');
    folder = mkdtempSync(join(tmpdir(), 'agent-'));
    writeFileSync(join(folder, 'agent.py'), blockOf('python'));
  });
  after(() => {
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  it('is as short as it says', () => {
    expect(blockOf('python').split('\n').length).to.be.at.most(45);
  });

  describe('run by Python', () => {
    let child: ChildProcess;
    let url: string;
    let app: MemoryApp;
    before(async () => {
      const port = await freePort();
      const env = { ...process.env, api_token: TOKEN, PORT: String(port) };
      child = spawn('python3', [join(folder, 'agent.py')], { env, stdio: 'ignore' });
      url = `http://127.0.0.1:${port}`;
      const answers = () =>
        fetch(`${url}/ping`).then(
          ({ ok }) => ok,
          () => false,
        );
      await eventually(answers, 60_000, 'the agent to answer');
      app = new MemoryApp();
      callContainers(app);
      await startContainers(app, { helper: { port } });
      for (const user of ['asker', 'other']) app.user(user, { capabilities: RIGHTS });
    });
    after(async () => {
      if (!child || child.exitCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    });

    const ran = async (input: unknown, session_id: string | undefined, user = 'asker'): Promise<Json> => {
      const definition = { runtime_type: 'CONTAINER', runtime: { container: 'helper' } };
      const body = { definition, input, worker: 'caller', ...(session_id === undefined ? {} : { session_id }) };
      const { status, json } = await app.call(user, 'POST', '/ai_gateway/runs', body);
      expect(status, JSON.stringify(json)).to.equal(200);
      await app.call(user, 'POST', `/ai_gateway/runs/${json.run_id}/step`);
      return (await app.call(user, 'GET', `/ai_gateway/runs/${json.run_id}`)).json.config;
    };

    it('is found by its protocol, answers, and knows its sessions', async () => {
      const outputs = [];
      for (const [session, user] of [
        ['s', 'asker'],
        ['s', 'asker'],
        ['s', 'other'],
        [undefined, 'asker'],
      ] as const)
        outputs.push((await ran('Łódź?', session, user)).output);
      expect(outputs).to.deep.equal([
        'Question 1: Łódź?',
        'Question 2: Łódź?',
        'Question 1: Łódź?',
        'Question 1: Łódź?',
      ]);
    });

    it('refuses another token, other paths and what it cannot read', async () => {
      const post = async (path: string, body: string, token = TOKEN) =>
        (await fetch(`${url}${path}`, { method: 'POST', body, headers: { authorization: `Bearer ${token}` } })).status;
      expect(await post('/invocations', '{"input":"x"}', 'other')).to.equal(401);
      expect(await post('/other', '{"input":"x"}')).to.equal(404);
      for (const body of ['', 'x', '[]', '{}']) expect(await post('/invocations', body), body).to.equal(400);
      expect((await fetch(`${url}/other`)).status).to.equal(404);
      expect(await post('/invocations', '{"input":"x"}')).to.equal(200);
    });
  });

  describe('built and started by a Docker engine', () => {
    const base = `agent-base-${process.pid}`;
    const tag = `agent-example-${process.pid}:1`;
    let docker: Docker;
    let platform: TestPlatform;
    let client: ContainerClient;

    before(async function () {
      needsDocker(this);
      docker = testDocker();
      await importPython(docker, base, '1');
      // The engine of the tests has no way out to a registry.
      const recipe = blockOf('dockerfile').replace(/^FROM python:\S+$/m, `FROM ${base}:1`);
      expect(recipe).to.contain(base);
      writeFileSync(join(folder, 'Dockerfile'), recipe);
      await buildImage(docker, folder, tag);
      platform = await startPlatform();
      client = new ContainerClient(platform);
      const stanza = blockOf('ini')
        .split('\n')
        .slice(1)
        .map((line) => line.split(' = ') as [string, string]);
      await addImage(platform, 'counter', tag, { ...Object.fromEntries(stanza), image: tag });
      const connection = {
        container_type: 'docker',
        connection_name: 'local',
        docker_url: dockerUrl,
        api_token: TOKEN,
      };
      expectStatus(await client.save(connection), 200, 'a connection');
    });
    after(async () => {
      if (platform) {
        const installation = await client.installation();
        await platform.dispose();
        await cleanDocker(docker, installation);
      }
      for (const image of docker ? [tag, `${base}:1`] : [])
        await docker
          .getImage(image)
          .remove({ force: true })
          .catch(() => {});
    });

    it('answers runs, whose worker is a search', async () => {
      expectStatus(await client.start({ image: 'counter', model: 'helper', mode: 'PROD' }), 200, 'a container');
      expect(await client.until('helper', 'Active')).to.include({ protocol: 'agent' });
      await platform.createUser('bob', ['ml_admin']);
      const agent = { name: 'counter', runtime_type: 'CONTAINER', runtime: { container: 'helper' } };
      expectStatus(await platform.ml('bob', 'POST', '/agents', agent), 200, 'an agent');
      for (const count of [1, 2]) {
        const body = { agent: 'counter', input: 'Which disks are full?', session_id: 'disks', wait_s: 25 };
        const { json, text } = await platform.call('bob', 'POST', `${MOUNT}/runs`, body);
        expect(json.state, text).to.equal('succeeded');
        expect(json.output).to.equal(`Question ${count}: Which disks are full?`);
      }
    });
  });
});
