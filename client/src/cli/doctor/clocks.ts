import { fails, holds, notAsked } from './verdict.ts';
import type { Check, Visit } from './visit.ts';

/** More than a call takes, less than token validation tolerates. */
const MOST_S = 60;
const REMEDY = 'Synchronize the clocks by NTP. Otherwise expiry dates and test times are wrong.';

export const clock: Check = {
  name: 'clock',
  needs: ['platform'],
  async run({ platformClock, appClock }: Visit) {
    if (!platformClock) return notAsked('the platform does not tell the time');
    const differences = [
      ['the platform', platformClock],
      ["the app's process", appClock],
    ] as const;
    const parts: string[] = [];
    for (const [who, clock] of differences) {
      if (!clock) continue;
      const seconds = Math.round((clock.says - clock.at) / 1000);
      if (Math.abs(seconds) > MOST_S)
        return fails(`The clock of ${who} is ${spoken(seconds)} of this machine's`, REMEDY);
      parts.push(`${who} ${spoken(seconds)}`);
    }
    return holds(`${parts.join(', ')} of this machine's`);
  },
};

const spoken = (seconds: number) =>
  Math.abs(seconds) <= 1 ? 'within a second' : `${Math.abs(seconds)} s ${seconds > 0 ? 'ahead' : 'behind'}`;
