import { CAPABILITIES, required } from '../contract/capabilities.ts';
import { allCodes, CODES, TOPICS, type Topic } from '../contract/codes/codes.ts';
import type { TableRow } from './bundle/compile.ts';

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
    ...allCodes().map(({ status, code, when, remedy }) => `| ${status || '–'} | \`${code}\` | ${when} | ${remedy} |`),
    '',
  ].join('\n');
}

const BEGIN = '<!-- codes: ';
const END = '<!-- end of codes -->';

/**
 * Replaces the generated tables of codes in the handwritten troubleshooting page.
 * @param page the current page
 */
export function troubleshootingMd(page: string): string {
  const [head = '', ...parts] = page.split(BEGIN);
  const made = parts.map((part) => {
    const topic = part.slice(0, part.indexOf(' -->')) as Topic;
    return `${topic} -->\n\n${codeTable(topic)}\n\n${part.slice(part.indexOf(END))}`;
  });
  const missing = TOPICS.filter((topic) => !made.some((part) => part.startsWith(`${topic} -->`)));
  if (missing.length > 0) throw new Error(`troubleshooting.md has no table of ${missing.join(', ')}`);
  return [head, ...made].join(BEGIN);
}

const codeTable = (topic: Topic): string =>
  [
    '| code | what happened | what to do |',
    '|---|---|---|',
    ...Object.entries(CODES)
      .filter(([, about]) => about.topic === topic)
      .map(([code, { when, remedy, see }]) => `| \`${code}\` | ${when} | ${remedy}${see ? ` [More](${see}).` : ''} |`),
  ].join('\n');
