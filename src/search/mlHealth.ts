import {
  CONNECTION_FAMILIES,
  type ConnectionFamily,
  HEALTH_ARGUMENTS,
  HEALTH_FIELDS,
  HEALTH_STATES,
  type HealthState,
  MAX_AGE_S,
} from '../contract/connectionHealth.ts';
import { confBoolean } from '../contract/flags.ts';
import type { Clock } from '../ports/clock.ts';
import type { HealthApi } from '../ports/healthApi.ts';
import { parseArguments, shown } from './arguments.ts';
import { type Command, type Output, SearchError, type SearchInfo } from './command.ts';
import { expected } from './ownAnswers.ts';
import type { Row } from './rows.ts';

export interface HealthParts {
  health(info: SearchInfo): Promise<HealthApi>;
  clock: Clock;
}

interface Wanted {
  family: ConnectionFamily | undefined;
  state: HealthState | undefined;
  /** Undefined: nothing is tested. */
  maxAgeS: number | undefined;
}

const DAY_S = 86_400;

/** `| mlhealth`: how connections are, one a row, so that a saved search can tell somebody. */
export function mlHealthCommand({ health, clock }: HealthParts): Command {
  return {
    configuration: { type: 'stateful', generating: true },
    fields: ['_time', ...HEALTH_FIELDS],
    prepare(text) {
      const wanted = wantedOf(parseArguments(text, HEALTH_ARGUMENTS));
      return async function* (info) {
        yield* rowsOf(await health(info), clock, wanted, info.maxRows);
      };
    },
  };
}

function wantedOf(args: ReadonlyMap<string, string>): Wanted {
  const checks = args.get('check');
  const isCheck = checks === undefined ? false : confBoolean(checks);
  if (isCheck === undefined) throw new SearchError(`check must be true or false, not ${shown(checks ?? '')}`);
  const age = args.get('max_age');
  if (age !== undefined && !isCheck) throw new SearchError('max_age needs check=true');
  if (age !== undefined && !(/^\d{1,8}$/.test(age) && Number(age) <= MAX_AGE_S.most))
    throw new SearchError(`max_age must be a whole number of seconds from 0 to ${MAX_AGE_S.most}`);
  return {
    family: oneOf('family', args.get('family'), CONNECTION_FAMILIES),
    state: oneOf('state', args.get('state'), HEALTH_STATES),
    maxAgeS: isCheck ? Number(age ?? MAX_AGE_S.default) : undefined,
  };
}

function oneOf<T extends string>(name: string, text: string | undefined, known: readonly T[]): T | undefined {
  if (text === undefined) return undefined;
  const found = known.find((one) => one === text.toLowerCase());
  if (found === undefined) throw new SearchError(`Unknown ${name} ${shown(text)}: use ${known.join(', ')}`);
  return found;
}

/** A row as the endpoints answer it. */
interface Health {
  state: string;
  last_test: { status?: string; error_code?: string | null; tested_at?: number; response_time_ms?: number };
  expires_at?: number;
  drift?: { added: string[]; removed: string[]; changed: string[] };
  used_by: string[];
  checked?: boolean;
  [text: string]: unknown;
}

interface Page {
  result?: Health[];
  pagination?: { next_offset: number | null };
  warnings?: string[];
}

async function* rowsOf(
  health: HealthApi,
  clock: Clock,
  { family, state, maxAgeS }: Wanted,
  maxRows: number,
): AsyncGenerator<Output> {
  let offset: number | null = 0;
  while (offset !== null) {
    const answer = maxAgeS === undefined ? await health.list(family, offset) : await health.check(family, maxAgeS);
    const { result = [], pagination, warnings = [] } = expected('connections', answer) as Page;
    const next: number | null = pagination?.next_offset ?? null;
    const rows = result
      .filter((one) => state === undefined || one.state === state)
      .map((one) => flat(one, clock.now()));
    const messages = warnings.map((text) => ['WARN', `mlhealth: ${text}`] as const);
    for (let at = 0; at === 0 || at < rows.length; at += maxRows) {
      const last = next === null && at + maxRows >= rows.length;
      yield { rows: rows.slice(at, at + maxRows), last, ...(at === 0 ? { messages } : {}) };
    }
    offset = next;
  }
}

function flat({ last_test, expires_at, drift, used_by, checked, ...texts }: Health, now: number): Row {
  const days = expires_at === undefined ? '' : Math.floor(((expires_at - now / 1000) / DAY_S) * 10) / 10;
  const values: Record<(typeof HEALTH_FIELDS)[number], unknown> = {
    ...(texts as Record<'family' | 'name' | 'type' | 'state' | 'reason' | 'error_code' | 'remedy', unknown>),
    last_test_status: last_test.status,
    last_test_error_code: last_test.error_code,
    tested_at: last_test.tested_at,
    response_time_ms: last_test.response_time_ms,
    expires_at,
    expires_in_days: days,
    drift_added: drift?.added.length,
    drift_removed: drift?.removed.length,
    drift_changed: drift?.changed.length,
    used_by: used_by.join(', '),
    checked: checked === undefined ? '' : Number(checked),
  };
  const cells = HEALTH_FIELDS.map((field) => [field, cell(values[field])] as const);
  return { _time: (now / 1000).toFixed(3), ...Object.fromEntries(cells) };
}

const cell = (value: unknown): string | number => (typeof value === 'number' || typeof value === 'string' ? value : '');
