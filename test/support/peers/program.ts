import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, type Peer } from './listen.ts';

/**
 * A server that is a program of its own, once it listens.
 * @param argumentsFor its arguments, for a free port
 */
export async function startProgram(
  program: string,
  argumentsFor: (port: number) => readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Peer> {
  const port = await freePort();
  // In a group, with the programs that it starts.
  const child = spawn(program, argumentsFor(port), {
    stdio: 'ignore',
    detached: true,
    env: { ...process.env, ...env },
  });
  const exited = once(child, 'exit');
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}`);
    const socket = connect(port, '127.0.0.1');
    const isOpen = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'close').then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (isOpen) break;
    await sleep(200);
  }
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async close() {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
      await exited;
    },
  };
}
