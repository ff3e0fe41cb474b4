import { allCodes, CODES, type FaultCode } from '../contract/codes.ts';
import type { Components } from './components.ts';
import { refTo } from './components.ts';
import type { JsonSchema } from './schemas.ts';

/** The failures of one status: what they are called together, by the codes that are possible. */
const NAMES: Readonly<Record<string, readonly FaultCode[]>> = {
  InvalidParameters: ['validation_failed'],
  UnknownReference: ['unknown_reference', 'validation_failed'],
  InvalidBody: ['malformed_json', 'validation_failed'],
  InvalidReferences: ['malformed_json', 'unknown_reference', 'validation_failed'],
  InvalidNewSecrets: ['malformed_json', 'masked_value_without_stored_secret', 'validation_failed'],
  InvalidSecrets: [
    'malformed_json',
    'masked_value_without_stored_secret',
    'secret_required_for_new_host',
    'validation_failed',
  ],
  InvalidRegistration: [
    'endpoint_not_found',
    'endpoint_not_in_service',
    'malformed_json',
    'masked_value_without_stored_secret',
    'secret_required_for_new_host',
    'validation_failed',
  ],
  MissingCapability: ['missing_capability'],
  FeatureDisabled: ['feature_disabled'],
  NotAllowed: ['feature_disabled', 'missing_capability'],
  NotAllowedByOwner: ['acl_denied', 'feature_disabled'],
  AccessDenied: ['acl_denied', 'feature_disabled', 'missing_capability'],
  NotFound: ['not_found'],
  VersionConflict: ['version_conflict'],
  NameTaken: ['duplicate_name'],
  AlreadyExists: ['already_exists'],
  InUse: ['in_use', 'version_conflict'],
  ConnectionConflict: ['duplicate_name', 'in_use', 'version_conflict'],
  StateConflict: ['invalid_state', 'version_conflict'],
  CannotStart: ['already_running', 'invalid_state'],
  TooLarge: ['payload_too_large'],
  RateLimited: ['rate_limited'],
  InternalError: ['internal_error'],
  NotVerified: ['internal_error', 'verification_failed'],
  EngineFailed: ['upstream_error'],
  ServerFailed: [
    'auth_failed',
    'bad_request',
    'blocked_by_policy',
    'configuration_invalid',
    'connection_refused',
    'connection_reset',
    'dns_failed',
    'model_not_found',
    'model_not_invokable',
    'not_supported',
    'permission_denied',
    'quota_exceeded',
    'tls_expired',
    'tls_hostname_mismatch',
    'tls_protocol',
    'tls_untrusted',
    'upstream_error',
  ],
  StoreUnavailable: ['store_unavailable'],
  ServerTimeout: ['timeout'],
  EngineTimeout: ['upstream_timeout'],
};

const keyOf = (codes: readonly string[]) => [...codes].sort().join(' ');
const NAME_OF = new Map(Object.entries(NAMES).map(([name, codes]) => [keyOf(codes), `${name}Failure`]));

export const REMEDY: JsonSchema = { type: 'string', description: 'What a person can do about this code' };

const texts = (description: string): JsonSchema => ({ type: 'array', items: { type: 'string' }, description });

/** What every failure is, apart from its code: generators cannot narrow a list of codes to one of them. */
const COMMON: JsonSchema = {
  type: 'object',
  required: ['status', 'message', 'remedy', 'request_id', 'messages'],
  properties: {
    status: { const: 'fail' },
    message: { type: 'string', description: 'For a person' },
    remedy: REMEDY,
    request_id: { type: 'string', description: 'Also in the log' },
    messages: {
      type: 'array',
      items: {
        'x-name': 'FailureMessage',
        type: 'object',
        required: ['type', 'text'],
        properties: { type: { const: 'ERROR' }, text: { type: 'string' } },
      },
    },
    errors: {
      type: 'array',
      description: 'Every problem found (400)',
      items: {
        'x-name': 'FieldProblem',
        type: 'object',
        required: ['field', 'message'],
        properties: { field: { type: 'string' }, message: { type: 'string' } },
      },
    },
    required: texts('Capabilities of the call (missing_capability)'),
    current_version: { type: 'integer', description: 'version_conflict' },
    used_by: texts('in_use'),
    retry_after: { type: 'number', description: 'Seconds (rate_limited)' },
  },
  additionalProperties: true,
};

/** The codes themselves, and what all failures have in common. */
export function addFailures(components: Components): void {
  components.add('ErrorCode', {
    type: 'string',
    enum: allCodes().map(({ code }) => code),
    description: 'What went wrong, for programs; docs/errors.md tells of each.',
  });
  components.add('FailureCommon', components.parts(COMMON, 'Failure'));
  components.add('Failure', withCode(refTo('ErrorCode'), 'Any failure'));
  components.add('PlatformMessages', {
    type: 'object',
    description: "The platform's own body",
    properties: { messages: { type: 'array', items: { type: 'object', additionalProperties: true } } },
  });
}

/** A failure with one of these codes. @throws Error where nothing is called so: give it a name above */
export function failureOf(components: Components, codes: readonly FaultCode[]): JsonSchema {
  const name = NAME_OF.get(keyOf(codes));
  if (name === undefined) throw new Error(`no name for failures with ${codes.join(', ')}: see codegen/failures.ts`);
  const [only, ...more] = codes;
  const error_code: JsonSchema = more.length === 0 ? { const: only } : { type: 'string', enum: [...codes] };
  const description = codes.map((code) => `${code}: ${CODES[code].when}`).join('\n');
  return components.add(name, withCode(error_code, description));
}

const withCode = (error_code: JsonSchema, description: string): JsonSchema => ({
  description,
  allOf: [refTo('FailureCommon'), { type: 'object', required: ['error_code'], properties: { error_code } }],
});
