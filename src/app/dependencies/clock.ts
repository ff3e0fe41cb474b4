import type { Clock, HostClock } from '../../ports/platform/clock.ts';

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const timer = setTimeout(done, ms);
      signal?.addEventListener('abort', stop, { once: true });
      function done(): void {
        signal?.removeEventListener('abort', stop);
        resolve();
      }
      function stop(): void {
        clearTimeout(timer);
        reject(signal?.reason);
      }
    }),
};

let boot: string | undefined;

/** Changes at each boot, which also resets the monotonic clock. */
function bootId(): string {
  if (boot === undefined) {
    try {
      // An import would load node:fs at every start.
      boot = process.getBuiltinModule('node:fs').readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    } catch {
      // Not Linux: no other process can share this clock.
      boot = globalThis.crypto.randomUUID();
    }
  }
  return boot;
}

/** @param id of the member of the cluster, since several may run on one machine */
export function hostClock(id: string): HostClock {
  const member = id.replaceAll(/[^A-Za-z0-9-]/g, '-');
  return {
    ...systemClock,
    monotonic: () => Number(process.hrtime.bigint() / 1_000_000n),
    get domain() {
      return `${bootId()}.${member}`;
    },
    member,
  };
}
