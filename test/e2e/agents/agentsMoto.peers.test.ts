import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { connectCloud } from '../../support/e2e/agentCloud.ts';
import { ADMIN_PASSWORD, startPlatform, type TestPlatform } from '../../support/e2e/platform.ts';
import { AwsGateway, KEY_ID, REGION, SECRET_KEY } from '../../support/peers/aws/awsGateway.ts';
import { needsInstalled } from '../../support/programs/part.ts';
import { preparePython, pythonOf } from '../../support/programs/python.ts';
import type { Row } from './agentSupport.ts';

const run = promisify(execFile);

/** What the SDK's script tells of one search. */
interface Seen {
  rows: Row[];
  failed: string;
  previews: number;
}

describe("agents on moto's AgentCore, followed by the public Python SDK", function () {
  this.timeout(240_000);
  let platform: TestPlatform | undefined;
  let cloud: AwsGateway | undefined;

  before(async function () {
    await needsInstalled(this, 'moto and the public Python SDK', () => preparePython('aws'));
    cloud = await AwsGateway.start();
    platform = await startPlatform();
    await connectCloud(platform, cloud.url, { region: REGION }, KEY_ID, SECRET_KEY);
  });
  after(async () => {
    await platform?.dispose();
    await cloud?.stop();
  });

  async function sdk(...steps: string[]): Promise<Seen[]> {
    const script = join(import.meta.dirname, 'agentstatus_sdk.py');
    const { stdout } = await run(pythonOf('aws'), [script, ...steps], {
      env: {
        ...process.env,
        SDK_PORT: new URL(platform?.url ?? '').port,
        SDK_PASSWORD: ADMIN_PASSWORD,
        PYTHONDONTWRITEBYTECODE: '1',
      },
    });
    return JSON.parse(stdout);
  }

  it('from creation to Available and from deletion to gone, with every call signed for AWS', async () => {
    const made = await platform?.ml('admin', 'POST', '/agents', { name: 'moto_agent' });
    expect(made?.status, made?.text).to.equal(200);
    const [created, table, other] = await sdk(
      '| agentstatus agent_name = "moto_agent" action=create interval=0.2',
      '| agentstatus',
      '| agentstatus agent_name=moto_agent action=delete | table state error_code done',
    );
    expect(created?.rows.at(-1), JSON.stringify(created)).to.include({
      agent_name: 'moto_agent',
      state: 'Available',
      outcome: 'success',
      done: '1',
    });
    expect(created?.rows.at(-1)?.runtime_id).to.be.a('string').and.not.equal('');
    expect(table?.rows.map((row) => [row.agent_name, row.state])).to.deep.equal([['moto_agent', 'Available']]);
    expect(other?.rows).to.deep.equal([{ state: 'Available', error_code: 'invalid_state', done: '1' }]);
    const removed = await platform?.ml('admin', 'DELETE', '/agents/moto_agent');
    expect(removed?.status, removed?.text).to.equal(200);
    const [gone] = await sdk(`sid:${removed?.json.tracking_job_id}`);
    expect(gone?.rows.at(-1), JSON.stringify(gone)).to.include({ state: 'Deleted', outcome: 'success' });
    expect(await platform?.documents('ml_agents')).to.deep.equal([]);
    const calls = cloud?.calls.map(({ operation, service }) => `${service} ${operation}`);
    expect(new Set(calls)).to.deep.equal(
      new Set(['Create', 'Get', 'Delete'].map((verb) => `bedrock-agentcore ${verb}AgentRuntime`)),
    );
  });

  it('wrong keys: Failed with auth_failed, and nothing is made', async () => {
    const path = '/servicesNS/nobody/ml_extension/storage/passwords/ml_extension_cloud_services%3ACLOUD_AGENT_CORE%3A';
    const password = JSON.stringify({ access_key_id: KEY_ID, secret_access_key: 'another-canary-key' });
    expect((await platform?.admin('POST', path, { password }))?.status).to.equal(200);
    const made = await platform?.ml('admin', 'POST', '/agents', { name: 'wrong_keys' });
    expect([made?.status, made?.json.error_code, made?.json.state]).to.deep.equal([502, 'auth_failed', 'Failed']);
    expect(made?.text).to.not.include('canary');
    expect((await platform?.ml('admin', 'DELETE', '/agents/wrong_keys'))?.json.state).to.equal('Deleted');
    const broken = { password: 'no JSON, canary-text' };
    expect((await platform?.admin('POST', path, broken))?.status).to.equal(200);
    const unread = await platform?.ml('admin', 'POST', '/agents', { name: 'no_keys' });
    expect([unread?.status, unread?.json.error_code]).to.deep.equal([502, 'configuration_invalid']);
    expect(unread?.json.message).to.include('ml_extension_cloud_services').and.not.include('canary');
    expect((await platform?.ml('admin', 'DELETE', '/agents/no_keys'))?.json.state).to.equal('Deleted');
  });
});
