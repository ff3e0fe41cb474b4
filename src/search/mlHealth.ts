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
import { command, expectBody, type Output, pagesOf, SearchError, type SearchInfo } from './command.ts';
import type { Row } from './rows.ts';

interface HealthQuery {
  family: ConnectionFamily | undefined;
  state: HealthState | undefined;
  /** Undefined: no tests. */
  maxAgeS: number | undefined;
}

const DAY_S = 86_400;
const FIELDS = ['_time', ...HEALTH_FIELDS];

/** `| mlhealth`: one row for each connection, for alerts by saved searches. */
export const mlHealth = command({
  name: 'mlhealth',
  kind: 'generating',
  arguments: {
    family: choice(CONNECTION_FAMILIES, 'only connections of this family'),
    state: choice(HEALTH_STATES, 'only connections in this state'),
    check: boolean('first test the connections that you may test'),
    max_age: wholeSeconds(
      0,
      MAX_AGE_S.most,
      `with check=true: skip connections tested within this many seconds; default ${MAX_AGE_S.default}`,
    ),
  },
  fields: FIELDS,
  help: {
    summary: 'Shows the health of the connections of the Machine Learning Extension.',
    description: [
      'One row for each connection that you may read: state and reason, last test, first credential expiry, and its users.',
      `With check=true it first tests, for at most 25 s, connections that you may test and that were not tested within max_age (${MAX_AGE_S.default}) seconds.`,
      `expiring: a credential expires within ${EXPIRING_DAYS} days, or 80 % of a usage limit is used.`,
    ].join(' '),
    examples: [
      {
        search: '| mlhealth check=true | where state="failing" OR state="reauth_required"',
        comment: 'Test all connections and show the failing ones.',
      },
      { search: '| mlhealth state=expiring', comment: 'Show connections with a credential that expires soon.' },
    ],
    tags: 'connection ai health expiry alert',
  },
  prepare({ family, state, check = false, max_age }) {
    if (max_age !== undefined && !check) throw new SearchError('max_age needs check=true');
    const query = { family, state, maxAgeS: check ? (max_age ?? MAX_AGE_S.default) : undefined };
    return {
      fields: FIELDS,
      async *generate(info, { health, clock }) {
        yield* rowsOf(await health(info), clock, query, info);
      },
    };
  },
});

/** An entry of the endpoints' lists. */
interface Health {
  state: string;
  last_test: { status?: string; error_code?: string | null; tested_at?: number; response_time_ms?: number };
  expires_at?: number;
  drift?: { added: string[]; removed: string[]; changed: string[] };
  unaccepted?: string[];
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
  info: SearchInfo,
): AsyncGenerator<Output> {
  let offset: number | null = 0;
  while (offset !== null) {
    const answer = maxAgeS === undefined ? await health.list(family, offset) : await health.check(family, maxAgeS);
    const { result = [], pagination, warnings = [] } = expectBody('connections', answer) as Page;
    const next: number | null = pagination?.next_offset ?? null;
    const rows = result
      .filter((connection) => state === undefined || connection.state === state)
      .map((connection) => flat(connection, clock.now()));
    const messages = warnings.map((text) => ['WARN', `mlhealth: ${text}`] as const);
    yield* pagesOf(rows, info, { messages, last: next === null });
    offset = next;
  }
}

function flat({ last_test, expires_at, drift, unaccepted, used_by, checked, ...texts }: Health, now: number): Row {
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
    unaccepted: unaccepted?.join(', '),
    used_by: used_by.join(', '),
    checked: checked === undefined ? '' : Number(checked),
  };
  const cells = HEALTH_FIELDS.map((field) => [field, cell(values[field])] as const);
  return { _time: (now / 1000).toFixed(3), ...Object.fromEntries(cells) };
}

const cell = (value: unknown): string | number => (typeof value === 'number' || typeof value === 'string' ? value : '');
