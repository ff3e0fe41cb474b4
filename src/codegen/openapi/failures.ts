import { allCodes, CODES, type FaultCode, gatewayStatusOf } from '../../contract/codes/codes.ts';
import { OUTBOUND_CODES } from '../../contract/codes/outbound.ts';
import { LIMIT_QUANTITIES, LIMIT_SUBJECTS, LIMIT_WINDOWS } from '../../contract/families/usageLimits.ts';
import type { JsonSchema } from '../bundle/schemas.ts';
import { type Components, pascal, refTo } from './components.ts';
import type { Reference, Response } from './document.ts';

export type FailureResponses = Record<string, Response>;

/** Short names for large sets of codes; any other set is named after its codes. */
const SHORT_NAMES: Readonly<Record<string, readonly FaultCode[]>> = {
  InvalidNewSecrets: ['malformed_json', 'masked_value_without_stored_secret', 'validation_failed'],
  InvalidSecrets: [
    'malformed_json',
    'masked_value_without_stored_secret',
    'secret_required_for_new_host',
    'validation_failed',
  ],
  InvalidNewStore: [
    'ambiguous_reference',
    'malformed_json',
    'masked_value_without_stored_secret',
    'unknown_reference',
    'validation_failed',
  ],
  InvalidStore: [
    'ambiguous_reference',
    'malformed_json',
    'masked_value_without_stored_secret',
    'secret_required_for_new_host',
    'unknown_reference',
    'validation_failed',
  ],
  InvalidSearch: ['malformed_json', 'search_failed', 'search_not_allowed', 'validation_failed'],
  InvalidAgent: ['ambiguous_reference', 'malformed_json', 'unknown_reference', 'validation_failed'],
  InvalidRun: [
    'ambiguous_reference',
    'invalid_state',
    'malformed_json',
    'not_supported',
    'unknown_reference',
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
  Unavailable: ['newer_schema', 'store_unavailable'],
  ServerFailed: OUTBOUND_CODES.filter((code) => CODES[code].status === 502),
  InvalidUse: [
    ...OUTBOUND_CODES.filter((code) => gatewayStatusOf(code) === 400),
    ...([
      'ambiguous_reference',
      'content_filtered',
      'content_refused',
      'context_length_exceeded',
      'invalid_state',
      'malformed_json',
      'validation_failed',
    ] as const),
  ],
  InvalidCount: ['ambiguous_reference', 'malformed_json', 'not_supported', 'validation_failed'],
  InvalidIndexing: [
    ...OUTBOUND_CODES.filter((code) => gatewayStatusOf(code) === 400),
    ...([
      'ambiguous_reference',
      'content_filtered',
      'content_refused',
      'context_length_exceeded',
      'invalid_state',
      'malformed_json',
      'store_full',
      'validation_failed',
    ] as const),
  ],
  InvalidPrediction: [
    ...OUTBOUND_CODES.filter((code) => gatewayStatusOf(code) === 400),
    ...(['content_refused', 'invalid_state', 'malformed_json', 'model_not_runnable', 'validation_failed'] as const),
  ],
  PredictionFailed: OUTBOUND_CODES.filter((code) => gatewayStatusOf(code) === 502),
  StoreFailed: [...OUTBOUND_CODES.filter((code) => gatewayStatusOf(code) === 502), 'kb_not_active'],
  TooManyUses: ['limit_exceeded', 'quota_exceeded', 'rate_limited', 'too_many_requests'],
  InvalidToolCall: [
    ...OUTBOUND_CODES.filter((code) => gatewayStatusOf(code) === 400),
    ...(['content_refused', 'malformed_json', 'tool_changed', 'validation_failed'] as const),
  ],
  ToolFailed: OUTBOUND_CODES.filter((code) => gatewayStatusOf(code) === 502 && code !== 'model_not_invokable'),
  ModelFailed: [...OUTBOUND_CODES.filter((code) => gatewayStatusOf(code) === 502), 'invalid_structured_output'],
};

export const REMEDY: JsonSchema = { type: 'string', description: 'What a person can do about this code' };

const texts = (description: string): JsonSchema => ({ type: 'array', items: { type: 'string' }, description });

const PROBLEMS: JsonSchema = {
  type: 'array',
  description: 'Every problem found (400)',
  items: {
    'x-name': 'FieldProblem',
    type: 'object',
    description: 'A problem with one field',
    required: ['field', 'message'],
    properties: {
      field: {
        type: 'string',
        description: 'Dotted path of the field, or the name of the parameter or header; $body for the whole body',
      },
      message: { type: 'string', description: 'The problem, for a person; never quotes the value' },
    },
  },
};

const MESSAGES: JsonSchema = {
  type: 'array',
  description: "The message once more, in the platform's form",
  items: {
    'x-name': 'FailureMessage',
    type: 'object',
    description: 'A message as the platform writes them',
    required: ['type', 'text'],
    properties: {
      type: { const: 'ERROR', description: "The severity, in the platform's words" },
      text: { type: 'string', description: 'The same as message' },
    },
  },
};

const EXCEEDED_LIMIT: JsonSchema = {
  'x-name': 'ExceededLimit',
  type: 'object',
  description: 'A usage limit that is used up, or reserved: if several, the one that resets last',
  required: ['name', 'of', 'window', 'per', 'used', 'most', 'resets_at'],
  properties: {
    name: { type: 'string', description: 'Name of the limit' },
    of: { enum: [...LIMIT_QUANTITIES], description: 'What is used up' },
    window: { enum: [...LIMIT_WINDOWS], description: 'After which time the limit resets' },
    per: { enum: [...LIMIT_SUBJECTS], description: 'Whether each user has the amount, or all together' },
    used: { type: 'number', description: 'What is used of it, without what calls under way have reserved' },
    reserved: {
      type: 'number',
      description:
        'What calls under way have reserved; present where the use would fit without it, so that trying again soon helps',
    },
    most: { type: 'number', description: 'What it allows' },
    resets_at: { type: 'number', description: 'When it resets, epoch seconds' },
  },
};

/** Fields that depend on the code. */
const OPTIONAL: Readonly<Record<string, JsonSchema>> = {
  errors: PROBLEMS,
  required: texts('Capabilities that the call needs (missing_capability)'),
  current_version: { type: 'integer', description: 'The version of the record now (version_conflict)' },
  used_by: texts('Records that use it, as far as the caller may know (in_use)'),
  cause: {
    type: 'string',
    description: 'Code of the test that failed (verification_refused), or of the first problem (verification_failed)',
  },
  problems: texts('Every problem found (verification_failed)'),
  state: { type: 'string', description: 'The state of the agent now' },
  agent_name: { type: 'string', description: 'The agent whose runtime failed' },
  endpoint_status: {
    type: ['string', 'null'],
    description: 'The status of the SageMaker endpoint (endpoint_not_in_service)',
  },
  limit: {
    description: 'The size limit in bytes (payload_too_large), or the usage limit (limit_exceeded)',
    anyOf: [{ type: 'integer', description: 'Bytes' }, EXCEEDED_LIMIT],
  },
  reason: {
    type: 'string',
    description:
      'Why a container did not start, as in `status_reason` of its record; why the stores are not available (store_unavailable); why nobody has the capability (missing_capability)',
  },
  retry_after: { type: 'number', description: 'Seconds to wait, if the server said so' },
  should_retry: {
    type: 'boolean',
    description:
      'false where a repetition does not help, such as with a disabled KV store, or may do harm, such as a call of a tool that may have run. Below /ai_gateway the header `x-should-retry` says it, too',
  },
  warnings: texts('Fields that were ignored, and other remarks'),
  result: {
    type: 'array',
    items: refTo('JsonObject'),
    description: 'The outcome for each model (already_exists of clone_models)',
  },
  candidates: texts('References that fit one model each (ambiguous_reference)'),
  command: {
    type: ['string', 'null'],
    description: 'Command that is not allowed; null if another part of the search is (search_not_allowed)',
  },
  position: { type: 'integer', description: 'Place of that in the search, from 0 (search_not_allowed)' },
  kinds: {
    type: 'array',
    items: refTo('JsonObject'),
    description: 'Kinds of values that a masking policy refuses, each with its count of places (content_refused)',
  },
  sid: { type: 'string', description: 'Id of the search job (search_failed, too_many_searches)' },
  param: { type: 'string', description: 'Field of the request that failed, below /ai_gateway' },
  innererror: { ...refTo('JsonObject'), description: "Azure's reason (content_filtered)" },
  attempts: {
    type: 'array',
    items: refTo('JsonObject'),
    description: 'Of an alias: model and error_code of each target that was asked',
  },
  error: {
    ...refTo('JsonObject'),
    description:
      'Below /ai_gateway/v1, the same for clients of OpenAI: message, type, code, param; below /ai_gateway/v1/messages for those of Anthropic: type, message',
  },
  type: { const: 'error', description: 'Below /ai_gateway/v1/messages: that it is an error, for clients of Anthropic' },
  success: { type: 'boolean', description: 'false: the listing of MCP tools failed' },
  data: { ...refTo('JsonObject'), description: 'Of a listing of MCP tools: the server that was asked' },
};

const FAILURE: JsonSchema = {
  type: 'object',
  description: 'A failed call. The fields that are not required depend on error_code.',
  required: ['status', 'error_code', 'message', 'remedy', 'request_id', 'messages'],
  properties: {
    status: { const: 'fail', description: 'Distinguishes a failure from a success' },
    error_code: refTo('ErrorCode'),
    message: { type: 'string', description: 'What went wrong, for a person' },
    remedy: REMEDY,
    request_id: { type: 'string', description: 'Id of this request, which the log has too' },
    messages: MESSAGES,
    ...OPTIONAL,
  },
};

/** All fields of a failure. */
export const FAILURE_FIELDS: ReadonlySet<string> = new Set(Object.keys(FAILURE.properties ?? {}));

/** Adds the schemas of all failures. */
export function addFailures(components: Components): void {
  components.add('ErrorCode', {
    type: 'string',
    enum: allCodes().map(({ code }) => code),
    description: 'What went wrong, for programs; docs/errors.md describes each code.',
  });
  components.add('Failure', components.parts(FAILURE, 'Failure'));
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

const json = (name: string) => ({ 'application/json': { schema: refTo(name) } });

/** References the shared response for these codes, adding it if necessary. No codes means the platform's 401. */
export function failureResponse(responses: FailureResponses, codes: readonly FaultCode[]): Reference {
  const name = codes.length === 0 ? 'Unauthorized' : nameOf(codes);
  responses[name] ??=
    codes.length === 0
      ? { description: 'No session, or an invalid one', content: json('PlatformMessages') }
      : {
          description: codes.map((code) => `\`${code}\`: ${CODES[code].when}`).join('\n'),
          content: json('Failure'),
          'x-error-codes': codes,
        };
  return { $ref: `#/components/responses/${name}` };
}

/** A failure, or an error of the protocol that the endpoint speaks. */
export function protocolError(responses: FailureResponses, codes: readonly FaultCode[], answer: JsonSchema): Reference {
  const name = `ProtocolErrorOr${codes.length === 0 ? 'Nothing' : nameOf(codes)}`;
  const failure = codes.length === 0 ? [] : [refTo('Failure')];
  responses[name] ??= {
    description: ['An error of the protocol', ...codes.map((code) => `\`${code}\`: ${CODES[code].when}`)].join('\n'),
    content: { 'application/json': { schema: { anyOf: [answer, ...failure] } } },
    'x-error-codes': codes,
  };
  return { $ref: `#/components/responses/${name}` };
}

/** The reply to a notification, without content. */
export function noAnswer(responses: FailureResponses): Reference {
  responses.NoAnswer ??= { description: 'Accepted: a notification has no answer' };
  return { $ref: '#/components/responses/NoAnswer' };
}

function nameOf(codes: readonly FaultCode[]): string {
  const short = Object.entries(SHORT_NAMES).find(([, set]) => keyOf(set) === keyOf(codes))?.[0];
  return short ?? codes.map(pascal).join('Or');
}

const keyOf = (codes: readonly string[]) => [...codes].sort().join(' ');
