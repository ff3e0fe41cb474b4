import { parseBoolean, type Stanza } from '../../confs/conf.ts';
import { PlatformError } from '../../http/reply.ts';
import { expandMacros } from '../../search/language/macros.ts';
import { parseSearch } from '../../search/pipeline/spl.ts';
import { timeBound } from '../../search/pipeline/times.ts';
import { parseCron } from '../runs/cron.ts';
import { ENDPOINT_NAMES } from './entry.ts';
import { durationSeconds, isOn, listOf, ttlSeconds } from './savedSearch.ts';

/** Values of `counttype` that are compared with `quantity`. */
const COUNTS: readonly string[] = ['number of events', 'number of hosts', 'number of sources'];
const RELATIONS: readonly string[] = ['greater than', 'less than', 'equal to', 'not equal to', 'drops by', 'rises by'];

const NUMBERS = ['auto_cancel', 'auto_pause', 'buckets', 'max_count', 'max_time'].map((name) => `dispatch.${name}`);

/** A refusal in the words of splunkd's handler. */
export function refusedSearch(text: string, status = 400): PlatformError {
  return new PlatformError(status, `In handler 'savedsearch': ${text}`);
}

/** Refuses settings with which a saved search could not run. @param now epoch milliseconds */
export function checkSearch(keys: Stanza, now: number): void {
  if ((keys.search ?? '').trim() === '')
    throw new PlatformError(400, 'The following required arguments are missing: search.');
  for (const key of ['disabled', 'enableSched', 'alert.digest_mode']) checkBoolean(keys, key);
  if ((keys['alert.suppress'] ?? '') !== '') checkBoolean(keys, 'alert.suppress');
  checkDispatch(keys, now);
  checkSchedule(keys);
  checkCondition(keys);
  checkSuppression(keys);
  if (!/^[1-6]$/.test(keys['alert.severity'] ?? '3')) throw invalid(keys, 'alert.severity');
}

/** Refuses settings with which a saved search could not be dispatched. @param now epoch milliseconds */
export function checkDispatch(keys: Stanza, now: number): void {
  checkTimes(keys, now);
  for (const key of NUMBERS) if (!/^\d{0,9}$/.test(keys[key]?.trim() ?? '')) throw invalid(keys, key);
  if (keys['dispatch.ttl'] !== undefined && ttlSeconds(keys['dispatch.ttl'], 1) === undefined)
    throw invalid(keys, 'dispatch.ttl');
}

function checkBoolean(keys: Stanza, key: string): void {
  if (parseBoolean(keys[key] ?? '0') === undefined) throw invalid(keys, key);
}

function checkTimes(keys: Stanza, now: number): void {
  const bounds = ['dispatch.earliest_time', 'dispatch.latest_time'].map((key) => {
    const text = keys[key]?.trim() ?? '';
    if (text === '') return undefined;
    if (text.startsWith('rt')) throw refusedSearch('Real time searches cannot be executed by the scheduler');
    try {
      return timeBound(key, text, now);
    } catch {
      throw refusedSearch(`Cannot parse time argument '${key}': '${text}'.`);
    }
  });
  const [earliest, latest] = bounds;
  if (earliest !== undefined && latest !== undefined && earliest >= latest)
    throw refusedSearch('Latest time must be after earliest time.');
}

function checkSchedule(keys: Stanza): void {
  const cron = keys.cron_schedule?.trim() ?? '';
  if (cron === '' && isOn(keys, 'enableSched')) throw refusedSearch('No cron schedule specified.');
  if (cron !== '' && parseCron(cron) === undefined) throw refusedSearch(`Invalid cron_schedule="${cron}".`);
}

function checkCondition(keys: Stanza): void {
  const type = keys.counttype?.trim() ?? 'always';
  const condition = keys.alert_condition?.trim() ?? '';
  if (!['always', 'custom', ...COUNTS].includes(type)) throw invalid(keys, 'counttype');
  if (COUNTS.includes(type)) {
    if (!RELATIONS.includes(keys.relation?.trim() ?? '')) throw invalid(keys, 'relation');
    if (!/^\d{1,15}%?$/.test(keys.quantity?.trim() ?? '')) throw invalid(keys, 'quantity');
  }
  if (type === 'custom' && condition === '') throw refusedSearch('Missing required argument: alert_condition.');
  if (condition === '') return;
  try {
    parseSearch(expandMacros(condition, { find: () => undefined, evaluate: () => undefined }));
  } catch (error) {
    throw refusedSearch(`Cannot parse alert condition. ${(error as Error).message}`);
  }
}

function checkSuppression(keys: Stanza): void {
  if (!isOn(keys, 'alert.suppress')) return;
  const period = keys['alert.suppress.period']?.trim() ?? '';
  if (period === '') throw refusedSearch('Missing required argument: alert.suppress.period.');
  if (durationSeconds(period) === undefined) throw invalid(keys, 'alert.suppress.period');
  if (!isOn(keys, 'alert.digest_mode') && listOf(keys['alert.suppress.fields']).length === 0)
    throw refusedSearch('Missing required argument: alert.suppress.fields.');
}

function invalid(keys: Stanza, key: string): PlatformError {
  return refusedSearch(`Invalid ${ENDPOINT_NAMES[key] ?? key}="${keys[key] ?? ''}".`);
}
