import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { patience } from '../support/time.ts';
import { block, start } from './driver.ts';
import { packet, request } from './peer.ts';

const send = async (...chunks: Buffer[]) => {
  const driver = start();
  for (const chunk of chunks) driver.write(chunk);
  return driver.end();
};

describe('driver process, as built', () => {
  let splunkd: Server;
  let rest_uri: string;
  let delay = 0;
  before(async () => {
    // As much of the platform as a caller's identity and the settings need.
    splunkd = createServer((incoming, outgoing) => {
      const path = incoming.url ?? '';
      const content = { username: 'u', roles: ['user'], capabilities: ['edit_agent_connections'] };
      const entries = path.includes('current-context') ? [{ name: 'context', content }] : [];
      const answer = path.includes('/storage/collections/data/') ? [] : { entry: entries };
      incoming.resume();
      setTimeout(() => outgoing.end(JSON.stringify(answer)), delay);
    });
    await once(splunkd.listen(0, '127.0.0.1'), 'listening');
    rest_uri = `http://127.0.0.1:${(splunkd.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    delay = 0;
  });
  after(() => {
    splunkd.closeAllConnections();
    splunkd.close();
  });

  it('ends with 0 and says nothing when its input ends', async () => {
    expect(await send()).to.deep.equal({ code: 0, frames: [], stderr: '' });
    expect(await send(Buffer.from('\n\n'))).to.deep.equal({ code: 0, frames: [], stderr: '' });
  });

  it('answers several packets with two frames each, and nothing else stands on stdout', async () => {
    const asked = [request(block({})), Buffer.from('\n'), packet(0x07, block({}), '\n'), packet(0x0f, block({}))];
    const { code, frames: found } = await send(Buffer.concat(asked));
    expect(code).to.equal(0);
    expect(found).to.have.length(6);
    for (const index of [0, 2, 4]) expect(found[index]).to.equal('');
    for (const index of [1, 3, 5]) {
      const { status, payload } = JSON.parse(found[index] ?? '');
      expect([status, payload.error_code]).to.deep.equal([404, 'unknown_endpoint']);
    }
  });

  it('answers an anonymous call with the words of the platform', async () => {
    const { frames: found } = await send(request({ rest_path: '/ml/health' }));
    expect(JSON.parse(found[1] ?? '')).to.deep.equal({
      status: 401,
      payload: { messages: [{ type: 'WARN', text: 'call not properly authenticated' }] },
      headers: [['Content-Type', 'application/json; charset=UTF-8']],
    });
  });

  it('answers 503 when the platform cannot be reached, and lives on', async () => {
    const away = block({ rest_path: '/ml/mcp_connection', server: { rest_uri: 'http://127.0.0.1:1' } });
    const { code, frames: found } = await send(request(away), request(block({})));
    expect(code).to.equal(0);
    const { status, payload } = JSON.parse(found[1] ?? '');
    expect([status, payload.error_code]).to.deep.equal([503, 'store_unavailable']);
    expect(JSON.parse(found[3] ?? '').status).to.equal(404);
  });

  it('writes the reply of a request that runs while its input ends', async () => {
    delay = 300;
    const { code, frames: found } = await send(
      request(block({ rest_path: '/ml/ml_feature_flags', server: { rest_uri } })),
    );
    expect(code).to.equal(0);
    const { status, payload } = JSON.parse(found[1] ?? '');
    expect([status, payload.status, payload.flags.mcp_connections]).to.deep.equal([200, 'success', true]);
  });

  it('ends at once though connections are kept open', async () => {
    const driver = start();
    driver.write(request(block({ rest_path: '/ml/ml_feature_flags', server: { rest_uri } })));
    await driver.frames(2);
    const started = performance.now();
    expect((await driver.end()).code).to.equal(0);
    expect(performance.now() - started).to.be.lessThan(patience(2000));
  });

  it('tells a peer that breaks the protocol in one line on stderr, and ends with another code than 0', async () => {
    const { code, stderr } = await send(request(block({})).subarray(0, -3));
    expect(code).to.be.a('number').and.not.equal(0);
    expect(stderr).to.match(/^protocol error: [^\n]+\n$/);
  });

  it('ends on SIGTERM while it waits', async () => {
    const driver = start();
    driver.write(request(block({})));
    await driver.frames(2);
    const closed = once(driver.child, 'close');
    driver.child.kill('SIGTERM');
    const [code] = await closed;
    expect(code).to.equal(0);
  });

  it('writes what failed to stderr in lines of JSON, with no token in them', async () => {
    const { stderr } = await send(
      request(block({ session: { user: 'u', authtoken: 'canary-session' }, system_authtoken: 'canary-system' })),
    );
    const lines = stderr.trim().split('\n');
    for (const line of lines) expect(JSON.parse(line)).to.include.keys('level', 'event');
    expect(stderr).not.to.include('canary');
  });

  it('goes on when nobody reads its log any more, and ends with its input', async () => {
    const driver = start();
    driver.write(request(block({ rest_path: '/ml/one' })));
    await driver.frames(2);
    driver.child.stderr.destroy();
    for (let n = 2; n <= 4; n++) {
      // Each refusal is a line of the log.
      driver.write(request(block({ rest_path: '/ml/more' })));
      await driver.frames(2 * n);
    }
    const before = cpuSeconds(driver.child.pid);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(cpuSeconds(driver.child.pid) - before, 'CPU seconds of an idle second').to.be.below(0.3);
    expect((await driver.end()).code).to.equal(0);
  });
});

/** Used so far, from the kernel's own books; its ticks are hundredths of a second. */
function cpuSeconds(pid: number | undefined): number {
  const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const fields = rest.split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
