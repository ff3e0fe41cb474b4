import { Type } from 'typebox';
import { USE_GATEWAY } from '../../contract/capabilities.ts';
import type { FaultCode } from '../../contract/codes/codes.ts';
import { OUTBOUND_CODES } from '../../contract/codes/outbound.ts';
import { endpoints } from '../../contract/rows/endpoint.ts';
import { named } from '../../contract/schemas/named.ts';
import { ChatBody, ChatReply, EmbeddingBody, EmbeddingReply, Model, ModelList } from '../schemas.ts';
import { CountTokensBody, CountTokensReply, MessagesBody, MessagesReply } from './messages/schemas.ts';
import { ResponsesBody, ResponsesReply } from './responses/schemas.ts';

const MEGABYTE = 1024 * 1024;
/** Codes of what is masked before it is sent. */
export const MASKING_FAULTS = ['content_refused', 'masking_failed'] as const satisfies readonly FaultCode[];
/** Codes of a use of a model. */
const USE_FAULTS = [
  'not_found',
  'ambiguous_reference',
  'invalid_state',
  'too_many_requests',
  'limit_exceeded',
  ...OUTBOUND_CODES,
  'context_length_exceeded',
  'content_filtered',
  'invalid_structured_output',
  ...MASKING_FAULTS,
] as const satisfies readonly FaultCode[];
const LLM = { gate: USE_GATEWAY, flag: 'llm_providers', acl: true, addition: true } as const;
export const UNAUDITED = 'A use is no change; who used what is counted as usage.';

const DropUnsupported = Type.Optional(
  Type.Boolean({
    description:
      'Leave out what the provider cannot do and name it in ml.warnings, instead of failing; the header X-ML-Drop-Unsupported does the same',
  }),
);
const CHAT = {
  ...LLM,
  method: 'POST',
  exactIntegers: true,
  keepsUnknown: true,
  limited: true,
  maxBody: 16 * MEGABYTE,
  bare: true,
  unaudited: UNAUDITED,
  callsUpstream: 'maybe',
  faults: USE_FAULTS,
} as const;

const Probe = named(
  'GatewayProbe',
  Type.Object({ version: Type.String({ description: 'Version of the app' }) }, { description: 'The gateway' }),
);

/** Models, in the forms of their makers. */
export const modelEndpoints = endpoints({
  createChatCompletion: {
    ...CHAT,
    path: '/ai_gateway/v1/chat/completions',
    summary: "Asks a language model, in the form of OpenAI's Chat Completions.",
    query: Type.Object({
      drop_unsupported: DropUnsupported,
      deadline_s: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 3600,
          description: 'Time limit in seconds, up to long_deadline_s. Default: deadline_s',
        }),
      ),
    }),
    body: ChatBody,
    reply: ChatReply,
  },
  createResponse: {
    ...CHAT,
    path: '/ai_gateway/v1/responses',
    summary: "Asks a language model, in the form of OpenAI's Responses.",
    query: Type.Object({ drop_unsupported: DropUnsupported }),
    body: ResponsesBody,
    reply: ResponsesReply,
  },
  createMessage: {
    ...CHAT,
    path: '/ai_gateway/v1/messages',
    summary: "Asks a language model, in the form of Anthropic's Messages.",
    query: Type.Object({ drop_unsupported: DropUnsupported }),
    body: MessagesBody,
    reply: MessagesReply,
    overloadStatus: true,
  },
  countMessageTokens: {
    ...LLM,
    method: 'POST',
    path: '/ai_gateway/v1/messages/count_tokens',
    summary: 'Estimates the tokens of a message, without asking a provider.',
    exactIntegers: true,
    keepsUnknown: true,
    maxBody: 16 * MEGABYTE,
    body: CountTokensBody,
    reply: CountTokensReply,
    bare: true,
    unaudited: 'It estimates a number, and uses nothing.',
    faults: ['not_found', 'ambiguous_reference', 'not_supported'],
  },
  createEmbedding: {
    ...LLM,
    method: 'POST',
    path: '/ai_gateway/v1/embeddings',
    summary: "Makes vectors of texts, in the form of OpenAI's Embeddings.",
    body: EmbeddingBody,
    keepsUnknown: true,
    limited: true,
    maxBody: 16 * MEGABYTE,
    reply: EmbeddingReply,
    bare: true,
    unaudited: UNAUDITED,
    callsUpstream: 'maybe',
    faults: USE_FAULTS,
  },
  probeGateway: {
    gate: 'session',
    addition: true,
    storeless: true,
    method: 'GET',
    path: '/ai_gateway',
    summary: 'That the gateway is there, as clients ask at their start.',
    reply: Probe,
    faults: [],
  },
  probeGatewayApi: {
    gate: 'session',
    addition: true,
    storeless: true,
    method: 'GET',
    path: '/ai_gateway/v1',
    summary: 'The same at the address that clients of OpenAI are given.',
    reply: Probe,
    faults: [],
  },
  listGatewayModels: {
    ...LLM,
    method: 'GET',
    path: '/ai_gateway/v1/models',
    summary: 'The models that the caller may use, aliases first.',
    reply: ModelList,
    bare: true,
    faults: [],
  },
  getGatewayModel: {
    ...LLM,
    method: 'GET',
    path: '/ai_gateway/v1/models/{model...}',
    summary: 'One model that the caller may use.',
    params: Type.Object({ model: Type.String({ minLength: 1, maxLength: 800, description: 'A model reference' }) }),
    reply: Model,
    bare: true,
    faults: ['not_found', 'ambiguous_reference'],
  },
});
