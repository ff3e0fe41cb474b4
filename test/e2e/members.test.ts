import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';

import { type CallOptions, call, type Reply } from '../../platform/test/support/platform.ts';
import { project } from '../support/e2e/build.ts';
import { ADMIN_PASSWORD, startPlatform, type TestPlatform } from '../support/e2e/platform.ts';
import { until } from '../support/time.ts';

const APP = '/servicesNS/nobody/ml_extension';
const SKEW_MS = 600_000;
const REPLICATION_MS = 800;

describe('the app on two members', () => {
  let platform: TestPlatform;
  let urls: string[];

  before(async () => {
    platform = await startPlatform({
      env: {
        ML_MEMBERS: '2',
        ML_REPLICATION_MS: String(REPLICATION_MS),
        ML_CLOCK_SKEW_MS: String(SKEW_MS),
        ML_MEMBER_RESTART_MS: '500',
      },
    });
    urls = [...platform.output.matchAll(/^member \d+ (\S+)$/gm)].map(([, url]) => url ?? '');
  });
  after(() => platform.dispose());

  const on = (member: number, method: string, path: string, body?: object): Promise<Reply> => {
    const options: CallOptions = { as: `admin:${ADMIN_PASSWORD}` };
    if (body !== undefined) options.body = JSON.stringify(body);
    if (body !== undefined) options.headers = { 'Content-Type': 'application/json' };
    return call(urls[member - 1] ?? '', method, `${APP}${path}`, options);
  };
  const connection = (name: string, token: string) => ({
    name,
    type: 'PLATFORM',
    details: { url: 'https://mcp.invalid/mcp', token },
  });
  const secrets = async (member: number): Promise<string[]> =>
    (await on(member, 'GET', '/storage/passwords?output_mode=json&count=0')).json.entry.map(
      ({ content }: { content: { clear_password: string } }) =>
        Buffer.from(content.clear_password, 'base64').toString(),
    );

  it('a record written by one can be read by the other at once, and its secret is replicated', async () => {
    const began = performance.now();
    const made = await on(2, 'POST', '/ml/mcp_connection', connection('two', 'token-of-two'));
    expect(made.status, made.text).to.equal(200);
    const early = (await secrets(1)).join();
    // On a busy machine it may have followed by now.
    if (performance.now() - began < REPLICATION_MS) expect(early).to.not.contain('token-of-two');
    const read = await on(1, 'GET', '/ml/mcp_connection/two');
    expect(read.status, read.text).to.equal(200);
    await until(
      () => secrets(1),
      (all) => all.join().includes('token-of-two'),
    );
    expect((await on(1, 'DELETE', '/ml/mcp_connection/two')).status).to.equal(200);
    await until(
      () => secrets(2),
      (all) => !all.join().includes('token-of-two'),
    );
  });

  it('both serve the app after the holder of the store was killed', async () => {
    await on(1, 'POST', '/ml/mcp_connection', connection('stays', 't'));
    const { json } = await call(urls[1] ?? '', 'GET', '/services/embedded/members', { as: `admin:${ADMIN_PASSWORD}` });
    process.kill(json.members[0].pid, 'SIGKILL');
    const down = await until(
      () => on(2, 'GET', '/ml/mcp_connection/stays'),
      ({ status }) => status === 503,
    );
    expect(down.json.error_code).to.equal('store_unavailable');
    for (const member of [2, 1]) {
      await until(
        () =>
          on(member, 'GET', '/ml/mcp_connection/stays').then(
            ({ status }) => status,
            () => 0,
          ),
        (status) => status === 200,
      );
    }
  });

  it('a model that one shares with the app is replicated to the other', async () => {
    const model = readFileSync(join(project, 'test/fixtures/onnx/linear.onnx')).toString('base64');
    const upload = { model_name: 'shared', features: ['a', 'b', 'c'], targets: 'y', model_file: model, sharing: 'app' };
    const made = await on(2, 'POST', '/ml/upload_model', upload);
    expect(made.status, made.text).to.equal(200);
    const names = async () =>
      (await on(1, 'GET', '/ml/list_models')).json.result.map(({ name }: { name: string }) => name);
    await until(names, (all) => all.includes('shared'));
  });
});

describe('the audit trail of two members, one 91 days ahead', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await startPlatform({ env: { ML_MEMBERS: '2', ML_CLOCK_SKEW_MS: String(91 * 86_400_000) } });
  });
  after(() => platform.dispose());

  it('is shown completely by both, and loses no entry', async () => {
    const urls = [...platform.output.matchAll(/^member \d+ (\S+)$/gm)].map(([, url]) => url ?? '');
    const on = (member: number, method: string, path: string, body?: object): Promise<Reply> =>
      call(urls[member - 1] ?? '', method, `${APP}/ml${path}`, {
        as: `admin:${ADMIN_PASSWORD}`,
        ...(body ? { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } } : {}),
      });
    const make = async (member: number, name: string) => {
      const reply = await on(member, 'POST', '/mcp_connection', {
        ...{ name, type: 'PLATFORM', details: { url: 'https://mcp.invalid/mcp' } },
      });
      expect(reply.status, reply.text).to.equal(200);
    };
    await make(1, 'here');
    await make(2, 'ahead');
    // The first entry of a process starts a cleanup.
    await new Promise((resolve) => setTimeout(resolve, 1500));
    for (const member of [1, 2]) {
      const { result } = (await on(member, 'GET', '/audit')).json;
      expect(result.map(({ name }: { name: string }) => name)).to.have.members(['ahead', 'here']);
    }
    expect(await platform.documents('ml_audit')).to.have.length(2);
  });
});
