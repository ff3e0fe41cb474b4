import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import type { MemoryApp } from '../../support/memory/app.ts';
import { FaultPlan } from '../../support/memory/faults.ts';
import { type Peer, sendJson, startHttp } from '../../support/peers/listen.ts';
import { startCutter } from '../../support/peers/mcp/cutter.ts';
import { startEverything } from '../../support/peers/mcp/everything.ts';
import { startModern } from '../../support/peers/mcp/modern.ts';
import { type RpcMessage, startAnswering, startScripted, tool } from '../../support/peers/mcp/scripted.ts';
import { Peers } from '../../support/peers/peers.ts';
import { callTool, connect, EVERYBODY, send, toolsApp, urlOf } from './toolsApp.ts';

/** Cuts of one server. */
const CUTS = 50;

describe('at most once', () => {
  const { started } = new Peers();
  const servers: Record<string, () => Promise<Peer>> = {
    'a stateless server': () => startModern({ modernOnly: true }),
    'a server with sessions': () => startEverything('streamableHttp'),
    'a server with SSE': () => startEverything('sse'),
  };

  for (const [what, start] of Object.entries(servers)) {
    it(`calls a tool of ${what} at most once, wherever the connection breaks`, async function () {
      this.timeout(120_000);
      const cutter = await started(startCutter(await start()));
      const app = toolsApp();
      app.callServers();
      await connect(app, 'one', { details: { url: cutter.url } });
      const call = (bytes: number, message: string) => {
        cutter.cutAfter(bytes, `"${message}"`);
        return callTool(app, { arguments: { message } });
      };
      // The listing is kept, and what the first contact shows of the server is stored.
      for (let n = 0; n < 2; n += 1) {
        const { status, json } = await call(Number.POSITIVE_INFINITY, `hi ${n}`);
        expect([status, cutter.calls], JSON.stringify(json)).to.deep.equal([200, 1]);
      }
      const whole = cutter.bytes;
      const seen = new Map<string, number>();
      const step = Math.ceil(whole / CUTS);
      for (let at = 0; at < whole; at += step) {
        const { status, json } = await call(at, `cut ${at}`);
        expect(cutter.calls, `cut after ${at} bytes`).to.be.at.most(1);
        if (status === 200) expect(cutter.calls, `cut after ${at} bytes`).to.equal(1);
        const outcome = `${json.error_code ?? 'done'} ${cutter.calls}`;
        seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
      }
      expect(whole).to.be.above(400);
      expect([...seen.keys()])
        .to.include('connection_reset 0')
        .and.include('connection_reset 1');
    });
  }

  it('tells callers not to repeat a call that may have run', async () => {
    const answers: [string, (response: ServerResponse, message: RpcMessage) => unknown][] = [
      ['connection_reset', (response) => response.destroy()],
      ['upstream_error', (response) => sendJson(response, 500, {})],
      [
        'upstream_error',
        (response, { id }) => sendJson(response, 200, { jsonrpc: '2.0', id, error: { code: -32000, message: 'no' } }),
      ],
      ['rate_limited', (response) => sendJson(response, 429, {})],
    ];
    for (const [code, answer] of answers) {
      const peer = await started(startAnswering('tools/call', answer, [tool('echo')]));
      const app = toolsApp();
      app.callServers();
      await connect(app, 'one', { details: { url: peer.url } });
      const mayRepeat = code === 'rate_limited';
      const rest = await callTool(app, {});
      expect([rest.json.error_code, rest.headers['x-should-retry']]).to.deep.equal([code, String(mayRepeat)]);
      expect(rest.json.should_retry).to.equal(mayRepeat ? undefined : false);
      const { json } = await send(app, 'tools/call', { name: 'one__echo' });
      expect(json.result._meta).to.include({
        'ml_extension/error_code': code,
        'ml_extension/should_retry': mayRepeat,
      });
      const items = [{ id: 'a', connection: 'one', tool: 'echo' }];
      const batch = await app.call('asker', 'POST', '/ai_gateway/batch', { operation: 'tool', items });
      expect(batch.json.result[0]).to.include({ error_code: code, should_retry: mayRepeat });
      const said = [rest.json.message, json.result.content[0].text, batch.json.result[0].message];
      for (const text of said) expect(text.includes('The tool may have run.')).to.equal(code === 'connection_reset');
    }
  });

  it('answers what a tool has answered, also if nothing can be noted of it', async () => {
    const app = toolsApp();
    await connect(app, 'one');
    const args = { arguments: { text: 'hi' } };
    await callTool(app, args);
    const { callTool: answered } = app.peers.client;
    // News of the server, which the record gets.
    app.peers.client.callTool = async (...call) => ({ ...(await answered(...call)), transport: 'sse' });
    const body = Buffer.from(JSON.stringify({ connection: 'one', tool: 'echo', ...args }));
    const request = { method: 'POST', path: '/ai_gateway/tools/call', body, sessionToken: 'asker' };
    let ran = 0;
    for (let at = 1; ; at += 1) {
      app.peers.calls.length = 0;
      const plan = new FaultPlan(at, 'refused');
      const { status, json } = await app.request(request, plan);
      if (app.peers.calls.length > 0) {
        ran += 1;
        expect(status, `${plan.trace} ${JSON.stringify(json)}`).to.equal(200);
      }
      if (plan.calls < at) break;
    }
    expect(ran).to.be.above(2);
    expect(app.site.log.text()).to.include('mcp_contact_not_noted');
  });

  it('does not take a later 401 for one of the call', async () => {
    const auth = await started(
      startHttp((_request, response) => sendJson(response, 200, { access_token: 'access', token_type: 'Bearer' })),
    );
    const peer = await started(
      startScripted(
        (request, response, message) => {
          // The token ends while the tool runs: the stream with the answer is not resumed.
          if (request.method === 'GET') sendJson(response, 401, {});
          else if (message?.method !== 'tools/call') return false;
          else response.writeHead(200, { 'content-type': 'text/event-stream' }).end('id: 1\nretry: 10\ndata:\n\n');
          return true;
        },
        () => ({ tools: [tool('echo')] }),
      ),
    );
    const app = toolsApp();
    app.callServers();
    const details = {
      ...{ url: peer.url, token: 'token-0', client_id: 'c', refresh_token: 'refresh-0' },
      ...{ is_auto_refresh_enabled: true, token_url: `${auth.url}/token` },
    };
    await connect(app, 'one', { type: 'ISSUE_TRACKER', details });
    const { json } = await callTool(app, { timeout_s: 1 });
    expect(json.error_code).to.equal('connection_reset');
    expect(json.message).to.match(/does not resume it \(401\).*may have run/);
    expect(peer.log.filter((line) => line === 'POST tools/call')).to.have.length(1);
  });

  const details = {
    ...{ url: urlOf('tracker'), token: 'token-0', client_id: 'c', refresh_token: 'refresh-0' },
    ...{ is_auto_refresh_enabled: true, token_url: 'https://auth.example/token' },
  };

  it('does not repeat a call by a record that was changed meanwhile', async () => {
    for (const change of [{ tools_allowed: ['other'] }, { acl: { sharing: 'user' } }]) {
      const app = toolsApp();
      await connect(app, 'one', { type: 'ISSUE_TRACKER', details, acl: EVERYBODY });
      const args = { arguments: { text: 'hi' } };
      expect((await callTool(app, args)).status).to.equal(200);
      const { answer } = app.peers;
      app.peers.answer = async (...asked) => {
        await app.call('maker', 'PUT', '/mcp_connection', { name: 'one', ...change });
        return answer(...asked);
      };
      app.peers.accepted = new Set(['access-1']);
      app.peers.calls.length = 0;
      expect((await callTool(app, args)).json.error_code).to.equal('auth_failed');
      expect([app.peers.calls, app.peers.refreshes.length]).to.deep.equal([[], 1]);
    }
  });

  it('repeats a call only after a 401, with a new token', async () => {
    const app: MemoryApp = toolsApp();
    await connect(app, 'one', { type: 'ISSUE_TRACKER', details, acl: EVERYBODY });
    const args = { arguments: { text: 'hi' } };
    expect((await callTool(app, args)).status).to.equal(200);
    const before = app.peers.refreshes.length;
    app.peers.accepted = new Set([`access-${before + 1}`]);
    app.peers.calls.length = 0;
    app.peers.targets.length = 0;
    app.peers.result = () => ({ content: [{ type: 'text', text: `by ${app.peers.targets.at(-1)?.token}` }] });
    const again = await callTool(app, args);
    // The new token is masked as well.
    // So short a token is not masked.
    expect([again.status, again.json.result?.content[0].text]).to.deep.equal([200, `by access-${before + 1}`]);
    expect([app.peers.calls.length, app.peers.targets.length, app.peers.refreshes.length - before]).to.deep.equal([
      1, 2, 1,
    ]);
    app.peers.accepted = new Set();
    app.peers.targets.length = 0;
    app.peers.result = () => ({ content: [] });
    const { json } = await callTool(app, args);
    expect([json.error_code, app.peers.calls.length, app.peers.targets.length]).to.deep.equal(['auth_failed', 1, 2]);
  });
});
