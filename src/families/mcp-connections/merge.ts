import { invalid } from '../../contract/faults.ts';
import { MASK } from '../../contract/mask.ts';
import { pasted } from '../../domain/headerValues.ts';
import { decide, type GivenSecrets, splitSecrets } from '../../domain/secrets.ts';
import type { McpDetails, McpOpen, McpStored, McpType } from './records.ts';
import { canRefresh } from './refreshDue.ts';
import { problemsOf } from './rules.ts';

type Nullable<T> = { [K in keyof T]?: T[K] | null | undefined };
export type DetailsInput = Nullable<McpDetails>;

/** An input without its secrets, and the secrets by path. */
export interface Sent<T> {
  open: T;
  given: GivenSecrets;
}

/**
 * Takes the secrets out of an input. Line breaks around pasted tokens are dropped, and a header that is stored in
 * another case keeps its stored name.
 */
export function unseal<T extends object>(input: T, paths: readonly string[], stored: readonly string[] = []): Sent<T> {
  const { open, given } = splitSecrets(input, paths);
  const clean: GivenSecrets = {};
  for (const [path, value] of Object.entries(given)) {
    const known = stored.find((other) => other.toLowerCase() === path.toLowerCase()) ?? path;
    const twice = Object.keys(clean).find((other) => other.toLowerCase() === known.toLowerCase());
    const field = path.replaceAll('/', '.');
    if (twice !== undefined) throw invalid([{ field, message: 'is given twice: header names have no case' }]);
    clean[known] = value === null ? null : pasted(value);
  }
  return { open, given: clean };
}

/** Fields of `details` that are given replace the stored ones; null and "" unset them. */
export function mergeDetails(base: McpDetails | undefined, input: DetailsInput): McpDetails {
  const merged: Record<string, unknown> = { verify_tls: true, ...base };
  for (const [key, value] of Object.entries(input)) {
    if (value === null || value === '') delete merged[key];
    else if (value !== undefined) merged[key] = value;
  }
  return { ...merged, url: String(merged.url ?? '') } as McpDetails;
}

/**
 * Checks a whole connection as it would be.
 * @throws Fault `validation_failed`, `masked_value_without_stored_secret`
 */
export function assertValid(type: McpType, details: McpDetails, given: GivenSecrets, stored: readonly string[]): void {
  const { keep, set } = decide(given, stored);
  const problems = problemsOf({ type, details, given, secretFields: [...keep, ...Object.keys(set)] });
  if (problems.length > 0) throw invalid(problems);
}

/** Secrets that go to the token endpoint. */
const OAUTH_SECRETS = ['details/client_secret', 'details/refresh_token'];

/** What the server had learned of the old server or the old credentials does not hold for new ones. */
export function forgetLearned(record: McpStored, next: McpOpen, given: GivenSecrets, now: number): McpOpen {
  const [before, after] = [record.details, next.details];
  const credentials = Object.values(given).some((value) => value !== null && value !== MASK);
  const moved = before.url !== after.url || before.token_url !== after.token_url;
  const result: McpOpen = { ...next };
  if (moved) delete result.transport_detected;
  if (!decide(given, record.secret_fields).keep.some((path) => OAUTH_SECRETS.includes(path))) {
    // Nothing is left that was meant for the old token endpoint.
    delete result.token_url_detected;
    delete result.discovery_url;
  } else if (result.token_url_detected === undefined && result.discovery_url === undefined) {
    // Whoever owns another path of the host must not be asked where the secrets of the old one go.
    const old = pathOf(before.url);
    if (old !== pathOf(after.url)) result.discovery_url = new URL(old, after.url).href;
  }
  // A refusal that was met without refreshing, or as another client, says nothing of a refresh that may be done now.
  const refreshable = canRefresh({ ...record, ...result }) && !canRefresh(record);
  if (moved || credentials || refreshable || before.client_id !== after.client_id) result.auth_state = 'unknown';
  if (given['details/token'] && given['details/token'] !== MASK) {
    result.token_obtained_at = now;
    delete result.token_expires_at;
  }
  return result;
}

function pathOf(address: string): string {
  const { pathname, search } = new URL(address);
  return `${pathname}${search}`;
}
