import type { ConnectionHealth } from '../../../client/src/index.ts';
import { StateBadge, type Tone } from './Badge.tsx';

export const HEALTH_STATES: Readonly<Record<ConnectionHealth['state'], readonly [words: string, tone: Tone]>> = {
  reauth_required: ['sign in again', 'error'],
  failing: ['failing', 'error'],
  expiring: ['expiring soon', 'warning'],
  untested: ['not tested yet', 'outline'],
  ok: ['works', 'success'],
};

export function HealthBadge({ state }: Pick<ConnectionHealth, 'state'>) {
  const [words, tone] = HEALTH_STATES[state];
  return <StateBadge tone={tone}>{words}</StateBadge>;
}
