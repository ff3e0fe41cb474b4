import { readdirSync, readFileSync } from 'node:fs';

/** Living children of a process. */
export function childrenOf(parent: number): number[] {
  const found: number[] = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const [state, ppid] = statOf(Number(name));
    if (Number(ppid) === parent && state !== 'Z') found.push(Number(name));
  }
  return found.sort((a, b) => a - b);
}

/** Empty for a process that has ended. */
export function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

function statOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
  } catch {
    // It ended while we looked.
    return [];
  }
}

/** Whether a process was started by the platform of this data folder: its environment or its command says so. */
export function isOf(pid: number, home: string): boolean {
  try {
    return ['environ', 'cmdline'].some((file) => readFileSync(`/proc/${pid}/${file}`, 'utf8').includes(home));
  } catch {
    // It has ended.
    return false;
  }
}
