import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import { type Peer, startHttp } from '../../support/peers/listen.ts';
import { startEverything } from '../../support/peers/mcp/everything.ts';
import { startModern } from '../../support/peers/mcp/modern.ts';
import { startBreaking, startHuge, startPaging, startSilent, startSse } from '../../support/peers/mcp/scripted.ts';
import { patience } from '../../support/time.ts';

const SOURCE = new URL('../../../src/', import.meta.url).href;

/** A process that does nothing but one listing: it must end by itself, with nothing on its streams but our line on stderr. */
const SCRIPT = `
const { createOutbound } = await import('${SOURCE}adapters/outbound/outbound.ts');
const { createMcpClient } = await import('${SOURCE}adapters/mcp/mcpClient.ts');
const { startDeadline } = await import('${SOURCE}domain/async/deadline.ts');
const [url, transportHint, ms] = process.argv.slice(1);
const deadline = startDeadline(Number(ms));
const target = { url, verifyTls: true, token: 'the-token', transportHint: transportHint || undefined };
const found = await createMcpClient(createOutbound({ allowPrivate: true })).listTools(target, deadline);
process.stderr.write(JSON.stringify({ code: found.error?.code ?? null, tools: found.tools.length, at: Date.now() }));
`;

async function listInProcess(url: string, hint: string, ms: number) {
  const args = ['--unhandled-rejections=strict', '--input-type=module', '-e', SCRIPT, url, hint, String(ms)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { PATH: process.env.PATH } });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const kill = setTimeout(() => child.kill('SIGKILL'), 2 * patience(15_000));
  const [exitCode] = await once(child, 'close');
  clearTimeout(kill);
  const ended = Date.now();
  const line = stderr.startsWith('{')
    ? (JSON.parse(stderr) as { code: string | null; tools: number; at: number })
    : undefined;
  return { exitCode, stdout, stderr, line, lingered: ended - (line?.at ?? 0) };
}

describe('MCP: a process that lists tools', () => {
  const peers: Peer[] = [];
  after(async () => {
    await Promise.all(peers.map((peer) => peer.close()));
  });

  const cases: [string, () => Promise<Peer>, string, number, string | null][] = [
    ['2026-07-28', () => startModern(), '', 5000, null],
    ['sessions', () => startEverything('streamableHttp'), '', 5000, null],
    ['SSE', () => startEverything('sse'), 'sse', 5000, null],
    ['many pages', () => startPaging(60), '', 5000, null],
    ['silence', () => startSilent(), '', 300, 'timeout'],
    ['silence over SSE', () => startSilent(), 'sse', 300, 'timeout'],
    ['an event stream without endpoint', () => startSse(null), 'sse', 2500, 'upstream_error'],
    ['a huge event', () => startHuge(9, true), '', 5000, 'upstream_error'],
    ['a broken answer', () => startBreaking(true), '', 5000, 'connection_reset'],
    ['a silent page', () => startHttp((_request, response) => response.write('<html>')), '', 400, null],
  ];

  for (const [name, start, hint, ms, code] of cases) {
    it(`ends at once and writes nothing to stdout: ${name}`, async () => {
      const peer = await start();
      peers.push(peer);
      const done = await listInProcess(peer.url, hint, code === 'timeout' ? ms : patience(ms));
      expect(done.line, done.stderr).not.to.equal(undefined);
      expect(done.exitCode).to.equal(0);
      expect(done.stdout).to.equal('');
      if (name !== 'a silent page') expect(done.line?.code).to.equal(code);
      expect(done.lingered, 'milliseconds from the answer to the end').to.be.below(patience(700));
    });
  }
});
