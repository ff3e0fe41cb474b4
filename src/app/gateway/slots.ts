import { Fault } from '../../contract/codes/faults.ts';
import { integerSetting } from '../../contract/settings/integerSetting.ts';
import type { Slot, Slots } from '../../metering/requestSlot.ts';
import type { Log } from '../../ports/platform/log.ts';
import type { Settings } from '../../ports/stores/settings.ts';
import { openHostSlots } from '../dependencies/admission.ts';

/** Slots of `[gateway] max_concurrent`, shared by all processes of the installation on this machine. */
export function gatewaySlots(settings: Settings, log: Log): Slots {
  const number = async (name: 'max_concurrent' | 'deadline_s') =>
    integerSetting(await settings.recent(), 'gateway', name, log);
  return {
    async take(user): Promise<Slot> {
      const count = await number('max_concurrent');
      const { createHash } = process.getBuiltinModule('node:crypto');
      const id = createHash('sha256').update(user).digest('hex').slice(0, 16);
      const most = Math.max(1, Math.floor(count / 2));
      const own = await (await openHostSlots(`slots/${id}`)).take(most, 0);
      if (!own) throw refused(`You have ${most} requests under way, which is the maximum for one user.`);
      const slot = await (await openHostSlots('slots')).take(count, 0);
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
    async takeWaitingPlace() {
      const count = integerSetting(await settings.recent(), 'agents', 'max_waiting', log);
      return (await openHostSlots('slots/waiting')).take(count, 0);
    },
    deadlineMs: async () => 1000 * (await number('deadline_s')),
  };
}

const refused = (why: string): Fault =>
  new Fault('too_many_requests', `${why} Try again in a moment.`, { retry_after: 1 });
