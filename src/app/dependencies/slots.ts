import { Fault } from '../../contract/codes/faults.ts';
import { setting } from '../../contract/settings/settings.ts';
import type { Slot, Slots } from '../../gateway/use/use.ts';
import type { Settings } from '../../ports/stores/settings.ts';
import { openPlaces } from './admission.ts';

/** Slots of `[gateway] max_concurrent`, shared by all processes of the installation on this machine. */
export function gatewaySlots(settings: Settings): Slots {
  return {
    async take(user): Promise<Slot> {
      const count = await number(settings, 'max_concurrent', 16, 1000);
      const { createHash } = process.getBuiltinModule('node:crypto');
      const id = createHash('sha256').update(user).digest('hex').slice(0, 16);
      const own = await (await openPlaces(`slots/${id}`)).take(Math.max(1, Math.floor(count / 2)), 0);
      if (!own) throw refused(`You have ${Math.max(1, Math.floor(count / 2))} requests under way, which is half of all.`);
      const slot = await (await openPlaces('slots')).take(count, 0);
      if (!slot) {
        own.release();
        throw refused(`${count} requests are under way on this machine, which is the maximum.`);
      }
      return {
        release() {
          slot.release();
          own.release();
        },
      };
    },
    deadlineMs: async () => 1000 * (await number(settings, 'deadline_s', 120, 600)),
  };
}

const refused = (why: string): Fault =>
  new Fault('too_many_requests', `${why} Try again in a moment.`, { retry_after: 1 });

async function number(
  settings: Settings,
  name: 'max_concurrent' | 'deadline_s',
  preset: number,
  most: number,
): Promise<number> {
  const value = Number(setting(await settings.recent(), 'gateway', name) ?? preset);
  return Number.isInteger(value) && value >= 1 && value <= most ? value : preset;
}
