import { readFileSync } from 'node:fs';

export function isAlive(pid: number | undefined): boolean {
  try {
    // A zombie still accepts signals.
    return pid !== undefined && !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
