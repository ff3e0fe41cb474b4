import {
  CONNECTION_FAMILIES,
  type ConnectionFamily,
  EXPIRING_DAYS,
  HEALTH_FIELDS,
  HEALTH_STATES,
  type HealthState,
  MAX_AGE_S,
} from '../contract/families/connectionHealth.ts';
import type { Clock } from '../ports/platform/clock.ts';
import type { HealthApi } from '../ports/platform/ownApi.ts';
import { boolean, choice, wholeSeconds } from './argumentTypes.ts';
import { generating, type Output, SearchError } from './command.ts';
import { expected } from './ownAnswers.ts';
import type { Row } from './rows.ts';

interface HealthQuery {
  family: ConnectionFamily | undefined;
  state: HealthState | undefined;
  /** Undefined: nothing is tested. */
  maxAgeS: number | undefined;
}

const DAY_S = 86_400;

/** `| mlhealth`: how connections are, one a row, so that a saved search can tell somebody. */
export const mlHealth = generating({
  name: 'mlhealth',
  arguments: {
    family: choice(CONNECTION_FAMILIES, 'connections of this family alone'),
    state: choice(HEALTH_STATES, 'connections in this state alone'),
    check: boolean('test first those that you may test'),
    max_age: wholeSeconds(
      MAX_AGE_S.most,
      `with check=true: leaves alone what was tested in the last so many seconds; ${MAX_AGE_S.default} unless given`,
    ),
  },
  fields: ['_time', ...HEALTH_FIELDS],
  help: {
    summary: 'Tells how the connections of the Machine Learning Extension are.',
    description: [
      'A row for each connection that you may read: its state and why, its last test, when the first of its credentials ends, and what uses it.',
      `With check=true those that you may test are tested first, for at most 25 s, unless they were in the last max_age (${MAX_AGE_S.default}) seconds.`,
      `expiring: a credential ends within ${EXPIRING_DAYS} days.`,
    ].join(' '),
    examples: [
      {
        search: '| mlhealth check=true | where state="failing" OR state="reauth_required"',
        comment: 'Test all connections, and show those that fail.',
      },
      { search: '| mlhealth state=expiring', comment: 'Show the connections with a credential that ends soon.' },
    ],
    tags: 'connection ai health expiry alert',
  },
  prepare({ family, state, check = false, max_age }) {
    if (max_age !== undefined && !check) throw new SearchError('max_age needs check=true');
    const query = { family, state, maxAgeS: check ? (max_age ?? MAX_AGE_S.default) : undefined };
    return async function* (info, { health, clock }) {
      yield* rowsOf(await health(info), clock, query, info.maxRows);
    };
  },
});

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
  { family, state, maxAgeS }: HealthQuery,
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
