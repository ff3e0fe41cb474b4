import type { HostSlot, HostSlots } from '../../adapters/hostSlots.ts';
import { Fault } from '../../contract/codes/faults.ts';
import { integerSetting } from '../../contract/settings/integerSetting.ts';
import type { Log } from '../../ports/platform/log.ts';
import type { Settings } from '../../ports/stores/settings.ts';
import type { Admission } from '../../rest/requestScope.ts';

const WAIT_MS = 3000;

/** Slow upstreams must leave drivers for requests that need none, so few requests may wait for them. */
export function createAdmission(settings: Settings, log: Log): Admission {
  let entering: Promise<HostSlot> | undefined;
  const take = async (): Promise<HostSlot> => {
    const count = integerSetting(await settings.recent(), 'outbound', 'max_waiting', log);
    const slot = await (await openHostSlots('waiting')).take(count, WAIT_MS);
    if (slot) return slot;
    const message = 'Too many requests are waiting for slow servers. Try again in a moment.';
    throw new Fault('busy', message, { retry_after: 1 });
  };
  return {
    async enter() {
      entering ??= take();
      await entering;
    },
    leave() {
      entering?.then(
        (slot) => slot.release(),
        () => {},
      );
    },
  };
}

/**
 * The processes of one installation on this machine share the slots of a name. Loaded at the first call to keep the start fast.
 */
export async function openHostSlots(name: string): Promise<HostSlots> {
  const home = process.env.SPLUNK_HOME;
  if (home === undefined) throw new Fault('store_unavailable', 'SPLUNK_HOME is not set.');
  const { HostSlots } = await import('../../adapters/hostSlots.ts');
  // A folder for each account: one that was made by root would be closed to the account that splunkd runs as later.
  return new HostSlots(`${home}/var/run/ml_extension.${process.getuid?.()}`, name);
}
