import { expect } from 'chai';
import { type Answer, type Json, MemoryApp } from '../../../support/memory/app.ts';
import { AgentCorePeer } from '../../../support/peers/aws/agentCore.ts';
import { eventually } from '../../../support/time.ts';

const RIGHTS = ['list_ai_commander_config', 'use_ai_gateway', 'run_agents', 'edit_agents'];
const SHARED = { sharing: 'app', perms: { read: ['*'], write: [] } };

describe('cancelled runs of agents in AgentCore', function () {
  this.timeout(30_000);
  let peer: AgentCorePeer;
  let app: MemoryApp;

  before(async () => {
    peer = await AgentCorePeer.start();
  });
  after(() => peer.stop());
  beforeEach(async () => {
    peer.reset();
    app = new MemoryApp();
    app.callCloud(peer.url);
    const aws = { endpoint_url_bedrock_agentcore: peer.url };
    app.settings.stanzas = { ...app.settings.stanzas, aws };
    app.user('asker', { capabilities: RIGHTS });
    app.user('boss', { capabilities: [...RIGHTS, 'admin_all_objects'] });
    expect((await app.call('boss', 'POST', '/agents', { name: 'triage', acl: SHARED })).status).to.equal(200);
    await eventually(async () => {
      app.site.clock.advance(60_000);
      await app.call('boss', 'POST', '/agents/triage/status', { action: 'create' });
      return (await app.call('asker', 'GET', '/agents/triage')).json.config.state === 'Available';
    }, 10_000);
    peer.calls.length = 0;
  });

  const runs = (method: string, path: string, body?: Json, user = 'asker'): Promise<Answer> =>
    app.call(user, method, `/ai_gateway/runs${path}`, body);
  async function start(): Promise<string> {
    const { status, json } = await runs('POST', '', { agent: 'triage', input: 'question', worker: 'caller' });
    expect(status, JSON.stringify(json)).to.equal(200);
    return json.run_id;
  }
  async function cancel(id: string, user = 'asker'): Promise<string> {
    const { status, json } = await runs('POST', `/${id}/cancel`, undefined, user);
    expect(status, JSON.stringify(json)).to.equal(200);
    await app.site.afterReplies();
    return json.state;
  }
  const stops = () => peer.calls.filter(({ operation }) => operation === 'stop');
  const read = async (id: string) => (await runs('GET', `/${id}`)).json.config;
  const warnings = () => app.site.log.lines.filter(({ event }) => event === 'run_session_not_stopped');

  it('are stopped there, with the session of the call, by the process that makes it', async () => {
    let isCut = false;
    peer.agent = (response) =>
      response.on('close', () => {
        isCut = true;
      });
    const id = await start();
    const stepping = runs('POST', `/${id}/step`);
    await eventually(() => peer.operations().includes('invoke'), 10_000);
    await cancel(id, 'boss');
    expect((await stepping).json.state).to.equal('cancelled');
    await app.site.afterReplies();
    expect(stops()).to.have.length(1);
    const [invoke, stop] = peer.calls;
    expect(stop).to.include({
      method: 'POST',
      session: invoke?.session,
      path: invoke?.path.replace('invocations', 'stopruntimesession'),
    });
    expect(stop?.authorization).to.match(/\/eu-central-1\/bedrock-agentcore\/aws4_request/);
    expect([peer.sessions.size, isCut]).to.deep.equal([0, true]);
  });

  /** A run as a process leaves it that dies while the agent works. */
  async function orphaned(state = 'started'): Promise<string> {
    const id = await start();
    const begun = { run_id: id, index: 0, kind: 'invoke', name: 'triage', state, started_at: 1 };
    const stored = JSON.stringify({ ...begun, _key: `${id}.0000`, input: 'question' });
    app.site.records.collection('ml_run_steps').set(`${id}.0000`, stored);
    return id;
  }

  it('are stopped by who cancels where the process has died, and where its outcome is unknown', async () => {
    expect(await cancel(await orphaned())).to.equal('cancelled');
    const unknown = await orphaned();
    await runs('POST', `/${unknown}/step`);
    expect((await read(unknown)).state).to.equal('waiting_for_approval');
    expect(stops()).to.have.length(1);
    expect(await cancel(unknown)).to.equal('cancelled');
    expect(stops()).to.have.length(2);
    expect(warnings(), 'sessions that were gone').to.deep.equal([]);
  });

  it('are stopped whatever their user may read by now', async () => {
    const id = await orphaned();
    const acl = { sharing: 'app', perms: { read: ['admin'], write: ['admin'] } };
    expect((await app.call('boss', 'PUT', '/agents', { name: 'triage', acl })).status).to.equal(200);
    expect((await app.call('asker', 'GET', '/agents/triage')).status).to.equal(404);
    expect(await cancel(id)).to.equal('cancelled');
    expect(stops()).to.have.length(1);
  });

  it('are cancelled although their session cannot be stopped, which is logged', async () => {
    peer.plays.stop = [{ kind: 'error', status: 403, name: 'AccessDeniedException' }];
    expect(await cancel(await orphaned())).to.equal('cancelled');
    expect(warnings().map(({ fields }) => fields.cause)).to.deep.equal(['permission_denied']);
  });

  it('stop nothing that has ended by itself, or never began', async () => {
    const ended = await start();
    expect((await runs('POST', `/${ended}/step`)).json.state).to.equal('succeeded');
    peer.plays.invoke = [{ kind: 'error', status: 403, name: 'AccessDeniedException' }];
    const failed = await start();
    expect((await runs('POST', `/${failed}/step`)).json.state).to.equal('failed');
    expect(await cancel(await start())).to.equal('cancelled');
    expect(await cancel(await orphaned('done'))).to.equal('cancelled');
    await app.site.afterReplies();
    expect(stops()).to.deep.equal([]);
  });
});
