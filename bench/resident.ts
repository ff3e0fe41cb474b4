import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** What a bare runtime takes that has nothing to do, in MiB. */
export async function idleRuntime(): Promise<number> {
  const child = spawn(process.execPath, ['-e', 'setInterval(()=>{},1e6)'], { stdio: 'ignore' });
  await sleep(300);
  const size = residentMiB(child.pid ?? 0);
  child.kill();
  return size;
}

/** The memory of a process that is in use, in MiB. */
export function residentMiB(pid: number): number {
  const line = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(line?.[1]) / 1024;
}
