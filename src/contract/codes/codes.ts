import type { OutboundCode } from './outbound.ts';
import { OUTBOUND } from './outboundCodes.ts';
import { reasonOf } from './reasons.ts';
import { REQUEST } from './requestCodes.ts';
import { RUN_CODES } from './runCodes.ts';

/** Topics of codes; each is a table on the troubleshooting page. */
export const TOPICS = ['request', 'rights', 'conflict', 'inside', 'outside'] as const;
export type Topic = (typeof TOPICS)[number];

/** One `error_code` with its status and texts. */
export interface Code {
  /** HTTP status of the request. 200 = only in the reply to a test. */
  status: number;
  /** Status below `/ai_gateway` where it differs. */
  gatewayStatus?: number;
  topic: Topic;
  /** Describes the cause. */
  when: string;
  /** Tells the user how to resolve it. */
  remedy: string;
  /** A page of the guide with more details. */
  see?: string;
}

const RIGHTS = {
  missing_capability: {
    status: 403,
    when: 'The caller lacks a capability. `required` lists the ones this call needs.',
    remedy: 'Ask an administrator for a role that has it.',
    see: 'administration.md#roles-and-capabilities',
  },
  system_user: {
    status: 403,
    when: "An alert's session is that of the platform itself, as of a saved search without an owner. Runs need a user, whose rights they have.",
    remedy: 'Give the saved search an owner with the capability run_agents.',
    see: 'agent-runs.md',
  },
  acl_denied: {
    status: 403,
    when: 'The caller may read the record, but not change it or its access list.',
    remedy: 'Ask the owner of the record (`acl.owner`).',
  },
  feature_disabled: {
    status: 403,
    when: 'The feature flag of this family is off.',
    remedy: 'Ask an administrator to switch it on. GET /ml/ml_feature_flags lists all flags.',
    see: 'feature-flags.md',
  },
  origin_not_allowed: {
    status: 403,
    when: 'A web page of another host has sent the message.',
    remedy: 'An administrator can name its origin in `[gateway] allowed_origins`.',
  },
  not_found: {
    status: 404,
    when: 'The record does not exist, or the caller may not read it.',
    remedy: "Check the name; case matters only in LLM models and ids. An administrator sees everybody's records.",
  },
};

const CONFLICT = {
  duplicate_name: {
    status: 409,
    when: 'The name is taken, perhaps by a record that the caller may not read. Names are case-insensitive.',
    remedy: 'Choose another name, or change the existing record.',
  },
  already_exists: {
    status: 409,
    when: 'The object already exists.',
    remedy: 'Choose another name, or allow overwriting (`overwrite`) if the endpoint supports it.',
  },
  version_conflict: {
    status: 409,
    when: 'The record has changed since it was read. `current_version` is its current version.',
    remedy: 'Read the record again, apply your change, and send the new version in `version`, ?version= or If-Match.',
  },
  verification_refused: {
    status: 409,
    when: 'The test before the write (`verify=true`) failed, so nothing was saved. `cause` has the code of the test.',
    remedy: 'Fix the problem described by the message and `cause`, then try again. The saved record is unchanged.',
  },
  in_use: {
    status: 409,
    when: 'Agents, aliases or running containers use this record. `used_by` lists them.',
    remedy:
      'Change the agents and aliases or stop the containers first. ?force=true deletes or moves the record anyway; containers on the former engine keep running.',
  },
  invalid_state: {
    status: 409,
    gatewayStatus: 400,
    when: 'The state of the record does not allow this.',
    remedy: 'Wait until the current operation has ended, then read the record again.',
  },
  already_running: {
    status: 409,
    when: 'The model is already running.',
    remedy: 'Use the running container, or stop it first.',
  },
};

const INSIDE = {
  store_unavailable: {
    status: 503,
    when: 'The KV store or the password storage is not available.',
    remedy: 'Try again later. Check GET /ml/health and `splunk show kvstore-status`.',
  },
  masking_failed: {
    status: 503,
    when: 'The request could not be masked as a policy asks, so it was not sent.',
    remedy:
      'Send a shorter request if masking took too long. Otherwise report the request id; the request can be sent to a model to which no masking policy applies.',
    see: 'masking.md#errors',
  },
  too_many_requests: {
    status: 429,
    when: 'All places for requests that use models are taken on this machine, or the user holds half of them.',
    remedy: 'Try again after `Retry-After` seconds. An administrator can raise `[gateway] max_concurrent`.',
    see: 'gateway.md#limits-of-requests',
  },
  too_many_searches: {
    status: 429,
    when: 'The user has as many searches as the platform or this app lets run at a time, so this one did not begin.',
    remedy:
      'Wait for the other searches, or cancel some in Splunk Web (Activity, Jobs). An administrator can raise the quota of the role.',
    see: 'search-tools.md#errors',
  },
  too_many_records: {
    status: 429,
    when: 'The user has as many records of this kind as one user may have. Trying again does not help.',
    remedy: 'Delete records that you no longer need.',
  },
  limit_exceeded: {
    status: 429,
    when: 'A usage limit is used up. `limit` says which one, how much it allows, and when it resets.',
    remedy:
      'Wait until the limit resets (`limit.resets_at`), or ask an administrator to raise it. GET /ml/usage_limits/status shows what is left of your limits.',
    see: 'usage-limits.md',
  },
  too_many_runs: {
    status: 429,
    when: 'The user has as many runs of agents that have not ended as one user may have: 100, of which 20 with `worker: caller`.',
    remedy:
      'Decide about the runs that wait for approval, take the steps of those with `worker: caller`, or cancel some. GET /ai_gateway/runs?state=… lists them.',
    see: 'agent-runs.md#how-many-and-how-long',
  },
  busy: {
    status: 503,
    when: 'Too many requests are waiting for slow servers at the moment. `Retry-After` says when to try again.',
    remedy:
      'Try again. If it happens often, find the slow server with GET /ml/connection_health, or raise `[outbound] max_waiting` and the number of drivers.',
  },
  unreadable_record: {
    status: 500,
    when: 'The stored record lacks required fields or has fields of a wrong type. Lists leave it out.',
    remedy: 'An administrator (admin_all_objects) can delete it. GET /ml/health lists all unreadable records to them.',
    see: 'administration.md#unreadable-records',
  },
  newer_schema: {
    status: 503,
    when: 'The store was written by a newer version of the app. Nothing was read or written.',
    remedy: 'Upgrade the app on this member.',
    see: 'administration.md#upgrade-and-rollback',
  },
  runtime_missing: {
    status: 503,
    when: 'No supported Node runtime starts on this machine. `message` lists the ones that were tried and why they failed.',
    remedy: 'Follow `remedy` in the reply. It takes effect without a restart, at the second request.',
    see: 'administration.md#what-the-runtime-needs',
  },
  internal_error: {
    status: 500,
    when: 'The app has a bug. The log has the cause under `request_id`.',
    remedy: 'Search the log for the request_id, and report the line with "event":"bug".',
    see: 'administration.md#logs-and-request-ids',
  },
  verification_failed: {
    status: 500,
    when: 'The container connection could not be verified and was not saved.',
    remedy: 'Correct the problems listed in the message.',
  },
};

const OUTSIDE_ONLY = {
  upstream_timeout: {
    status: 504,
    when: 'The container engine did not answer in time.',
    remedy: 'Check that the machine that runs splunkd can reach the engine, and how busy the engine is.',
  },
  kb_not_found: {
    status: 404,
    when: 'The knowledge base, index or table does not exist.',
    remedy: 'Check `kb_id`, `cloud_region` and AWS account, or the names of the index or table and its fields.',
  },
  store_full: {
    status: 400,
    when: 'The vector store would have more than 100,000 passages. Nothing was written.',
    remedy: 'Delete documents, or use a second store.',
  },
  kb_not_active: {
    status: 502,
    when: 'The knowledge base is not ready. The message, and `knowledge_base_status` of a test, have its state.',
    remedy: 'Wait until it is ACTIVE, or repair it in AWS.',
  },
};

type CodeText = Omit<Code, 'topic'>;

const withTopic = <K extends string>(topic: Topic, codes: Record<K, CodeText>): Record<K, Code> =>
  Object.fromEntries(Object.entries<CodeText>(codes).map(([code, text]) => [code, { ...text, topic }])) as Record<
    K,
    Code
  >;

const outbound = Object.fromEntries(
  Object.entries(OUTBOUND).map(([code, text]) => [code, { status: 502, ...text }]),
) as Record<OutboundCode, CodeText>;

/** Every `error_code`; the OpenAPI document, `docs/errors.md` and the troubleshooting page are generated from it. */
export const CODES = {
  ...withTopic('request', REQUEST),
  ...withTopic('rights', RIGHTS),
  ...withTopic('conflict', CONFLICT),
  ...withTopic('inside', INSIDE),
  ...withTopic('outside', outbound),
  ...withTopic('outside', OUTSIDE_ONLY),
};

export type FaultCode = keyof typeof CODES;

/** Anthropic's status of an overloaded provider, which only its clients get. */
export const OVERLOADED_STATUS = 529;

/** Status of a failed request below `/ai_gateway`, where OpenAI's clients would repeat a 409 and log in again after a 401. */
export const gatewayStatusOf = (code: FaultCode): number => {
  const { gatewayStatus, status }: Code = CODES[code];
  return gatewayStatus ?? status;
};

const RETRYABLE: ReadonlySet<string> = new Set<FaultCode>([
  'too_many_requests',
  'too_many_searches',
  'connection_refused',
  'connection_reset',
  'dns_failed',
  'rate_limited',
  'upstream_error',
  'store_unavailable',
  'masking_failed',
]);

/** A client waits for a limit that resets within so many seconds. */
const SHORT_WAIT_S = 60;

/**
 * Whether a use may be tried again: it has had no effects, and nothing was answered or it is known how long to wait.
 * @param more further keys of the failure
 */
export const isRetryable = (code: string, more: Readonly<Record<string, unknown>>): boolean =>
  more.should_retry !== false &&
  (code === 'limit_exceeded' ? Number(more.retry_after) <= SHORT_WAIT_S : RETRYABLE.has(code));

const TEXTS: Readonly<Record<string, { remedy: string }>> = { ...CODES, ...RUN_CODES };

const textsOf = (code: unknown): { remedy: string } | undefined =>
  typeof code === 'string' && Object.hasOwn(TEXTS, code) ? TEXTS[code] : undefined;

/**
 * Remedy of a failure, by its reason if it has one, else by its code. Undefined if both are of another system.
 * @param code error code; that of a container connection may be a reason
 * @param reason `reason` of a failure, `status_reason` of a record
 */
export const remedyOf = (code: unknown, reason?: unknown): string | undefined =>
  (reasonOf(reason) ?? textsOf(reason) ?? textsOf(code) ?? reasonOf(code))?.remedy;

/** All codes in the order of the documentation. */
export function allCodes(): ({ code: FaultCode } & Code)[] {
  const codes = Object.entries(CODES).map(([code, text]) => ({ code: code as FaultCode, ...text }));
  return codes.sort((a, b) => a.status - b.status || a.code.localeCompare(b.code));
}
