import { gzipSync } from 'node:zlib';

export const KEY = 'canary-session-key-0123456789';

/** A payload as splunkd writes it for a saved search; `undefined` leaves a member out. */
export const payloadOf = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
  app: 'search',
  owner: 'alice',
  results_file: '/nonexistent/results.csv.gz',
  results_link: 'https://sh1:8000/app/search/@go?sid=scheduler__alice__search__RMD5aa_at_1790000000_7',
  search_uri: '/servicesNS/alice/search/saved/searches/Failed+logins',
  server_host: 'sh1',
  server_uri: 'https://127.0.0.1:8089',
  session_key: KEY,
  sid: 'scheduler__alice__search__RMD5aa_at_1790000000_7',
  search_name: 'Failed logins',
  configuration: { agent: 'triage', input: 'Look into {user}' },
  result: { user: 'bob', src: ['192.0.2.7', '192.0.2.8'], count: '12', _time: '1790000000', _bkt: 'main~1~x' },
  ...more,
});

/** What the four callers of an alert action send. @param server_uri of the management port */
export const callers = (server_uri: string): Record<string, Record<string, unknown>> => ({
  'a saved search': payloadOf({ server_uri }),
  '| sendalert': payloadOf({
    server_uri,
    sid: '1790000000.12',
    search_name: '',
    search_uri: '',
    results_file: '/nonexistent/sendalert_temp_results.csv.gz',
    configuration: { agent: 'triage', _cam: '{}' },
  }),
  'Enterprise Security, ad hoc': payloadOf({
    server_uri,
    sid: 1790000000.5,
    search_name: null,
    result: { user: 'bob', rid: '3', orig_sid: 'scheduler__x', orig_rid: '0' },
  }),
  'IT Service Intelligence': payloadOf({ server_uri, owner: 'system', app: 'itsi', configuration: {}, result_id: 4 }),
});

/** Rows as splunkd writes them for an action: gzip, a twin `__mv_` for each field. */
export function resultsFile(
  rows: readonly Record<string, string | readonly string[]>[],
  fields: readonly string[],
): Buffer {
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const lines = rows.map((row) => [
    ...fields.map((name) => quoted([row[name] ?? ''].flat().join('\n'))),
    ...fields.map((name) => {
      const cell = row[name];
      return quoted(Array.isArray(cell) ? cell.map((value) => `$${value.replaceAll('$', '$$$$')}$`).join(';') : '');
    }),
  ]);
  const header = [...fields, ...fields.map((name) => `__mv_${name}`)].map(quoted);
  return gzipSync([header, ...lines].map((cells) => `${cells.join(',')}\n`).join(''));
}
