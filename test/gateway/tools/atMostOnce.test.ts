import { expect } from 'chai';
import type { MemoryApp } from '../../support/memory/app.ts';
import { startCutter } from '../../support/peers/cutter.ts';
import { startEverything } from '../../support/peers/everything.ts';
import type { Peer } from '../../support/peers/listen.ts';
import { startModern } from '../../support/peers/modern.ts';
import { Peers } from '../../support/peers/peers.ts';
import { callTool, connect, EVERYBODY, toolsApp, urlOf } from './toolsApp.ts';

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
      const args = { arguments: { message: 'hi' } };
      // The listing is kept, and what the first contact shows of the server is stored.
      for (let n = 0; n < 2; n += 1) {
        cutter.cutAfter(Number.POSITIVE_INFINITY);
        const { status, json } = await callTool(app, args);
        expect([status, cutter.calls], JSON.stringify(json)).to.deep.equal([200, 1]);
      }
      const whole = cutter.bytes;
      const seen = new Map<string, number>();
      const step = Math.ceil(whole / CUTS);
      for (let at = 0; at < whole; at += step) {
        cutter.cutAfter(at);
        const { status, json } = await callTool(app, args);
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

  it('repeats a call only after a 401, with a new token', async () => {
    const app: MemoryApp = toolsApp();
    const details = {
      ...{ url: urlOf('tracker'), token: 'token-0', client_id: 'c', refresh_token: 'refresh-0' },
      ...{ is_auto_refresh_enabled: true, token_url: 'https://auth.example/token' },
    };
    await connect(app, 'one', { type: 'ISSUE_TRACKER', details, acl: EVERYBODY });
    const args = { arguments: { text: 'hi' } };
    expect((await callTool(app, args)).status).to.equal(200);
    const before = app.peers.refreshes.length;
    app.peers.accepted = new Set([`access-${before + 1}`]);
    app.peers.calls.length = 0;
    app.peers.targets.length = 0;
    expect((await callTool(app, args)).status).to.equal(200);
    expect([app.peers.calls.length, app.peers.targets.length, app.peers.refreshes.length - before]).to.deep.equal([
      1, 2, 1,
    ]);
    app.peers.accepted = new Set();
    app.peers.targets.length = 0;
    const { json } = await callTool(app, args);
    expect([json.error_code, app.peers.calls.length, app.peers.targets.length]).to.deep.equal(['auth_failed', 1, 2]);
  });
});
