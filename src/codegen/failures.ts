import { allCodes, CODES, type FaultCode } from '../contract/codes.ts';
import { OUTBOUND_CODES } from '../contract/outbound.ts';
import { type Components, pascal, refTo } from './components.ts';
import type { JsonSchema } from './schemas.ts';

/** What can go wrong in one status where it can be several things: a union of the failures by their codes. */
const UNIONS: Readonly<Record<string, readonly FaultCode[]>> = {
  InvalidReference: ['unknown_reference', 'validation_failed'],
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
  NotAllowed: ['feature_disabled', 'missing_capability'],
  NotAllowedByOwner: ['acl_denied', 'feature_disabled'],
  AccessDenied: ['acl_denied', 'feature_disabled', 'missing_capability'],
  NameConflict: ['duplicate_name', 'newer_form'],
  UploadConflict: ['already_exists', 'newer_form'],
  WriteConflict: ['newer_form', 'version_conflict'],
  CreationConflict: ['duplicate_name', 'newer_form', 'verification_refused'],
  RegistrationConflict: ['already_exists', 'newer_form', 'verification_refused'],
  ChangeConflict: ['newer_form', 'verification_refused', 'version_conflict'],
  RemovalConflict: ['in_use', 'newer_form', 'version_conflict'],
  ConnectionConflict: ['duplicate_name', 'in_use', 'newer_form', 'version_conflict'],
  AgentConflict: ['invalid_state', 'newer_form', 'version_conflict'],
  CannotStart: ['already_running', 'invalid_state', 'newer_form'],
  NotVerified: ['internal_error', 'verification_failed'],
};

/** What a server that was called can have done wrong: one failure, since only the code differs. */
const SERVER_FAILED: readonly FaultCode[] = OUTBOUND_CODES.filter((code) => CODES[code].status === 502).sort();

export const REMEDY: JsonSchema = { type: 'string', description: 'What a person can do about this code' };

const texts = (description: string): JsonSchema => ({ type: 'array', items: { type: 'string' }, description });

const PROBLEMS: JsonSchema = {
  type: 'array',
  description: 'Every problem found',
  items: {
    'x-name': 'FieldProblem',
    type: 'object',
    description: 'What is wrong with one field',
    required: ['field', 'message'],
    properties: {
      field: {
        type: 'string',
        description: 'Dotted path of the field, or the name of the parameter or header; $body for the whole body',
      },
      message: { type: 'string', description: 'What is wrong with it, for a person; never quotes the value' },
    },
  },
};

const SECONDS: JsonSchema = { type: 'number', description: 'Seconds to wait, where the server said so' };

const REASON: JsonSchema = {
  type: 'string',
  description: 'What kept a container from starting, as in `status_reason` of its record',
};

/** What a failure tells beside what all tell. */
const EXTRAS: Readonly<Partial<Record<FaultCode, { always: boolean; properties: Record<string, JsonSchema> }>>> = {
  validation_failed: { always: false, properties: { errors: PROBLEMS } },
  secret_required_for_new_host: { always: false, properties: { errors: PROBLEMS } },
  masked_value_without_stored_secret: { always: false, properties: { errors: PROBLEMS } },
  unknown_reference: { always: false, properties: { errors: PROBLEMS } },
  missing_capability: { always: true, properties: { required: texts('Capabilities that the call needs') } },
  version_conflict: {
    always: true,
    properties: { current_version: { type: 'integer', description: 'The version that the record has now' } },
  },
  verification_refused: {
    always: true,
    properties: {
      cause: { ...refTo('ErrorCode'), description: 'Why the test failed: the code that it would have answered' },
    },
  },
  in_use: { always: true, properties: { used_by: texts('What uses it, as far as the caller may know') } },
  rate_limited: { always: false, properties: { retry_after: SECONDS } },
  invalid_state: {
    always: false,
    properties: { state: { type: 'string', description: 'The state it is in (agents)' } },
  },
  payload_too_large: {
    always: false,
    properties: { limit: { type: 'integer', description: 'Most bytes that are taken' } },
  },
  upstream_error: { always: false, properties: { reason: REASON } },
  upstream_timeout: { always: false, properties: { reason: REASON } },
  verification_failed: {
    always: true,
    properties: {
      problems: texts('Every problem found'),
      cause: { type: 'string', description: 'Code of the first problem, as in `last_test` of a saved connection' },
    },
  },
};

/** What every failure is, apart from its code: generators cannot narrow a list of codes to one of them. */
const COMMON: JsonSchema = {
  type: 'object',
  description: 'What all failures have in common',
  required: ['status', 'message', 'remedy', 'request_id', 'messages'],
  properties: {
    status: { const: 'fail', description: 'Tells a failure from a success' },
    message: { type: 'string', description: 'What went wrong, for a person' },
    remedy: REMEDY,
    request_id: { type: 'string', description: 'Id of this request, which the log has too' },
    messages: {
      type: 'array',
      description: "The message once more, in the platform's form",
      items: {
        'x-name': 'FailureMessage',
        type: 'object',
        description: 'A message as the platform writes them',
        required: ['type', 'text'],
        properties: {
          type: { const: 'ERROR', description: "How serious it is, in the platform's words" },
          text: { type: 'string', description: 'The same as message' },
        },
      },
    },
  },
  additionalProperties: true,
};

const ANY_CODE: JsonSchema = {
  type: 'string',
  enum: allCodes().map(({ code }) => code),
  description: 'What went wrong, for programs; docs/errors.md tells of each.',
};

/** The codes themselves, what all failures have in common, and a failure of any kind. */
export function addFailures(components: Components): void {
  components.add('ErrorCode', ANY_CODE);
  components.add('FailureCommon', components.parts(COMMON, 'Failure'));
  const extras = Object.assign({}, ...Object.values(EXTRAS).map(({ properties }) => properties));
  components.add(
    'Failure',
    failure(components, refTo('ErrorCode'), 'Any failure', { always: false, properties: extras }),
  );
  components.add('PlatformMessages', {
    type: 'object',
    description: "The platform's own answer",
    properties: {
      messages: {
        type: 'array',
        items: refTo('JsonObject'),
        description: 'As the platform writes them: type and text',
      },
    },
  });
}

/** A failure with one of these codes. @throws Error where nothing is called so: give it a name above */
export function failureOf(components: Components, codes: readonly FaultCode[]): JsonSchema {
  const [only, ...more] = codes;
  if (only !== undefined && more.length === 0) return single(components, only);
  if (keyOf(codes) === keyOf(SERVER_FAILED)) return serverFailed(components);
  const union = Object.entries(UNIONS).find(([, all]) => keyOf(all) === keyOf(codes))?.[0];
  if (union === undefined) throw new Error(`no name for failures with ${codes.join(', ')}: see codegen/failures.ts`);
  const options = codes.map((code) => ({ code, ref: single(components, code) }));
  return components.add(`${union}Failure`, {
    description: codes.join(', '),
    oneOf: options.map(({ ref }) => ref),
    discriminator: {
      propertyName: 'error_code',
      mapping: Object.fromEntries(options.map(({ code, ref }) => [code, ref.$ref])),
    },
  });
}

function single(components: Components, code: FaultCode): JsonSchema {
  const { when } = CODES[code];
  return components.add(
    nameOf(code),
    failure(components, { const: code, description: 'What went wrong' }, when, EXTRAS[code]),
  );
}

/** `validation_failed` -> `ValidationFailure`. */
const nameOf = (code: FaultCode): string => `${pascal(code.replace(/_failed$/, ''))}Failure`;

const OF_SERVERS: Record<string, JsonSchema> = {
  retry_after: SECONDS,
  agent_name: { type: 'string', description: 'The agent whose cloud it was' },
  state: { type: 'string', description: 'The state that the agent is in now' },
};

function serverFailed(components: Components): JsonSchema {
  const description = SERVER_FAILED.map((code) => `${code}: ${CODES[code].when}`).join('\n');
  const code: JsonSchema = {
    ...refTo('ErrorCode'),
    enum: [...SERVER_FAILED],
    description: 'What the server did, or what kept the call from it',
  };
  return components.add(
    'ServerFailure',
    failure(components, code, description, { always: false, properties: OF_SERVERS }),
  );
}

function failure(
  components: Components,
  error_code: JsonSchema,
  description: string,
  extra: { always: boolean; properties: Record<string, JsonSchema> } = { always: true, properties: {} },
): JsonSchema {
  const required = ['error_code', ...(extra.always ? Object.keys(extra.properties) : [])];
  const own = components.parts({ type: 'object', properties: extra.properties }, 'Failure');
  const properties = { error_code, ...own.properties };
  return { description, allOf: [refTo('FailureCommon'), { type: 'object', required, properties }] };
}

const keyOf = (codes: readonly string[]) => [...codes].sort().join(' ');
