import { isObject, MASK } from '../../contract/basics.ts';
import { invalid, type Problem } from '../../contract/codes/faults.ts';
import { certificateProblem } from '../../domain/net/certificates.ts';
import {
  HEADER_NAME_PATTERN,
  headerProblem,
  LONGEST_HEADER_NAME,
  MAX_HEADERS,
  MAX_SECRET_BYTES,
} from '../../domain/net/headerValues.ts';
import { plainUrlProblem } from '../../domain/net/url.ts';
import { type SecretChange, secretsAfter, sizeProblem } from '../../domain/secrets/secrets.ts';
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

/** Names that belong to the protocol, the connection or the token. */
const RESERVED_HEADERS =
  /^(authorization|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|host|content-length|content-type|accept|expect|mcp-.*|last-event-id|__proto__)$/i;
const HEADER_NAME = new RegExp(HEADER_NAME_PATTERN);

const TOO_MANY_HEADERS: Problem = {
  field: 'details.headers',
  message: `must have at most ${MAX_HEADERS} headers, those that are stored included`,
};

/** Bounds the work of the merge. @throws Fault `validation_failed` */
export function assertFewHeaders({ details }: McpFields): void {
  if (!isObject(details) || !isObject(details.headers)) return;
  const submitted = Object.values(details.headers).filter((value) => value !== null && value !== '' && value !== MASK);
  if (submitted.length > MAX_HEADERS) throw invalid([TOO_MANY_HEADERS]);
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
  const isHeader = (path: string) => path.startsWith('details/headers/');
  if (secretFields.filter(isHeader).length > MAX_HEADERS && Object.keys(secrets.set).some(isHeader))
    problems.push(TOO_MANY_HEADERS);
  const tooLarge = sizeProblem(secrets.set, secrets.set, MAX_SECRET_BYTES);
  if (tooLarge) problems.push(tooLarge);
  for (const [path, value] of Object.entries(submitted)) {
    if (!isHeader(path)) continue;
    const name = path.slice('details/headers/'.length);
    // `*` with null deletes all headers, so it cannot be the name of one.
    if (name === '*' && value === null) continue;
    if (name.length > LONGEST_HEADER_NAME) {
      add(`headers.${name.slice(0, LONGEST_HEADER_NAME)}…`, `must be at most ${LONGEST_HEADER_NAME} characters`);
    } else if (name === '*' || !HEADER_NAME.test(name)) add(`headers.${name}`, 'is not a header name');
    else if (RESERVED_HEADERS.test(name)) add(`headers.${name}`, 'cannot be set: the app sets it');
    else add(`headers.${name}`, headerProblem(value));
  }
  return problems;
}
