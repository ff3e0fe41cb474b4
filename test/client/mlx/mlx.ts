import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { project } from '../../support/e2e/build.ts';

export const MLX = join(project, 'client/src/cli/mlx.ts');

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** The command as somebody types it; nobody sits at a terminal. @param started is told how to send it a signal */
export async function mlx(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  started: (kill: (signal: NodeJS.Signals) => void) => void = () => undefined,
): Promise<Ended> {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  const child = spawn(process.execPath, [MLX, ...args], {
    env: { PATH, NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started((signal) => child.kill(signal));
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, stdout, stderr };
}
