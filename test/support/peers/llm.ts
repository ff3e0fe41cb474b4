import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { createServer as createTcp } from 'node:net';
import type { Provider } from '../../../src/contract/families/llmProviders.ts';
import type { MadeCertificate } from './certificates.ts';
import { listen, readBody, sendJson, startHttp } from './listen.ts';

/** Scripted providers, with the documented bodies, statuses and headers. */

export interface Asked {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: Record<string, unknown>;
}

export interface Scripted {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

export interface ScriptedProvider {
  url: string;
  asked: Asked[];
  close(): Promise<void>;
}

export type Script = (asked: Asked) => Scripted | Promise<Scripted>;

export async function startProvider(script: Script, tls?: MadeCertificate): Promise<ScriptedProvider> {
  const asked: Asked[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const text = await readBody(request).catch(() => '');
    const one = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: text === '' ? {} : JSON.parse(text),
    };
    asked.push(one);
    const { status, body, headers } = await script(one);
    if (typeof body === 'string') response.writeHead(status, headers).end(body);
    else sendJson(response, status, body, headers);
  };
  if (!tls) return { ...(await startHttp((req, res) => void handle(req, res))), asked };
  const { port, close } = await listen(
    createHttps({ cert: tls.cert, key: tls.key }, (req, res) => void handle(req, res)),
  );
  return { url: `https://127.0.0.1:${port}`, close, asked };
}

/** Takes a request and cuts the connection. */
export async function startCutting(): Promise<{ url: string; close(): Promise<void> }> {
  const server = createTcp((socket) => socket.once('data', () => socket.resetAndDestroy()));
  const { port, close } = await listen(server);
  return { url: `http://127.0.0.1:${port}`, close };
}

export const MODEL: Readonly<Record<Provider, string>> = {
  General_Chat: 'gpt-4o-mini',
  Enterprise_Cloud_Chat: 'my-deployment',
  Assistant_Family: 'claude-sonnet-4-5',
  Cloud_Model_Hub: 'anthropic.claude-3-haiku-20240307-v1:0',
  Fast_Inference: 'meta-llama/llama-4-scout-17b-16e-instruct',
  Search_Vendor_Models: 'gemini-2.5-flash',
  Local_Runtime: 'llama3.2:1b',
  Platform_Hosted_Models: 'hosted-small',
};

const SAID = 'ok';

const openAiChat = {
  id: 'chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT',
  object: 'chat.completion',
  created: 1741569952,
  model: 'gpt-4o-mini-2024-07-18',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: SAID, refusal: null, annotations: [] },
      logprobs: null,
      finish_reason: 'stop',
    },
  ],
  usage: { prompt_tokens: 19, completion_tokens: 1, total_tokens: 20 },
};
const openAiList = (...ids: string[]) => ({
  object: 'list',
  data: ids.map((id) => ({ id, object: 'model', created: 1686935002, owned_by: 'organization-owner' })),
});

/** Successful answers of each provider by path; anything else is 404. */
export const WELL: Readonly<Record<Provider, Script>> = {
  General_Chat: byPath({
    'POST /v1/chat/completions': openAiChat,
    'GET /v1/models': openAiList('gpt-4o-mini', 'o4-mini'),
  }),
  Enterprise_Cloud_Chat: byPath({
    'POST /openai/deployments/my-deployment/chat/completions?api-version=2024-10-21': openAiChat,
    'POST /openai/v1/chat/completions': openAiChat,
    'GET /openai/models?api-version=2024-10-21': openAiList('gpt-4o', 'gpt-4o-mini'),
    'GET /openai/v1/models': openAiList('gpt-4o', 'gpt-4o-mini'),
  }),
  Assistant_Family: byPath({
    'POST /v1/messages': {
      id: 'msg_013Zva2CMHLNnXjNJJKqJ2EF',
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      content: [{ type: 'text', text: SAID }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 14, output_tokens: 4 },
    },
    'GET /v1/models?limit=1000': {
      data: [{ type: 'model', id: 'claude-sonnet-4-5', display_name: 'Claude', created_at: '2025-09-29T00:00:00Z' }],
      has_more: true,
      first_id: 'claude-sonnet-4-5',
      last_id: 'claude-sonnet-4-5',
    },
    'GET /v1/models?limit=1000&after_id=claude-sonnet-4-5': {
      data: [{ type: 'model', id: 'claude-haiku-4-5', display_name: 'Claude', created_at: '2025-10-01T00:00:00Z' }],
      has_more: false,
      first_id: 'claude-haiku-4-5',
      last_id: 'claude-haiku-4-5',
    },
  }),
  Cloud_Model_Hub: byPath({
    'POST /model/anthropic.claude-3-haiku-20240307-v1%3A0/converse': {
      metrics: { latencyMs: 551 },
      output: { message: { content: [{ text: SAID }], role: 'assistant' } },
      stopReason: 'end_turn',
      usage: { inputTokens: 13, outputTokens: 4, totalTokens: 17 },
    },
    'GET /foundation-models?byOutputModality=TEXT': {
      modelSummaries: [
        {
          modelArn: 'arn:aws:bedrock:us-east-1::foundation-model/anthropic.claude-3-haiku-20240307-v1:0',
          modelId: 'anthropic.claude-3-haiku-20240307-v1:0',
          modelName: 'Claude 3 Haiku',
          providerName: 'Anthropic',
        },
      ],
    },
    'GET /inference-profiles?maxResults=1000': {
      inferenceProfileSummaries: [
        {
          inferenceProfileArn: 'arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-3-haiku',
          inferenceProfileId: 'us.anthropic.claude-3-haiku',
          inferenceProfileName: 'US Claude 3 Haiku',
          models: [],
          status: 'ACTIVE',
          type: 'SYSTEM_DEFINED',
        },
      ],
    },
  }),
  Fast_Inference: byPath({
    'POST /openai/v1/chat/completions': openAiChat,
    'GET /openai/v1/models': openAiList('meta-llama/llama-4-scout-17b-16e-instruct'),
  }),
  Search_Vendor_Models: byPath({
    'POST /v1/models/gemini-2.5-flash:generateContent': {
      candidates: [{ content: { parts: [{ text: SAID }], role: 'model' }, finishReason: 'STOP', index: 0 }],
      usageMetadata: { promptTokenCount: 8, candidatesTokenCount: 1, totalTokenCount: 9 },
      modelVersion: 'gemini-2.5-flash',
    },
    'GET /v1beta/models?pageSize=1000': {
      models: [{ name: 'models/gemini-2.5-flash', version: '001', supportedGenerationMethods: ['generateContent'] }],
      nextPageToken: 'Ch9tb2RlbHM',
    },
    'GET /v1beta/models?pageSize=1000&pageToken=Ch9tb2RlbHM': {
      models: [{ name: 'models/gemini-flash-latest', version: '001' }],
    },
  }),
  Local_Runtime: byPath({
    'POST /api/chat': {
      model: 'llama3.2:1b',
      created_at: '2025-10-17T23:14:07.414671Z',
      message: { role: 'assistant', content: SAID },
      done: true,
      done_reason: 'stop',
      total_duration: 174560334,
    },
    'GET /api/tags': {
      models: [{ name: 'llama3.2:1b', model: 'llama3.2:1b', modified_at: '2025-10-03T23:34:03Z', size: 1321098329 }],
    },
  }),
  Platform_Hosted_Models: byPath({
    'POST /chat/completions': openAiChat,
    'GET /models': openAiList('hosted-small'),
  }),
};

function byPath(table: Record<string, unknown>): Script {
  return ({ method, path }) => {
    const body = table[`${method} ${path}`];
    return body === undefined ? { status: 404, body: { error: `no such path: ${path}` } } : { status: 200, body };
  };
}

export type ProviderFault = 'bad_key' | 'no_permission' | 'unknown_model' | 'rate_limited' | 'quota';
export const EXPECTED: Readonly<Record<ProviderFault, string>> = {
  bad_key: 'auth_failed',
  no_permission: 'permission_denied',
  unknown_model: 'model_not_found',
  rate_limited: 'rate_limited',
  quota: 'quota_exceeded',
};

const refused = (status: number, body: unknown, headers: Record<string, string> = {}): Scripted => ({
  status,
  body,
  headers,
});
const throttled = (answer: Scripted): Scripted => ({ ...answer, headers: { ...answer.headers, 'retry-after': '7' } });
const openAi = (status: number, type: string, code: string | null, message: string) =>
  refused(status, { error: { message, type, param: null, code } });
const azure = (status: number, code: string, message: string) => refused(status, { error: { code, message } });
const anthropic = (status: number, type: string, message: string) =>
  refused(status, { type: 'error', error: { type, message }, request_id: 'req_011CSHoEeqs5C35K2UUqR7Fy' });
const aws = (status: number, name: string, message: string) =>
  refused(
    status,
    { message },
    { 'x-amzn-errortype': `${name}:http://internal.amazon.com/coral/com.amazonaws.bedrock/` },
  );
const gemini = (code: number, status: string, message: string, details: Record<string, object> = {}) =>
  refused(code, {
    error: {
      code,
      message,
      status,
      details: Object.entries(details).map(([type, detail]) => ({
        '@type': `type.googleapis.com/google.rpc.${type}`,
        ...detail,
      })),
    },
  });
const geminiQuota = (period: string, quotaValue: string) => ({
  QuotaFailure: { violations: [{ quotaId: `GenerateRequestsPer${period}PerProjectPerModel-FreeTier`, quotaValue }] },
});

type Faults = Partial<Record<ProviderFault, Scripted & { only?: 'list' }>>;

const OPENAI: Faults = {
  no_permission: openAi(
    403,
    'invalid_request_error',
    'model_not_found',
    'Project `proj_x` does not have access to model `gpt-5`',
  ),
  unknown_model: openAi(
    404,
    'invalid_request_error',
    'model_not_found',
    'The model `nope` does not exist or you do not have access to it.',
  ),
  rate_limited: throttled(
    openAi(
      429,
      'requests',
      'rate_limit_exceeded',
      'Rate limit reached for gpt-4o-mini in organization org-x on requests per min (RPM)',
    ),
  ),
  quota: openAi(
    429,
    'insufficient_quota',
    'insufficient_quota',
    'You exceeded your current quota, please check your plan and billing details.',
  ),
};
/** OpenAI quotes the key. */
const openAiWith = (key: string): Faults => ({
  ...OPENAI,
  bad_key: openAi(
    401,
    'invalid_request_error',
    'invalid_api_key',
    `Incorrect API key provided: ${key}. You can find your API key at …`,
  ),
});

const FAULTS: Readonly<Record<Exclude<Provider, 'General_Chat' | 'Platform_Hosted_Models'>, Faults>> = {
  Fast_Inference: {
    bad_key: openAi(401, 'invalid_request_error', 'invalid_api_key', 'Invalid API Key'),
    no_permission: openAi(
      403,
      'permissions_error',
      'model_permission_blocked_org',
      'The model is blocked at the organization level.',
    ),
    unknown_model: OPENAI.unknown_model as Scripted,
    rate_limited: throttled(
      openAi(429, 'tokens', 'rate_limit_exceeded', 'Rate limit reached for model `x`. Please try again in 7.66s.'),
    ),
    quota: openAi(402, 'billing_error', null, 'Your organization has exceeded its spend limit.'),
  },
  Enterprise_Cloud_Chat: {
    bad_key: azure(401, '401', 'Access denied due to invalid subscription key or wrong API endpoint.'),
    no_permission: azure(401, 'PermissionDenied', 'The principal lacks the required data action.'),
    unknown_model: azure(404, 'DeploymentNotFound', 'The API deployment for this resource does not exist.'),
    rate_limited: throttled(
      azure(429, '429', 'Requests to the ChatCompletions_Create Operation have exceeded token rate limit.'),
    ),
    quota: azure(403, '403', 'Out of call volume quota. Quota will be replenished in 13.02:22:04.'),
  },
  Assistant_Family: {
    bad_key: anthropic(401, 'authentication_error', 'invalid x-api-key'),
    no_permission: anthropic(
      403,
      'permission_error',
      'Your API key does not have permission to use the specified resource.',
    ),
    unknown_model: anthropic(404, 'not_found_error', 'model: nope'),
    rate_limited: throttled(
      anthropic(429, 'rate_limit_error', 'Number of request tokens has exceeded your rate limit'),
    ),
    quota: anthropic(402, 'billing_error', "There's an issue with your billing or payment information."),
  },
  Cloud_Model_Hub: {
    bad_key: aws(403, 'UnrecognizedClientException', 'The security token included in the request is invalid.'),
    no_permission: aws(403, 'AccessDeniedException', "You don't have access to the model with the specified model ID."),
    unknown_model: aws(400, 'ValidationException', 'The provided model identifier is invalid.'),
    rate_limited: throttled(aws(429, 'ThrottlingException', 'Too many requests, please wait before trying again.')),
    quota: aws(400, 'ServiceQuotaExceededException', 'Your request exceeds the service quota for your account.'),
  },
  Search_Vendor_Models: {
    bad_key: gemini(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', {
      ErrorInfo: { reason: 'API_KEY_INVALID', domain: 'googleapis.com' },
    }),
    no_permission: gemini(403, 'PERMISSION_DENIED', 'Generative Language API has not been used in project 1 before.', {
      ErrorInfo: { reason: 'SERVICE_DISABLED' },
    }),
    unknown_model: gemini(404, 'NOT_FOUND', 'models/nope is not found for API version v1, or is not supported.'),
    rate_limited: gemini(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota. Please retry in 6.5s.', {
      ...geminiQuota('Minute', '10'),
      RetryInfo: { retryDelay: '6.5s' },
    }),
    quota: gemini(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota.', geminiQuota('Day', '250')),
  },
  Local_Runtime: {
    // Its own cloud, or a proxy in front of it.
    bad_key: refused(401, { error: 'unauthorized' }),
    no_permission: refused(403, { error: 'forbidden' }),
    unknown_model: { status: 200, body: { models: [{ name: 'other:latest' }] }, only: 'list' },
    rate_limited: throttled(refused(429, { error: 'too many requests' })),
  },
};

/** The answer of a provider with this fault; undefined if it has none. @param key quoted if the provider quotes keys */
export function faultOf(service: Provider, fault: ProviderFault, key: string) {
  const isOpenAi = service === 'General_Chat' || service === 'Platform_Hosted_Models';
  return (isOpenAi ? openAiWith(key) : FAULTS[service])[fault];
}
