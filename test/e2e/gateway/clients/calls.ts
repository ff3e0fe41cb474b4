/** One call of an SDK, the same for Python and Node. */
export interface SdkCall {
  title: string;
  /** Default: a chat. */
  method?: string;
  /** A positional argument. */
  id?: string;
  args?: Record<string, unknown>;
  as?: 'anna' | 'reader' | 'stranger';
  /** Paths of the result (of the list of chunks or models where it is one) with their values. */
  gives?: Record<string, unknown>;
  fails?: { class: string; status: number; code: string | null; type?: string; param?: string };
  /** Requests to the upstream; default 1. */
  upstream?: number;
}

const hello = [{ role: 'user', content: 'hello' }];
const chat = (args: Record<string, unknown>) => ({ model: 'up/m', messages: hello, ...args });
const says = (content: string) => [{ role: 'user', content }];
const toolNamed = (name: string) => ({
  type: 'function',
  function: { name, description: 'Weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
});
const weather = toolNamed('weather');
const calls = [{ id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Zürich"}' } }];
const schema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'], additionalProperties: false };
const json = { type: 'json_schema', json_schema: { name: 'count', strict: true, schema } };
const image = (url: string) => [
  {
    role: 'user',
    content: [
      { type: 'text', text: 'see' },
      { type: 'image_url', image_url: { url } },
    ],
  },
];
const PIXEL = 'data:image/png;base64,iVBORw0KGgo=';
const EMBED = 'embeddings.create';

const CHATS: SdkCall[] = [
  {
    title: 'a chat',
    args: chat({}),
    gives: {
      object: 'chat.completion',
      model: 'up/m',
      'choices.0.message.content': 'user: hello',
      'choices.0.finish_reason': 'stop',
      'usage.total_tokens': 9,
      'ml.connection_name': 'up',
      'ml.attempts': 1,
    },
  },
  {
    title: 'all roles',
    args: chat({
      messages: [{ role: 'system', content: 'a' }, ...hello, { role: 'assistant', content: 'b' }, ...says('more')],
    }),
    gives: { 'choices.0.message.content': 'system,user,assistant,user: more' },
  },
  {
    title: 'a system message alone',
    args: chat({ messages: [{ role: 'system', content: 'a' }] }),
    gives: { 'choices.0.message.content': 'system: a' },
  },
  { title: 'an alias', args: chat({ model: 'helper' }), gives: { model: 'helper', 'ml.model': 'm' } },
  { title: 'a reference with the service', args: chat({ model: 'General_Chat/up/m' }), gives: { 'ml.model': 'm' } },
  {
    title: 'a bare model with slashes',
    args: chat({ model: 'org/large:free' }),
    gives: { 'ml.connection_name': 'hub' },
  },
  { title: 'another case of the connection', args: chat({ model: 'UP/m' }), gives: { 'ml.connection_name': 'up' } },
  {
    title: 'sampling parameters',
    args: chat({ temperature: 0.2, top_p: 0.5, stop: ['x'], seed: 1, presence_penalty: 0.1, frequency_penalty: 0.1 }),
    gives: { 'ml.warnings': [] },
  },
  { title: 'max_completion_tokens', args: chat({ max_completion_tokens: 5 }), gives: { 'ml.warnings': [] } },
  { title: 'user and metadata', args: chat({ user: 'u', metadata: { a: 'b' }, store: false }), gives: {} },
  {
    title: 'text beyond ASCII',
    args: chat({ messages: says('Grüße 🦊 \u0000') }),
    gives: { 'choices.0.message.content': 'user: Grüße 🦊 \u0000' },
  },
  { title: 'logprobs', args: chat({ logprobs: true }), gives: { 'choices.0.logprobs.content.0.token': 'ok' } },
  {
    title: 'an image as data',
    args: chat({ messages: image(PIXEL) }),
    gives: { 'choices.0.message.content': `user: see image ${PIXEL}` },
  },
  {
    title: 'an image by address',
    args: chat({ messages: image('https://example.com/a.png') }),
    gives: { 'choices.0.message.content': 'user: see image https://example.com/a.png' },
  },
  {
    title: 'a tool call',
    args: chat({ tools: [weather] }),
    gives: {
      'choices.0.finish_reason': 'tool_calls',
      'choices.0.message.tool_calls': calls,
      'choices.0.message.content': null,
    },
  },
  {
    title: 'two tool calls',
    args: chat({ tools: [weather, toolNamed('time')] }),
    gives: { 'choices.0.message.tool_calls.1.id': 'call_2' },
  },
  {
    title: 'a chosen tool',
    args: chat({ tools: [weather, toolNamed('time')], tool_choice: { type: 'function', function: { name: 'time' } } }),
    gives: { 'choices.0.message.tool_calls.0.function.name': 'time' },
  },
  {
    title: 'no tool',
    args: chat({ tools: [weather], tool_choice: 'none' }),
    gives: { 'choices.0.message.content': 'user: hello' },
  },
  {
    title: 'the result of a tool',
    args: chat({
      tools: [weather],
      messages: [
        ...hello,
        { role: 'assistant', content: null, tool_calls: calls },
        { role: 'tool', tool_call_id: 'call_1', content: 'rain' },
      ],
    }),
    gives: { 'choices.0.message.content': 'user,assistant,tool: rain' },
  },
  {
    title: 'any JSON',
    args: chat({ response_format: { type: 'json_object' } }),
    gives: { 'choices.0.message.content': '{"setup":"a","punchline":"b"}' },
  },
  {
    title: 'JSON of a schema',
    args: chat({ response_format: json }),
    gives: { 'choices.0.message.content': '{"n":3}' },
  },
];

const STREAMS: SdkCall[] = [
  {
    title: 'a stream',
    args: chat({ stream: true }),
    gives: {
      length: 3,
      '0.choices.0.delta.role': 'assistant',
      '1.choices.0.delta.content': 'user: hello',
      '2.choices.0.finish_reason': 'stop',
    },
  },
  {
    title: 'a stream with usage',
    args: chat({ stream: true, stream_options: { include_usage: true } }),
    gives: { length: 4, '1.usage': null, '3.choices': [], '3.usage.total_tokens': 9 },
  },
  {
    title: 'a stream of a tool call',
    args: chat({ stream: true, tools: [weather] }),
    gives: {
      '1.choices.0.delta.tool_calls.0.index': 0,
      '1.choices.0.delta.tool_calls.0.function.name': 'weather',
      '2.choices.0.finish_reason': 'tool_calls',
    },
  },
];

const EMBEDDINGS: SdkCall[] = [
  {
    title: 'an embedding, in base64',
    method: EMBED,
    args: { model: 'up/m', input: 'abcd' },
    gives: { 'data.0.embedding': [4, 4.25, 4.5], 'usage.total_tokens': 5 },
  },
  {
    title: 'embeddings as numbers',
    method: EMBED,
    args: { model: 'up/m', input: ['ab', 'abc'], encoding_format: 'float' },
    gives: { 'data.0.embedding.0': 2, 'data.1.embedding.0': 3, 'data.1.index': 1 },
  },
  {
    title: 'dimensions',
    method: EMBED,
    args: { model: 'up/m', input: 'a', dimensions: 2 },
    gives: { 'data.0.embedding': [1, 1.25] },
  },
  { title: 'tokens', method: EMBED, args: { model: 'up/m', input: [1, 22] }, gives: { 'data.0.embedding.0': 4 } },
  {
    title: 'an empty text',
    method: EMBED,
    args: { model: 'up/m', input: '' },
    fails: { class: 'BadRequestError', status: 400, code: 'validation_failed', param: 'input' },
    upstream: 0,
  },
];

const MODELS: SdkCall[] = [
  {
    title: 'models',
    method: 'models.list',
    gives: { '0.id': 'helper', '0.owned_by': 'alias', '0.object': 'model' },
    upstream: 0,
  },
  {
    title: 'a model',
    method: 'models.retrieve',
    id: 'hub/org/large:free',
    gives: { id: 'hub/org/large:free', owned_by: 'General_Chat' },
    upstream: 0,
  },
  {
    title: 'an unknown model',
    method: 'models.retrieve',
    id: 'none/x',
    fails: { class: 'NotFoundError', status: 404, code: 'not_found', type: 'invalid_request_error' },
    upstream: 0,
  },
];

const failure = (
  title: string,
  model: string,
  name: string,
  status: number,
  code: string,
  upstream: number,
  type = 'invalid_request_error',
): SdkCall => ({
  title,
  args: chat({ model }),
  fails: { class: name, status, code, type },
  upstream,
});
const refused = (title: string, args: Record<string, unknown>, code: string, param: string): SdkCall => ({
  title,
  args: chat(args),
  fails: { class: 'BadRequestError', status: 400, code, type: 'invalid_request_error', param },
  upstream: 0,
});

const FAILURES: SdkCall[] = [
  refused('two choices', { n: 2 }, 'not_supported', 'n'),
  refused('functions of old', { functions: [{ name: 'f' }] }, 'not_supported', 'functions'),
  refused('a temperature beyond the range', { temperature: 3 }, 'validation_failed', 'temperature'),
  refused('no message', { messages: [] }, 'validation_failed', 'messages'),
  failure('an unknown reference', 'none/x', 'NotFoundError', 404, 'not_found', 0),
  failure('a model that the provider lacks', 'hub/fail-model', 'NotFoundError', 404, 'model_not_found', 1),
  failure('a key that the provider refuses', 'hub/fail-key', 'InternalServerError', 502, 'auth_failed', 1, 'api_error'),
  failure('a request that the provider refuses', 'hub/fail-request', 'BadRequestError', 400, 'bad_request', 1),
  failure('a prompt that is too long', 'hub/fail-length', 'BadRequestError', 400, 'context_length_exceeded', 1),
  failure('a filtered prompt', 'hub/fail-filter', 'BadRequestError', 400, 'content_filter', 1),
  failure('too many requests', 'hub/fail-limit', 'RateLimitError', 429, 'rate_limited', 3, 'rate_limit_error'),
  failure('no quota', 'hub/fail-quota', 'RateLimitError', 429, 'quota_exceeded', 1, 'insufficient_quota'),
  failure('an error of the provider', 'hub/fail-error', 'InternalServerError', 502, 'upstream_error', 3, 'api_error'),
  // The gateway repeats each of the client's three requests.
  failure('an overloaded provider', 'hub/fail-overload', 'InternalServerError', 502, 'upstream_error', 6, 'api_error'),
  {
    title: 'an answer that never matches the schema',
    args: chat({ response_format: json, messages: says('wrong') }),
    fails: { class: 'InternalServerError', status: 502, code: 'invalid_structured_output', type: 'api_error' },
    upstream: 2,
  },
  {
    title: 'a stream that fails',
    args: chat({ model: 'hub/fail-model', stream: true }),
    fails: { class: 'NotFoundError', status: 404, code: 'model_not_found' },
  },
  {
    title: 'a caller without the capability',
    args: chat({}),
    as: 'reader',
    fails: { class: 'PermissionDeniedError', status: 403, code: 'missing_capability', type: 'permission_error' },
    upstream: 0,
  },
  // The platform itself answers.
  {
    title: 'an invalid token',
    args: chat({}),
    as: 'stranger',
    fails: { class: 'AuthenticationError', status: 401, code: null },
    upstream: 0,
  },
];

export const SDK_CALLS: readonly SdkCall[] = [...CHATS, ...STREAMS, ...EMBEDDINGS, ...MODELS, ...FAILURES];
