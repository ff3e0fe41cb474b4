import type { OutboundCode } from './outbound.ts';
import { OUTBOUND } from './outboundCodes.ts';

/** What a code is about; each topic is a table on the troubleshooting page. */
export const TOPICS = ['request', 'rights', 'conflict', 'inside', 'outside'] as const;
export type Topic = (typeof TOPICS)[number];

/** One `error_code`: everything that replies and documents say about it. */
export interface Code {
  /** Status of the whole request. 200 = only in the answer of a test. */
  status: number;
  topic: Topic;
  /** What has happened. */
  when: string;
  /** What a person can do about it. */
  remedy: string;
  /** A page of the guide that says more. */
  see?: string;
}

const REQUEST = {
  malformed_json: {
    status: 400,
    when: 'The body is not a JSON object: it is broken, empty, an array, or not UTF-8.',
    remedy: 'Check quotes and shell expansion: curl sends a file with `-d @file.json`.',
  },
  validation_failed: {
    status: 400,
    when: 'Fields, parameters or headers are wrong; `errors` lists every one of them.',
    remedy: 'Correct what `errors` names. A field that `warnings` names is ignored: it may be misspelt.',
  },
  masked_value_without_stored_secret: {
    status: 400,
    when: 'The mask was sent where no secret is stored.',
    remedy: 'Send the secret itself, or leave the field out.',
  },
  secret_required_for_new_host: {
    status: 400,
    when: 'An address that secrets go to has changed, or the server there would be verified less strictly, and the request keeps a stored secret: a secret stays with the host it was saved for.',
    remedy: 'Send every secret that `errors` names again, or "" to delete it.',
  },
  unknown_reference: {
    status: 400,
    when: 'A connection, tool, store or model that the body names does not exist, or the caller may not read it.',
    remedy: 'Check the name, or ask its owner to share it.',
  },
  payload_too_large: {
    status: 413,
    when: 'The body is larger than this endpoint accepts (1 MB; more for model uploads), or the record would become too large.',
    remedy: 'Send less.',
  },
  unknown_endpoint: {
    status: 404,
    when: 'No endpoint has this path.',
    remedy: 'Compare the path with GET /ml/openapi.',
    see: '../endpoints.md',
  },
  method_not_allowed: {
    status: 405,
    when: 'The path exists, but not for this method.',
    remedy: 'Use one of the methods listed in the header Allow.',
  },
  endpoint_not_found: {
    status: 400,
    when: 'AWS knows no SageMaker endpoint with this name in this region and account.',
    remedy: 'Check the name, the region, and whose keys these are.',
  },
  endpoint_not_in_service: {
    status: 400,
    when: 'The endpoint exists but is not in service; `endpoint_status` tells its state.',
    remedy: 'Wait for InService, or repair the endpoint at AWS.',
  },
};

const RIGHTS = {
  missing_capability: {
    status: 403,
    when: 'The caller lacks a capability; `required` names those that this call needs.',
    remedy: 'Have an administrator give you a role that has it.',
    see: 'administration.md#roles-and-capabilities',
  },
  acl_denied: {
    status: 403,
    when: 'The caller may read the record, but not change it (or not its access list).',
    remedy: 'Ask the owner, who is named in `acl.owner` of the record.',
  },
  feature_disabled: {
    status: 403,
    when: 'The feature flag of this family is off.',
    remedy: 'Have an administrator switch it on; GET /ml/ml_feature_flags shows all flags.',
    see: 'feature-flags.md',
  },
  not_found: {
    status: 404,
    when: 'There is no such record, or the caller may not read it.',
    remedy:
      "Check the name: case does not count, except in LLM models and ids. An administrator sees everybody's records.",
  },
};

const CONFLICT = {
  duplicate_name: {
    status: 409,
    when: 'The name is taken (case does not count), perhaps by a record that the caller may not read.',
    remedy: 'Choose another name, or change the record that has it.',
  },
  already_exists: {
    status: 409,
    when: 'The object already exists.',
    remedy: 'Send overwrite if the endpoint takes it, or choose another name.',
  },
  version_conflict: {
    status: 409,
    when: 'The record has changed since it was read; `current_version` is its version now.',
    remedy:
      'Read it again, apply your change, and send it with the new version: `version` in the body, ?version=, or the header If-Match.',
  },
  verification_refused: {
    status: 409,
    when: 'The change was to be verified first (`verify=true`), and the test failed: nothing was written. `cause` is the code of the test.',
    remedy:
      'The message says why the test failed; look up the code in `cause` for what helps. What was saved before is still in force.',
  },
  in_use: {
    status: 409,
    when: 'Something uses this record: `used_by` names the agents, or the models whose containers run through a connection.',
    remedy:
      'Change the agents or stop the containers first. With ?force=true a record is deleted all the same, and a connection may be moved to another engine; what ran on the former engine is then left behind.',
  },
  invalid_state: {
    status: 409,
    when: 'The record is in a state that does not allow this.',
    remedy: 'Read the record, and wait until whatever is under way has ended.',
  },
  already_running: {
    status: 409,
    when: 'The model is already running.',
    remedy: 'Use it as it runs, or stop it first.',
  },
};

const INSIDE = {
  store_unavailable: {
    status: 503,
    when: 'The KV store or the password storage is not ready: it is starting, read-only or down.',
    remedy: 'Try again later: nothing was half done. GET /ml/health and `splunk show kvstore-status` tell more.',
  },
  newer_schema: {
    status: 503,
    when: 'The store was written by a newer version of the app. Nothing is read or written.',
    remedy: 'Upgrade the app on this member.',
    see: 'administration.md#upgrade-and-rollback',
  },
  runtime_missing: {
    status: 503,
    when: 'No Node that the app can run on starts on this machine; `message` says what is wrong with each that was tried. The launcher answers this itself.',
    remedy: 'Do what `remedy` of the reply says; it takes effect by itself, with the second request after it.',
    see: 'administration.md#what-the-runtime-needs',
  },
  internal_error: {
    status: 500,
    when: 'A bug in this app; the log has the cause under `request_id`.',
    remedy: 'Search the log for the request_id and report the line with "event":"bug".',
    see: 'administration.md#logs-and-request-ids',
  },
  verification_failed: {
    status: 500,
    when: 'A container connection was not saved because it could not be verified.',
    remedy: 'Correct every problem that the message lists.',
  },
};

const OUTSIDE_OWN = {
  upstream_timeout: {
    status: 504,
    when: 'The container engine did not answer in time.',
    remedy: 'Check that the engine can be reached from the machine that runs splunkd, and how busy it is.',
  },
  kb_not_found: {
    status: 200,
    when: 'There is no such knowledge base in this region and account.',
    remedy: 'Check `kb_id` and `cloud_region`, and whose keys these are.',
  },
  kb_not_active: {
    status: 200,
    when: 'The knowledge base exists but is not ready; `knowledge_base_status` tells its state.',
    remedy: 'Wait until it is ACTIVE, or repair it at AWS.',
  },
};

type Said = Omit<Code, 'topic'>;

const about = <K extends string>(topic: Topic, codes: Record<K, Said>): Record<K, Code> =>
  Object.fromEntries(Object.entries<Said>(codes).map(([code, said]) => [code, { ...said, topic }])) as Record<K, Code>;

const outbound = Object.fromEntries(
  Object.entries(OUTBOUND).map(([code, said]) => [code, { status: 502, ...said }]),
) as Record<OutboundCode, Said>;

/** Every `error_code`: replies, the OpenAPI document, `docs/errors.md` and the troubleshooting page take it from here. */
export const CODES = {
  ...about('request', REQUEST),
  ...about('rights', RIGHTS),
  ...about('conflict', CONFLICT),
  ...about('inside', INSIDE),
  ...about('outside', outbound),
  ...about('outside', OUTSIDE_OWN),
};

export type FaultCode = keyof typeof CODES;

/** What a person can do about a code; undefined for a code that is not ours. */
export const remedyOf = (code: unknown): string | undefined =>
  typeof code === 'string' && Object.hasOwn(CODES, code) ? CODES[code as FaultCode].remedy : undefined;

/** All codes in the order of the documents. */
export function allCodes(): ({ code: FaultCode } & Code)[] {
  const all = Object.entries(CODES).map(([code, said]) => ({ code: code as FaultCode, ...said }));
  return all.sort((a, b) => a.status - b.status || a.code.localeCompare(b.code));
}
