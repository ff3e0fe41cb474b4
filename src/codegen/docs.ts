import { CAPABILITIES, required } from '../contract/capabilities.ts';
import { allCodes, CODES, TOPICS, type Topic } from '../contract/codes/codes.ts';
import { REASONS, RIGHTS_REASONS, STORE_REASONS } from '../contract/codes/reasons.ts';
import { RUN_CODES } from '../contract/codes/runCodes.ts';
import { ROOMS } from '../rooms.ts';
import type { TableRow } from './bundle/compile.ts';
import { commandKinds } from './spl/commandTable.ts';

const HEAD = '<!-- Generated from the endpoint table (npm run generate). -->\n';

export function endpointsMd(rows: readonly TableRow[]): string {
  const families = [...new Set(rows.map((row) => row.family))];
  return [
    HEAD,
    '# Endpoints',
    '',
    'Every path exists below `/services` and below `/servicesNS/{owner}/ml_extension`; replies are JSON.',
    'Fields, statuses and error codes of each operation: `openapi.json`.',
    '',
    ...families.flatMap((family) => [
      `## ${family}`,
      '',
      '| method | path | operation | capability |',
      '|---|---|---|---|',
      ...rows.filter((row) => row.family === family).map(endpointLine),
      '',
    ]),
    '## Capabilities',
    '',
    '| capability | needed to | role ml_user |',
    '|---|---|---|',
    ...Object.entries(CAPABILITIES).map(([name, row]) => `| \`${name}\` | ${row.for} | ${row.user ? 'yes' : ''} |`),
    '',
  ].join('\n');
}

function endpointLine({ method, path, id, gate }: TableRow): string {
  const or = typeof gate === 'object' && 'any' in gate ? ' or ' : ' and ';
  const capability = required(gate).map((name) => `\`${name}\``);
  return `| ${method} | \`${path.replace('...}', '}')}\` | \`${id}\` | ${capability.join(or)} |`;
}

export function errorsMd(): string {
  return [
    HEAD,
    '# Error codes',
    '',
    'A failure is `{"status":"fail","message","error_code","remedy","request_id","messages":[{"type":"ERROR","text"}], …}`.',
    'Connection tests that fail answer 200 with `status: "fail"` and one of the codes of servers outside.',
    "A 401 has the platform's own body. The codes with 502, 504 and 429 are failures of a server outside.",
    '',
    '| HTTP | error_code | when | remedy |',
    '|---|---|---|---|',
    ...allCodes().map(({ status, code, when, remedy }) => `| ${status} | \`${code}\` | ${when} | ${remedy} |`),
    '',
    'Runs of agents and their steps carry further codes, which have no status:',
    '',
    '| error_code | when | remedy |',
    '|---|---|---|',
    ...Object.entries(RUN_CODES).map(([code, { when, remedy }]) => `| \`${code}\` | ${when} | ${remedy} |`),
    '',
    '## Reasons',
    '',
    'Of `reason` of a failed start, of `status_reason` of a container, and of `error_code` of the last test of a container',
    'connection. `remedy` is that of the reason. Reasons beside these are error codes.',
    '',
    reasonTable(REASONS),
    '',
    'Of `reason` of `store_unavailable` and of GET /ml/health. Only a failure with `retry_after` passes by itself; the others have',
    '`should_retry: false`. A store that is not available for another reason has none.',
    '',
    reasonTable(STORE_REASONS),
    '',
    'Of `reason` of `missing_capability`:',
    '',
    reasonTable(RIGHTS_REASONS),
    '',
  ].join('\n');
}

const BEGIN = '<!-- codes: ';
const END = '<!-- end of codes -->';
const REASON_TABLES = { reasons: REASONS, 'store reasons': STORE_REASONS, 'rights reasons': RIGHTS_REASONS };
type ReasonTopic = keyof typeof REASON_TABLES;
const isReasonTopic = (topic: string): topic is ReasonTopic => Object.hasOwn(REASON_TABLES, topic);

/**
 * Replaces the generated tables of codes in the handwritten troubleshooting page.
 * @param page the current page
 */
export function troubleshootingMd(page: string): string {
  const topics: string[] = [];
  const filled = withTables(page, BEGIN, END, (topic) => {
    topics.push(topic);
    return isReasonTopic(topic) ? reasonTable(REASON_TABLES[topic]) : codeTable(topic as Topic);
  });
  const missing = [...TOPICS, ...Object.keys(REASON_TABLES)].filter((topic) => !topics.includes(topic));
  if (missing.length > 0) throw new Error(`troubleshooting.md has no table of ${missing.join(', ')}`);
  return filled;
}

/** Replaces each generated table between `begin`, its name and ` -->`, and `end`. @throws Error without an end */
function withTables(page: string, begin: string, end: string, tableOf: (name: string) => string): string {
  const [head = '', ...parts] = page.split(begin);
  const made = parts.map((part) => {
    const name = part.slice(0, part.indexOf(' -->'));
    const after = part.indexOf(end);
    if (after < 0) throw new Error(`${begin}${name} --> has no ${end}`);
    return `${name} -->\n\n${tableOf(name)}\n\n${part.slice(after)}`;
  });
  return [head, ...made].join(begin);
}

const codeTable = (topic: Topic): string =>
  [
    '| code | what happened | what to do |',
    '|---|---|---|',
    ...Object.entries(CODES)
      .filter(([, about]) => about.topic === topic)
      .map(([code, { when, remedy, see }]) => `| \`${code}\` | ${when} | ${remedy}${see ? ` [More](${see}).` : ''} |`),
  ].join('\n');

const reasonTable = (reasons: Readonly<Record<string, { when: string; remedy: string }>>): string =>
  [
    '| reason | what happened | what to do |',
    '|---|---|---|',
    ...Object.entries(reasons).map(([reason, { when, remedy }]) => `| \`${reason}\` | ${when} | ${remedy} |`),
  ].join('\n');

const ROOMS_BEGIN = '<!-- rooms';
const ROOMS_END = '<!-- end of rooms -->';

/** Replaces the generated table of rooms in a handwritten page. @param page the current page */
export function withRooms(page: string): string {
  if (page.split(ROOMS_BEGIN).length !== 2) throw new Error(`a page needs one ${ROOMS_BEGIN} -->`);
  return withTables(page, ROOMS_BEGIN, ROOMS_END, roomTable);
}

const roomTable = (): string =>
  [
    '| below `src/` | purpose | imports |',
    '|---|---|---|',
    ...Object.entries(ROOMS).map(
      ([room, { purpose, mayImport }]) => `| \`${room}\` | ${purpose} | ${mayImport.join(', ') || 'nothing'} |`,
    ),
  ].join('\n');

const COMMANDS_BEGIN = '<!-- commands';
const COMMANDS_END = '<!-- end of commands -->';

/** Replaces the generated table of commands in the page of the guard. @param page the current page */
export const withCommands = (page: string): string => withTables(page, COMMANDS_BEGIN, COMMANDS_END, commandKinds);
