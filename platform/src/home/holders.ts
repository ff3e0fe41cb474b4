import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';

/** The LISTEN state in /proc/net/tcp. */
const LISTEN = '0A';
const LONGEST = 160;

/**
 * The process that listens on a port: `process 4711 (node main.ts) in ~/clone`. @returns undefined for another user's
 * process, or outside Linux
 */
export function holderOfPort(port: number): string | undefined {
  const inodes = new Set(['tcp', 'tcp6'].flatMap((name) => listeners(name, port)));
  if (inodes.size === 0) return undefined;
  const pid = numbers('/proc').find((each) =>
    numbers(`/proc/${each}/fd`).some((fd) => {
      const [, inode = ''] = /^socket:\[(\d+)\]$/.exec(link(`/proc/${each}/fd/${fd}`) ?? '') ?? [];
      return inodes.has(inode);
    }),
  );
  return pid === undefined ? undefined : describe(pid);
}

/** The process that holds a lock on a file, in the same form. */
export function holderOfLock(file: string): string | undefined {
  const inode = stat(file);
  for (const line of text('/proc/locks').split('\n')) {
    const [, pid, lockedInode] = /^\d+: \w+ +\w+ +WRITE (\d+) [\da-f]+:[\da-f]+:(\d+) /.exec(line) ?? [];
    if (pid !== undefined && lockedInode === inode) return describe(pid);
  }
  return undefined;
}

function listeners(name: string, port: number): string[] {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  return text(`/proc/net/${name}`)
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => local?.endsWith(`:${hex}`) && state === LISTEN)
    .flatMap(([, , , , , , , , , inode]) => inode ?? []);
}

function describe(pid: string): string {
  const command = text(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim().slice(0, LONGEST);
  const folder = link(`/proc/${pid}/cwd`);
  return `process ${pid}${command === '' ? '' : ` (${command})`}${folder === undefined ? '' : ` in ${folder}`}`;
}

const numbers = (folder: string): string[] =>
  attempt(() => readdirSync(folder).filter((name) => /^\d+$/.test(name))) ?? [];
const link = (path: string): string | undefined => attempt(() => readlinkSync(path));
const text = (path: string): string => attempt(() => readFileSync(path, 'utf8')) ?? '';
const stat = (path: string): string | undefined => attempt(() => String(statSync(path).ino));

/** Processes may exit meanwhile or belong to another user. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
