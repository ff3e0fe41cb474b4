import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { testedApp } from '../support/e2e/build.ts';
import { frames } from './peer.ts';

/** The driver as the platform starts it. */
export function start(env: Record<string, string> = {}) {
  const launcher = join(testedApp(), 'bin/ml_rest.sh');
  const child = spawn(launcher, { cwd: '/', env: { PATH: process.env.PATH, LD_LIBRARY_PATH: '/nonexistent', ...env } });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on('data', (chunk) => out.push(chunk));
  child.stderr.on('data', (chunk) => err.push(chunk));
  child.stdin.on('error', () => {});
  const stdout = () => Buffer.concat(out);
  return {
    child,
    stdout,
    write: (bytes: Buffer) => child.stdin.write(bytes),
    /** Waits until this many frames are there. */
    async frames(count: number): Promise<string[]> {
      for (;;) {
        try {
          const found = frames(stdout());
          if (found.length >= count) return found;
        } catch {
          // Not whole yet.
        }
        await once(child.stdout, 'data');
      }
    },
    async end() {
      child.stdin.end();
      const [code] = child.exitCode === null ? await once(child, 'close') : [child.exitCode];
      return { code, frames: frames(stdout()), stderr: Buffer.concat(err).toString('utf8') };
    },
  };
}

/** A request of an authenticated user. */
export const block = (more: object) => ({
  method: 'GET',
  rest_path: '/ml/nothing',
  session: { user: 'u', authtoken: 'T' },
  system_authtoken: 'S',
  ...more,
});
