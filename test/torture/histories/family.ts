import type { Acl, Action, ObservedState, Outcome, Refusal } from '../history/events.ts';
import { type Answer, type Call, type Called, isAnswer } from '../site/client.ts';
import type { RecordingHost } from '../site/hosts.ts';

export const MASK = '***MASKED***';

export interface Hosts {
  hosts: readonly RecordingHost[];
  url(name: string): string;
}

/** Translates the model's calls to the API of a family, and its answers back. */
export interface Family {
  name: string;
  /** Password entries of the family begin with it. */
  hasAcl: boolean;
  /** `save`: one call creates and updates. */
  writes: 'create' | 'save' | 'post-with-id';
  tests: boolean;
  /** Users who may write at all. */
  writers: readonly string[];
  readers: readonly string[];
  /** Names of hosts, or their equivalent in this family. */
  places(hosts: Hosts): readonly string[];
  /** Whether a stored secret can be taken away alone. */
  removesSecret: boolean;
  call(action: Action, key: string, hosts: Hosts): Call;
  /** The record of a reply to a create, save, update or read. */
  parseRecord(answer: Answer): ObservedState | undefined;
  /** Key -> record of a reply to a list. */
  parseList(answer: Answer): Map<string, ObservedState>;
  /** A test's answer names the arrival that it caused; undefined: it tells nothing. */
  met?(answer: Answer): string | undefined;
  /** A status that is an answer for a test in this family. */
  failedTest?(answer: Answer): boolean;
}

const REFUSALS: Record<string, Exclude<Refusal['why'], 'conflict'>> = {
  duplicate_name: 'taken',
  not_found: 'missing',
  acl_denied: 'denied',
  secret_required_for_new_host: 'bound',
};
/** Codes that leave the outcome open. */
const UNKNOWN = new Set(['store_unavailable', 'upstream_timeout']);

export type Classified = Outcome | { kind: 'unsent' } | { kind: 'ok-answer' } | { kind: 'bug'; text: string };

/** The outcome of a call as far as status and code tell it. */
export function classify(called: Called): Classified {
  if (!isAnswer(called))
    return called.failure === 'unsent' ? { kind: 'unsent' } : { kind: 'unknown', because: called.because };
  const { status, json, text } = called;
  if (status === 200) return { kind: 'ok-answer' };
  const code = json?.error_code as string | undefined;
  if (code === undefined && [401, 429, 500, 502, 503].includes(status))
    return { kind: 'unknown', because: `${status} of the platform: ${text.slice(0, 120)}` };
  if (code !== undefined && UNKNOWN.has(code)) return { kind: 'unknown', because: `${code}: ${json.message}` };
  if (code === 'version_conflict')
    return { kind: 'fail', refusal: { why: 'conflict', current: Number(json.current_version) } };
  const why = REFUSALS[code ?? ''];
  return why ? { kind: 'fail', refusal: { why } } : { kind: 'bug', text: `${status} ${text.slice(0, 400)}` };
}

export const wireAcl = (acl: Omit<Acl, 'owner'> | undefined) =>
  acl && { acl: { sharing: acl.sharing, perms: { read: acl.read, write: acl.write } } };

export const observedAcl = (acl: {
  owner: string;
  sharing: Acl['sharing'];
  perms: { read: string[]; write: string[] };
}) => ({
  acl: { owner: acl.owner, sharing: acl.sharing, read: acl.perms.read, write: acl.perms.write },
});

export const version = (action: Action) =>
  'condition' in action && action.condition !== undefined ? { version: action.condition } : {};

export const ifMatch = (action: Action): { headers: Record<string, string> } => ({
  headers: 'condition' in action && action.condition !== undefined ? { 'If-Match': String(action.condition) } : {},
});

/** The name of a host from an address that a reply shows. */
export const hostOf = (url: unknown): { host: string } => ({ host: URL.parse(String(url))?.host ?? String(url) });
