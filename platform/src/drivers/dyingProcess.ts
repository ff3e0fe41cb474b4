import { readFileSync } from 'node:fs';

const SIGKILL_BIT = 1 << 8;
const PF_EXITING = 0x4;
/** Between the two: the signal is taken, and the process, which may have to wait for a processor, has not begun to end. */
const PF_SIGNALED = 0x400;

/**
 * True for a process that was killed but whose end is not told yet, which takes a few milliseconds. A request given to
 * it would be lost without need. Known on Linux only; elsewhere always false.
 */
export function isDying(pid: number | undefined): boolean {
  if (process.platform !== 'linux' || pid === undefined) return false;
  try {
    // The first thread's own entry: the one of the process adds up all threads and takes longer.
    const stat = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'latin1');
    // The name in parentheses may hold anything, so fields are counted from behind it: state 0, flags 6, signals 28.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const exiting = (Number(fields[6]) & (PF_EXITING | PF_SIGNALED)) !== 0 || (Number(fields[28]) & SIGKILL_BIT) !== 0;
    return exiting || /^[ZX]/.test(fields[0] ?? '');
  } catch {
    return true;
  }
}
