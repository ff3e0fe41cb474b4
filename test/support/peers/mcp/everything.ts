import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort, type Peer } from '../listen.ts';

const ENTRY = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'));

/** The reference server of the protocol's authors: the session era (`/mcp`) or HTTP+SSE (`/sse`), in its own process. */
export async function startEverything(mode: 'streamableHttp' | 'sse'): Promise<Peer> {
  const port = await freePort();
  const child = spawn(process.execPath, [ENTRY, mode], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(child, 'exit');
  let output = '';
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`server-everything ended with ${code}: ${output}`)));
    child.stderr.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (/port \d+/.test(output)) resolve();
    });
  });
  return {
    url: `http://127.0.0.1:${port}${mode === 'sse' ? '/sse' : '/mcp'}`,
    async close() {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await exited;
    },
  };
}
