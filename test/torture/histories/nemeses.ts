import type { Random } from '../../support/random.ts';
import type { Site } from '../site/site.ts';

/** Injects a fault and reverts it. */
export interface Nemesis {
  name: string;
  harm(site: Site, random: Random): Promise<void>;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
/** Longer than a write lease lives. */
const BEYOND_LEASE_MS = 11_500;

const killDriver: Nemesis = {
  name: 'driver killed',
  async harm(site, random) {
    site.signal(random.pick(site.driverPids()) ?? 0, 'SIGKILL');
  },
};

/** Goes on in the background: a process that sleeps through its lease, while others go on. */
const stopDriver: Nemesis = {
  name: 'driver stopped beyond its lease',
  async harm(site, random) {
    const pid = random.pick(site.driverPids()) ?? 0;
    site.signal(pid, 'SIGSTOP');
    setTimeout(() => site.signal(pid, 'SIGCONT'), BEYOND_LEASE_MS + random.below(1500));
  },
};

const killPlatform: Nemesis = {
  name: 'platform killed',
  async harm(site, random) {
    const drivers = site.driverPids();
    await site.platform.kill9();
    // Stopped drivers would not see the end of their input.
    for (const pid of drivers) site.signal(pid, 'SIGCONT');
    await pause(random.below(500));
    await site.startAgain();
  },
};

const stopPlatform: Nemesis = {
  name: 'platform stopped',
  async harm(site, random) {
    const { pid } = site.platform;
    site.signal(pid, 'SIGSTOP');
    await pause(500 + random.below(1500));
    site.signal(pid, 'SIGCONT');
  },
};

const killMember: Nemesis = {
  name: 'member killed',
  async harm(site, random) {
    site.signal(random.pick(site.memberPids()) ?? 0, 'SIGKILL');
    await pause(1000 + random.below(4000));
  },
};

const stopMember: Nemesis = {
  name: 'member stopped',
  async harm(site, random) {
    const pid = random.pick(site.memberPids()) ?? 0;
    site.signal(pid, 'SIGSTOP');
    await pause(500 + random.below(random.chance(0.2) ? BEYOND_LEASE_MS : 3000));
    site.signal(pid, 'SIGCONT');
  },
};

function store(name: 'kvstore' | 'passwords', mode: (random: Random) => string): Nemesis {
  return {
    name: `${name} ${mode({ below: () => 0 } as unknown as Random).replace(/:.*/, '')}`,
    async harm(site, random) {
      const form = { [name]: mode(random) };
      const vias = [...site.bases.keys()];
      await Promise.all(vias.map((via) => site.faults(form, via)));
      await pause(500 + random.below(2000));
      await Promise.all(vias.map((via) => site.faults({ [name]: 'ok' }, via)));
    },
  };
}

const STORES = (['kvstore', 'passwords'] as const).flatMap((name) => [
  store(name, () => 'down'),
  store(name, () => 'read_only'),
  store(name, (random) => `slow:${40 + random.below(400)}`),
]);
const RESETS = ['reset', 'reset_after'].map((mode) => store('kvstore', (random) => `${mode}:${5 + random.below(30)}`));

/** The faults that the site's platform supports. */
export async function nemesesFor(site: Site): Promise<Nemesis[]> {
  const known: Nemesis[] = [killDriver, killDriver, stopDriver, ...STORES];
  known.push(...(site.members > 1 ? [killMember, stopMember] : [killPlatform, stopPlatform]));
  for (const [index, mode] of ['reset:5', 'reset_after:5'].entries()) {
    const nemesis = RESETS[index];
    if (nemesis && (await site.faults({ kvstore: mode }))) known.push(nemesis, nemesis);
  }
  await site.faults({ kvstore: 'ok', passwords: 'ok' });
  return known;
}
