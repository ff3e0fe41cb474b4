import type { ConnectionHealth, Container, ResourceFamily } from '../../../client/src/index.ts';
import { NEARLY_USED } from '../../../src/contract/families/usageLimits.ts';
import { ml } from '../../api/client.ts';
import { queries } from '../../api/queries.ts';
import { remedyOfAgent } from '../../api/reasons.ts';
import type { Tone } from '../../parts/text/Badge.tsx';
import { HEALTH_STATES } from '../../parts/text/HealthBadge.tsx';
import { shareOf, statedIn } from '../usage/limits/words.tsx';

/** A record that needs attention. */
export interface Concern {
  family: ResourceFamily;
  /** The name in the view of the record. */
  name: string;
  state: string;
  tone: Tone;
  reason: string;
  code?: string;
  remedy?: string;
  /** Epoch seconds of the last test. */
  testedAt?: number;
  /** The connection that a check tests. */
  check?: ConnectionHealth;
}

/** At most this many of each kind; the lists have the rest. */
const MOST = 100;
const MOST_NAMES = 5;

export const stateWords = (state: ConnectionHealth['state']): string => HEALTH_STATES[state][0];

const isHealthy = ({ state }: ConnectionHealth): boolean => state === 'ok' || state === 'untested';
const driftOf = ({ drift }: ConnectionHealth): number =>
  drift ? drift.added.length + drift.removed.length + drift.changed.length : 0;

const hasToolNews = (health: ConnectionHealth): boolean => driftOf(health) > 0 || (health.unaccepted ?? []).length > 0;

function ofConnection(health: ConnectionHealth): Concern {
  const { family, type, last_test, reason, error_code: code, remedy, unaccepted = [] } = health;
  const [state, tone]: readonly [string, Tone] = isHealthy(health)
    ? [unaccepted.length > 0 ? 'tools not accepted' : 'tools changed', 'warning']
    : HEALTH_STATES[health.state];
  // Container connections of different types can share a name.
  const name =
    family === 'container-connections' && !health.name.includes('/') ? `${type}/${health.name}` : health.name;
  const { added = [], removed = [], changed = [] } = health.drift ?? {};
  const drift = `Tools since the last listing: ${added.length} new, ${removed.length} removed, ${changed.length} changed.`;
  const waiting = `Tools that wait for acceptance: ${unaccepted.slice(0, MOST_NAMES).join(', ')}${unaccepted.length > MOST_NAMES ? ` and ${unaccepted.length - MOST_NAMES} more` : ''}.`;
  const reasons = [
    isHealthy(health) ? '' : reason,
    driftOf(health) > 0 ? drift : '',
    unaccepted.length > 0 ? waiting : '',
  ];
  return {
    ...{ family, name, state, tone, check: health },
    reason: reasons.filter(Boolean).join(' '),
    ...(isHealthy(health) ? {} : { code }),
    remedy,
    testedAt: last_test.tested_at,
  };
}

/** The most pressing first. */
export async function connectionConcerns(signal: AbortSignal): Promise<Concern[]> {
  const query = { sort_key: 'state', count: MOST } as const;
  const { result } = await ml.call('listConnectionHealth', { query }, { signal });
  return result.filter((health) => !isHealthy(health) || hasToolNews(health)).map(ofConnection);
}

/** The user's own limits of which little is left. */
export async function limitConcerns(signal: AbortSignal): Promise<Concern[]> {
  const { result } = await ml.call('getOwnUsageLimits', {}, { signal });
  return result.flatMap((limit) => {
    const share = Math.max(...statedIn(limit.left).map((quantity) => shareOf(quantity, limit)));
    if (share < NEARLY_USED) return [];
    const [state, tone] = HEALTH_STATES[share < 1 ? 'expiring' : 'failing'];
    const reason = `${Math.floor(share * 100)} % of this ${limit.window} is used.`;
    return [{ family: 'usage_limits', name: limit.name, state, tone, reason }];
  });
}

/** Counts and failures share one read. */
const FRESH_MS = 10_000;

/** Sorted so that failed agents come first. */
export const agentsNow = () =>
  queries.fetchQuery({
    queryKey: ['overview', 'agents'],
    queryFn: ({ signal }) =>
      ml.call('listAgents', { query: { sort_key: 'state', sort_dir: 'desc', count: MOST } }, { signal }),
    staleTime: FRESH_MS,
    retry: false,
  });

/** This call reaches every engine and every application. */
export const containersNow = () =>
  queries.fetchQuery({
    queryKey: ['overview', 'containers'],
    queryFn: async ({ signal }) => (await ml.call('getContainerData', {}, { signal })).config,
    staleTime: FRESH_MS,
    retry: false,
  });

export async function agentConcerns(): Promise<Concern[]> {
  const { result = [] } = await agentsNow();
  return result.flatMap((agent) => {
    const { name, state, state_reason = '', error_code: code } = agent;
    const remedy = remedyOfAgent(agent);
    if (remedy === undefined) return [];
    return [{ family: 'agents', name, state, tone: 'error', reason: state_reason, code, remedy }];
  });
}

const BROKEN_CONTAINERS: readonly Container['status'][] = ['Failed', 'Unreachable'];

export async function containerConcerns(): Promise<Concern[]> {
  return Object.entries(await containersNow())
    .filter(([, { status }]) => BROKEN_CONTAINERS.includes(status))
    .map(([name, { status, status_message, remedy }]) => ({
      ...{ family: 'containers', name, state: status, tone: 'error', reason: status_message },
      remedy: remedy || undefined,
    }));
}
