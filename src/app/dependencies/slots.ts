import type { HostSlots } from '../../adapters/hostSlots.ts';
import { Fault } from '../../contract/codes/faults.ts';
import { integerSetting } from '../../contract/settings/integerSetting.ts';
import { HeldSlot, type Slot } from '../../domain/locks/heldSlot.ts';
import type { Slots } from '../../metering/requestSlot.ts';
import type { Log } from '../../ports/platform/log.ts';
import type { Settings } from '../../ports/stores/settings.ts';
import type { Admission } from '../../rest/requestScope.ts';

const OUTBOUND_WAIT_MS = 3000;

/** The slots of this machine, shared by all processes of the installation. */
export function machineSlots(settings: Settings, log: Log): Slots & { takeOutbound(): Promise<Slot> } {
  return {
    /** Slow upstreams must leave drivers for requests that need none, so few requests may wait for them. @throws Fault `busy` */
    async takeOutbound() {
      const count = integerSetting(await settings.recent(), 'outbound', 'max_waiting', log);
      const slot = await takeSlot('waiting', count, OUTBOUND_WAIT_MS);
      return slot ?? refuse('busy', 'Too many requests are waiting for slow servers.');
    },
    async take(user) {
      const count = integerSetting(await settings.recent(), 'gateway', 'max_concurrent', log);
      const most = Math.max(1, Math.floor(count / 2));
      const own = await takeSlot(`slots/${shortHash(user)}`, most);
      if (!own) refuse('too_many_requests', `You have ${most} requests under way, which is the maximum for one user.`);
      const slot = await takeSlot('slots', count);
      if (!slot) {
        own.release();
        refuse('too_many_requests', `${count} requests are under way on this machine, which is the maximum.`);
      }
      return {
        release() {
          slot.release();
          own.release();
        },
      };
    },
    takeWaiting: async () =>
      takeSlot('slots/waiting', integerSetting(await settings.recent(), 'agents', 'max_waiting', log)),
    async deadlineMs(limit) {
      const values = await settings.recent();
      const secondsOf = (name: 'deadline_s' | 'long_deadline_s') => integerSetting(values, 'gateway', name, log);
      if (limit === 'usual') return 1000 * secondsOf('deadline_s');
      return 1000 * Math.min(limit === 'long' ? Number.POSITIVE_INFINITY : limit, secondsOf('long_deadline_s'));
    },
  };
}

function refuse(code: 'busy' | 'too_many_requests', why: string): never {
  throw new Fault(code, `${why} Try again in a moment.`, { retry_after: 1 });
}

/** Searches of one user at a time, on one machine: with a worker of a run they fit the usual quota of a role. */
const SEARCHES_OF_A_USER = 2;

export const takeSearchSlot = (user: string): Promise<Slot | undefined> =>
  takeSlot(`searches/${shortHash(user)}`, SEARCHES_OF_A_USER);

/** Names of users may have any characters. */
const shortHash = (user: string): string =>
  process.getBuiltinModule('node:crypto').createHash('sha256').update(user).digest('hex').slice(0, 16);

/** Admission of a request below `/ml`. */
export function createAdmission(settings: Settings, log: Log): Admission {
  const slots = machineSlots(settings, log);
  const held = new HeldSlot();
  return { enter: () => held.enter(slots.takeOutbound), leave: () => held.leave() };
}

/**
 * Takes one of `count` slots, which all processes share that use the name.
 * @returns undefined if all are taken
 */
export async function takeSlot(name: string, count: number, waitMs = 0): Promise<Slot | undefined> {
  return (await hostSlots()).take(name, count, waitMs);
}

let loaded: Promise<HostSlots> | undefined;

/** Loaded at the first call to keep the start fast; kept, since it looks at its folder when it is made. */
function hostSlots(): Promise<HostSlots> {
  const home = process.env.SPLUNK_HOME;
  if (home === undefined) throw new Fault('store_unavailable', 'SPLUNK_HOME is not set');
  // A folder for each account: one that was made by root would be closed to the account that splunkd runs as later.
  const folder = `${home}/var/run/ml_extension.${process.getuid?.()}`;
  loaded ??= import('../../adapters/hostSlots.ts').then(({ HostSlots }) => new HostSlots(folder));
  return loaded;
}
