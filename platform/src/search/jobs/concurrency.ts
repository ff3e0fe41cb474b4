import { availableParallelism } from 'node:os';
import { mergedConf } from '../../apps/apps.ts';
import type { HostedApp } from '../../apps/hostedApp.ts';
import { parseBoolean } from '../../confs/conf.ts';

/** The quotas of one of a caller's roles; 0 or less is no limit. */
export interface RoleQuota {
  role: string;
  jobs: number;
  /** For the users of the role together. */
  cumulative: number;
}

/** `[search]` of limits.conf. */
export interface SearchLimits {
  /** Searches that run at a time. */
  instance: number;
  isCumulative: boolean;
  /** Whether searches of normal mode wait where a limit is reached. */
  queues: boolean;
}

/** A search that runs, with the role whose cumulative quota it uses. */
export interface RunningSearch {
  owner: string;
  role: string | undefined;
}

/** The limit that keeps a search from running now, in splunkd's words. */
export interface Refusal {
  text: string;
  /** `concurrency_context` of splunkd's message. */
  context: string;
  usage: number;
  limit: number;
}

export function searchLimits(apps: readonly HostedApp[]): SearchLimits {
  const { search = {} } = mergedConf(apps, 'limits');
  const number = (name: string, usual: number) => {
    const value = Number(search[name]);
    return search[name] !== undefined && Number.isInteger(value) && value >= 0 ? value : usual;
  };
  return {
    instance: number('base_max_searches', 6) + number('max_searches_per_cpu', 1) * availableParallelism(),
    isCumulative: parseBoolean(search.enable_cumulative_quota) ?? false,
    queues: parseBoolean(search.default_allow_queue) ?? true,
  };
}

export function refusalOf(
  owner: string,
  quotas: readonly RoleQuota[],
  limits: SearchLimits,
  running: readonly RunningSearch[],
): Refusal | undefined {
  if (running.length >= limits.instance) {
    const text = 'The maximum number of concurrent historical searches on this instance has been reached.';
    return { text, context: 'instance-wide', usage: running.length, limit: limits.instance };
  }
  const usage = running.filter((search) => search.owner === owner).length;
  const limit = quotas.some(({ jobs }) => jobs <= 0) ? undefined : Math.max(...quotas.map(({ jobs }) => jobs));
  if (limit !== undefined && quotas.length > 0 && usage >= limit) {
    const text = `This search could not be dispatched because the role-based concurrency limit of historical searches for user "${owner}" has been reached (usage=${usage}, quota=${limit}).`;
    return { text, context: 'user_instance-wide', usage, limit };
  }
  return cumulativeRefusal(quotas, limits, running);
}

function isUnlimited(quotas: readonly RoleQuota[], limits: SearchLimits): boolean {
  return !limits.isCumulative || quotas.length === 0 || quotas.some(({ cumulative }) => cumulative <= 0);
}

/** The role whose cumulative quota a search uses: the one with the largest quota of those that have room. */
export function chargedRole(
  quotas: readonly RoleQuota[],
  limits: SearchLimits,
  running: readonly RunningSearch[],
): string | undefined {
  if (isUnlimited(quotas, limits)) return undefined;
  const used = (name: string) => running.filter(({ role }) => role === name).length;
  return [...quotas].sort((a, b) => b.cumulative - a.cumulative).find(({ role, cumulative }) => used(role) < cumulative)
    ?.role;
}

function cumulativeRefusal(
  quotas: readonly RoleQuota[],
  limits: SearchLimits,
  running: readonly RunningSearch[],
): Refusal | undefined {
  if (isUnlimited(quotas, limits) || chargedRole(quotas, limits, running) !== undefined) return undefined;
  const largest = [...quotas].sort((a, b) => b.cumulative - a.cumulative)[0];
  if (largest === undefined) return undefined;
  const { role, cumulative: limit } = largest;
  const usage = running.filter((search) => search.role === role).length;
  const text = `The maximum number of concurrent historical searches for the role=${role} has been reached. quota=${limit} usage=${usage}.`;
  return { text, context: 'role_instance-wide', usage, limit };
}

/** The text of a refused dispatch. */
export function notExecuted({ text, context, usage, limit }: Refusal): string {
  return `Search not executed: ${text}, concurrency_category="historical", concurrency_context="${context}", current_concurrency=${usage}, concurrency_limit=${limit}`;
}
