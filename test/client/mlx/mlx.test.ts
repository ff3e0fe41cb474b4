import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { MASK } from '../../../src/contract/basics.ts';
import { CANARIES, type Document, furnish, SECRETS } from '../../suites/configuration/site.ts';
import { connectCloud } from '../../support/e2e/agentCloud.ts';
import { ADMIN_PASSWORD, startPlatform, type TestPlatform } from '../../support/e2e/platform.ts';
import { AgentCorePeer } from '../../support/peers/aws/agentCore.ts';
import { startModelEndpoints } from '../../support/peers/aws/modelEndpoints.ts';
import type { Peer } from '../../support/peers/listen.ts';
import { type Ended, mlx } from './mlx.ts';

describe('mlx, the command of the client package', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mlx-'));
  const file = (name: string) => join(folder, name);
  let [source, target]: [TestPlatform?, TestPlatform?] = [];
  let clouds: AgentCorePeer[] = [];
  let endpoints: Peer;

  /** A site of its own: its users, its servers, its cloud. */
  async function site(user: string): Promise<TestPlatform> {
    const platform = await startPlatform({ env: { AWS_ENDPOINT_URL: endpoints.url } });
    const cloud = await AgentCorePeer.start();
    clouds = [...clouds, cloud];
    await platform.createUser(user, ['ml_admin']);
    await platform.createUser('guest', ['user']);
    await connectCloud(platform, cloud.url);
    return platform;
  }
  before(async () => {
    endpoints = await startModelEndpoints();
    [source, target] = await Promise.all([site('tessa'), site('carl')]);
    await furnish((method, path, body) => (source as TestPlatform).ml('tessa', method, path, body), 'test.example');
  });
  after(async () => {
    await Promise.all([source?.dispose(), target?.dispose(), endpoints?.close(), ...clouds.map((one) => one.stop())]);
    rmSync(folder, { recursive: true, force: true });
  });

  const everything: Ended[] = [];
  async function run(
    platform: TestPlatform | undefined,
    user: string,
    args: string[],
    env: Record<string, string> = {},
  ) {
    const ML_PASSWORD = user === 'admin' ? ADMIN_PASSWORD : `password-of-${user}`;
    const { url = '', home = '' } = platform ?? {};
    const [command = '', ...rest] = args;
    const connection = ['--url', url, '--user', user, '--ca', join(home, 'etc/auth/server.pem')];
    const ended = await mlx([command, ...connection, ...rest], { ML_PASSWORD, ...env });
    everything.push(ended);
    return ended;
  }
  const onTarget = (...args: string[]) => run(target, 'carl', args);
  const write = (name: string, value: unknown) => {
    writeFileSync(file(name), JSON.stringify(value));
    return file(name);
  };
  const read = (name: string): Document => JSON.parse(readFileSync(file(name), 'utf8'));

  it('exports, plans and applies from one site to another', async () => {
    const exported = await run(source, 'tessa', ['export', '-f', file('site.json')]);
    expect(exported.code, exported.stderr).to.equal(0);
    expect(exported.stderr).to.contain('Not included: settings');
    const again = await run(source, 'tessa', ['export']);
    expect(again.stdout).to.equal(readFileSync(file('site.json'), 'utf8'));
    expect([...CANARIES, MASK].filter((one) => again.stdout.includes(one))).to.deep.equal([]);

    const moved = readFileSync(file('site.json'), 'utf8').replaceAll('test.example', 'production.example');
    writeFileSync(file('production.json'), moved);
    const { 'vector-stores/Handbook': handbook, ...others } = SECRETS;
    const secrets = ['--secrets', write('secrets.json', others)];
    const short = await onTarget('plan', '-f', file('production.json'), ...secrets);
    expect(short.code, short.stderr).to.equal(1);
    const variable = 'ML_SECRET_vector_2Dstores_2FHandbook__details_2Ecloud_5Faccess_5Fkey_5Ftoken';
    expect(short.stdout).to.contain(`secret details.cloud_access_key_token is missing: ${variable}`);
    expect(short.stdout).to.contain('+ mcp-connections/Tracker\n');
    expect(short.stdout).to.contain('! vector-stores/Handbook\n');

    const env = { [variable]: handbook?.['details.cloud_access_key_token'] ?? '' };
    const importArgs = ['-f', file('production.json'), ...secrets, '--include-agents'];
    const plan = await run(target, 'carl', ['plan', ...importArgs], env);
    expect(plan.code, plan.stdout + plan.stderr).to.equal(2);
    expect(plan.stdout).to.contain('14 to create, 0 to update, 0 unchanged, 0 skipped, 0 blocked');
    const unasked = await run(target, 'carl', ['apply', ...importArgs], env);
    expect(unasked.code).to.equal(1);
    expect(unasked.stderr).to.contain('mlx: Cannot ask for confirmation without a terminal: pass --yes\n');
    expect(await target?.documents('ml_mcp_connections')).to.deep.equal([]);
    const applied = await run(target, 'carl', ['apply', '--yes', ...importArgs], env);
    expect(applied.code, applied.stdout + applied.stderr).to.equal(0);
    expect(applied.stdout).to.contain('14 done, 0 failed, 0 not reached, 0 blocked');
    const last = await onTarget('plan', '-f', file('production.json'));
    expect(last.code, last.stdout).to.equal(0);
    expect(last.stdout).to.equal('0 to create, 0 to update, 14 unchanged, 0 skipped, 0 blocked\n');
    const [tracker] = (await target?.documents('ml_mcp_connections'))?.filter(({ name }) => name === 'Tracker') ?? [];
    expect(await target?.secret(String(tracker?.secret_ref))).to.include({ 'details/token': CANARIES[0] });
    expect(tracker?.acl).to.include({ owner: 'carl' });
  });

  it('shows old and new values in a plan, and applies exactly that', async () => {
    const document = read('production.json');
    const tracker = document.records.find(({ name }) => name === 'Tracker');
    Object.assign(tracker?.spec ?? {}, { description: 'Two\nlines \u001b[31m', tools_allowed: ['search'] });
    write('changed.json', document);
    const secrets = write('more.json', { 'mcp-connections/Tracker': { 'details.token': 'canary-7c41d0-new' } });
    const plan = await onTarget('plan', '-f', file('changed.json'), '--secrets', secrets);
    expect(plan.code).to.equal(2);
    expect(plan.stdout.split('\n').slice(0, 4)).to.deep.equal([
      '~ mcp-connections/Tracker',
      '    description: "Issues of the desk" -> "Two\\nlines \\u001b[31m"',
      '    tools_allowed: ["search","close"] -> ["search"]',
      '    details.token: (secret)',
    ]);
    expect(plan.stdout).to.contain('1 to update');
    const applied = await onTarget('apply', '-y', '-f', file('changed.json'), '--secrets', secrets);
    expect([applied.code, applied.stdout.includes('1 done')]).to.deep.equal([0, true]);
    expect((await onTarget('apply', '-f', file('changed.json'))).code, 'nothing to do needs no --yes').to.equal(0);
  });

  it('blocks a changed address without its secret, and missing rights', async () => {
    const document = read('changed.json');
    const moved = JSON.parse(JSON.stringify(document).replaceAll('production.example', 'elsewhere.example'));
    write('moved.json', moved);
    const plan = await onTarget('plan', '-f', file('moved.json'), '--json');
    expect(plan.code).to.equal(1);
    const { result } = JSON.parse(plan.stdout);
    const tracker = result.find(({ name }: { name: string }) => name === 'Tracker');
    expect(tracker).to.include({ action: 'blocked', error_code: 'secret_required_for_new_host' });
    expect(tracker.missing_secrets).to.have.members([
      'details.token',
      'details.client_secret',
      'details.refresh_token',
      'details.headers.X\\.Api-Key',
    ]);
    const guest = await run(target, 'guest', ['apply', '--yes', '-f', file('moved.json')]);
    expect(guest.code).to.equal(1);
    expect(guest.stdout).to.contain('This requires all of the capability edit_agents, run_agents');
    expect(
      (await target?.documents('ml_mcp_connections'))?.map(({ details }) => JSON.stringify(details)).join(),
    ).to.not.contain('elsewhere');
  });

  it('tests saved connections and shows the results', async () => {
    const all = await onTarget('test', 'mcp-connections');
    expect(all.code).to.equal(1);
    expect(all.stdout).to.match(/^mcp-connections\/Tracker {2}dns_failed: /m);
    const one = await onTarget('test', 'model-registrations/forecast');
    expect([one.code, one.stdout]).to.deep.equal([0, 'model-registrations/forecast  ok\n']);
    const alias = await onTarget('test', 'model_aliases');
    expect(alias.code).to.equal(1);
    expect(alias.stdout).to.match(/^model_aliases\/default {2}dns_failed: All targets fail\. /);
    const status = await onTarget('status');
    expect(status.code, status.stderr).to.equal(0);
    expect(status.stdout).to.match(/^mcp-connections +Tracker +dns_failed +20\d\d-/m);
    expect(status.stdout).to.match(/^model_aliases +default +failing +20\d\d-/m);
    expect(status.stdout).to.match(/^vector-stores +Handbook +untested$/m);
    expect(status.stdout).to.match(/^agents +triage +\w+$/m);
    const json = JSON.parse((await onTarget('status', '--json')).stdout);
    expect(json.result).to.have.length(12);
    expect((await onTarget('test', 'agents')).stderr).to.contain('agents has no test');
    expect((await onTarget('test', 'vector-stores/nowhere')).stderr).to.contain('vector-stores/nowhere does not exist');
  });

  it('shows what is used and left of usage limits: of all to editors, to others of those that hold them', async () => {
    const make = (body: object) => target?.ml('carl', 'POST', '/usage_limits', { window: 'month', ...body });
    await make({ name: 'Together', per: 'all', requests: 5, tokens: 100, cost: 2 });
    await make({ name: 'Guests', applies_to: { users: ['guest'] }, requests: 7 });
    const limit_id = (await target?.documents('ml_usage_limits'))?.find(({ name }) => name === 'Together')?.limit_id;
    const ends = (await target?.ml('carl', 'GET', '/usage_limits/Together'))?.json?.config.status.resets_at;
    const counter = `${ends}.month.${limit_id}.all`;
    const sums = { requests: 0, tokens: 100, cost: 0.5, held: 0, open: [], returned: [] };
    const shard = { kind: 'shard', counter, limit: limit_id, ends, process: 'p', member: 'm', at: ends - 1, ...sums };
    await target?.putDocument('ml_usage_counters', { _key: `${counter}.sp`, ...shard });
    const resets = `${new Date(ends * 1000).toISOString().slice(0, 19)}Z`;

    const { code, stdout, stderr } = await onTarget('status');
    expect([code, stderr]).to.deep.equal([0, '']);
    const shown = stdout.slice(stdout.indexOf('LIMIT')).replaceAll(/ {2,}/g, ' | ').trimEnd().split('\n');
    const [head, guests, team, together] = shown;
    expect(head).to.equal('LIMIT | STATE | PER | WINDOW | USED | LEFT | RESETS');
    expect(guests).to.equal(`Guests | ok | user | month | 0 requests | 7 requests | ${resets}`);
    expect(team).to.contain('Team | off | user | day | 0 requests, 0 tokens | 500 requests, 1000000 tokens | ');
    const amounts = '0 requests, 100 tokens, 0.5 USD | 5 requests, 0 tokens, 1.5 USD';
    expect(together).to.equal(`Together | used_up | all | month | ${amounts} | ${resets}`);
    expect(shown).to.have.length(4);

    const { result } = JSON.parse((await onTarget('status', '--json')).stdout);
    expect(result.at(-1)).to.deep.equal({
      ...{ family: 'usage_limits', name: 'Together', state: 'used_up', window: 'month', per: 'all' },
      used: { requests: 0, tokens: 100, cost: 0.5 },
      left: { requests: 5, tokens: 0, cost: 1.5 },
      resets_at: ends,
    });
    const own = await run(target, 'guest', ['status']);
    expect(own.code, own.stderr).to.equal(0);
    expect(own.stdout).to.match(/^Guests +ok +month +0 requests +7 requests +20/m);
    expect(own.stdout).to.match(/^Together +used_up +month +0 requests, 100 tokens/m);
    expect(own.stdout).to.not.contain('Team');
  });

  it('accepts a token, and refuses untrusted certificates and missing passwords', async () => {
    const { url = '' } = target ?? {};
    const made = await target?.admin('POST', '/services/authorization/tokens', { name: 'carl', audience: 'ci' });
    const ML_TOKEN = made?.json.entry[0].content.token;
    const token = await mlx(['export', '--url', url, '--insecure', '--family', 'vector-stores'], { ML_TOKEN });
    expect(token.code, token.stderr).to.equal(0);
    expect(JSON.parse(token.stdout).records).to.have.length(1);
    const untrusted = await mlx(['status', '--url', url], { ML_TOKEN });
    expect([untrusted.code, untrusted.stdout]).to.deep.equal([1, '']);
    expect(untrusted.stderr).to.match(/SELF_SIGNED_CERT|UNABLE_TO_VERIFY/);
    const unasked = await mlx(['status', '--url', url, '--user', 'carl']);
    expect([unasked.code, unasked.stderr]).to.deep.equal([
      1,
      'mlx: Cannot ask for the password without a terminal: set ML_PASSWORD\n',
    ]);
    expect((await mlx(['status', '--url', url])).stderr).to.equal('mlx: No credentials: set ML_TOKEN or pass --user\n');
  });

  it('prints help and version, and reports wrong arguments', async () => {
    expect(await mlx(['--version'])).to.include({ code: 0 });
    for (const command of ['export', 'plan', 'apply', 'test', 'status']) {
      const help = await mlx([command, '--help']);
      expect([help.code, help.stdout.startsWith(`Usage: mlx ${command}`)]).to.deep.equal([0, true]);
    }
    expect((await mlx(['--help'])).code).to.equal(0);
    const wrong: [string[], string][] = [
      [[], 'Usage: mlx'],
      [['deploy'], 'Unknown command deploy'],
      [['plan', '--fil', 'x'], "Unknown option '--fil'"],
      [['export', 'x'], 'mlx export does not take x'],
    ];
    for (const [args, message] of wrong) {
      const { code, stdout, stderr } = await mlx(args);
      expect([code, (stdout + stderr).includes(message)], stderr).to.deep.equal([1, true]);
    }
    expect((await onTarget('plan')).stderr).to.equal('mlx: No document: pass -f <file>\n');
    expect((await onTarget('plan', '-f', file('none.json'))).stderr).to.contain('cannot be read (ENOENT)');
    writeFileSync(file('broken.json'), '{"records": canary-7c41d0-x}');
    expect((await onTarget('plan', '-f', file('broken.json'))).stderr).to.contain('broken.json is not valid JSON');
    const env = { ML_SECRET_nonsense: 'canary-7c41d0-y' };
    const bad = await run(target, 'carl', ['plan', '-f', file('production.json')], env);
    expect(bad.stderr).to.contain('ML_SECRET_nonsense is not ML_SECRET_<family/name>__<path>');
    const format = await onTarget(
      'plan',
      '-f',
      write('newer.json', { format: 'ml_extension', format_version: 2, records: [] }),
    );
    expect(format.stderr).to.contain('document.format_version: must be 1');
  });

  it('never prints a secret', () => {
    const text = everything.map(({ stdout, stderr }) => stdout + stderr).join('\n');
    expect(everything.length).to.be.above(15);
    expect(/canary-7c41d0/.exec(text)).to.equal(null);
    expect(target?.log()).to.not.contain('canary-7c41d0');
  });
});
