import { isObject, MASK } from '../../contract/basics.ts';
import { invalid, type Problem } from '../../contract/codes/faults.ts';
import { certificateProblem } from '../../domain/net/certificates.ts';
import { headerProblem, MAX_HEADERS } from '../../domain/net/headerValues.ts';
import { plainUrlProblem } from '../../domain/net/url.ts';
import {
  type HeaderMap,
  headerCountProblems,
  headerProblems,
  tooManyHeaders,
} from '../../domain/secrets/secretHeaders.ts';
import { type SecretChange, secretsAfter } from '../../domain/secrets/secrets.ts';
import type { McpFields } from './merge.ts';
import type { McpStored } from './records.ts';

const TRACKER_ONLY = [
  'client_id',
  'client_secret',
  'refresh_token',
  'is_auto_refresh_enabled',
  'token_url',
  'scope',
] as const;

export const HEADERS: HeaderMap = {
  prefix: 'details/headers/',
  field: 'details.headers',
  nameOf: (path) => path.slice('details/headers/'.length),
};

/** Names that belong to the token and to MCP. */
const OF_MCP = /^(authorization|mcp-.*|last-event-id)$/i;

/** Bounds the work of the merge. @throws Fault `validation_failed` */
export function assertFewHeaders({ details }: McpFields): void {
  if (!isObject(details) || !isObject(details.headers)) return;
  const submitted = Object.values(details.headers).filter((value) => value !== null && value !== '' && value !== MASK);
  if (submitted.length > MAX_HEADERS) throw invalid([tooManyHeaders(HEADERS)]);
}

export function problemsOf({ type, details }: Pick<McpStored, 'type' | 'details'>, secrets: SecretChange): Problem[] {
  const { submitted } = secrets;
  const secretFields = secretsAfter(secrets);
  const problems: Problem[] = [];
  const add = (field: string, message: string | undefined) => {
    if (message) problems.push({ field: `details.${field}`, message });
  };
  add('url', plainUrlProblem(details.url));
  if (details.token_url) add('token_url', plainUrlProblem(details.token_url));
  add('ca_certificate', certificateProblem(details.ca_certificate));
  add('token', headerProblem(submitted['details/token']));
  if (type === 'PLATFORM') {
    for (const field of TRACKER_ONLY) {
      const isSet = field in details || secretFields.includes(`details/${field}`);
      if (isSet) add(field, 'is only for connections of the type ISSUE_TRACKER');
    }
  } else if (details.is_auto_refresh_enabled) {
    if (!details.client_id) add('client_id', 'is required for automatic token refresh');
    if (!secretFields.includes('details/refresh_token'))
      add('refresh_token', 'is required for automatic token refresh');
  }
  return [
    ...problems,
    ...headerCountProblems(HEADERS, secrets),
    ...headerProblems(HEADERS, submitted, (name) => OF_MCP.test(name)),
  ];
}
