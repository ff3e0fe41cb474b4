import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { project } from '../support/e2e/build.ts';

export const MLX = join(project, 'client/src/cli/mlx.ts');

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** The command as somebody types it; nobody sits at a terminal. */
export async function mlx(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [MLX, ...args], { env: { PATH, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
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
