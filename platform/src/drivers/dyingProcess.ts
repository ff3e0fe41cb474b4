import { readFileSync } from 'node:fs';

const SIGKILL_BIT = 1 << 8;
const PF_EXITING = 0x4;
/** The signal was taken, but the process has not begun to exit. */
const PF_SIGNALED = 0x400;

/**
 * True if a process was killed but its exit is not yet reported, which takes a few milliseconds; a request sent to it
 * would be lost. Linux only, elsewhere always false.
 */
export function isDying(pid: number | undefined): boolean {
  if (process.platform !== 'linux' || pid === undefined) return false;
  try {
    // The first thread's own entry, since the one of the process sums up all threads and is slower.
    const stat = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'latin1');
    // The name in parentheses may contain anything, so count fields after it: state 0, flags 6, signals 28.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const exiting = (Number(fields[6]) & (PF_EXITING | PF_SIGNALED)) !== 0 || (Number(fields[28]) & SIGKILL_BIT) !== 0;
    return exiting || /^[ZX]/.test(fields[0] ?? '');
  } catch {
    return true;
  }
}
