import type { ChatRequest } from '../../../../src/families/llm-providers/chat/chat.ts';

export const parameters = { type: 'object', properties: { city: { type: 'string' } } };
export const CALL = { id: 'c1', name: 'weather', arguments: '{"city":"Ulm"}' };
const image = { type: 'image', mediaType: 'image/png', data: 'aGk=' } as const;

/** A turn with a tool behind it, and a picture. */
export const TURNS: ChatRequest = {
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'developer', content: 'No jokes.' },
    { role: 'user', content: [{ type: 'text', text: 'Look' }, image] },
    { role: 'assistant', content: '', toolCalls: [CALL] },
    { role: 'tool', toolCallId: 'c1', content: 'sunny' },
    { role: 'user', content: 'And now?' },
  ],
  tools: [{ name: 'weather', description: 'Tells it', parameters }],
  toolChoice: { name: 'weather' },
  maxTokens: 100,
  temperature: 1.5,
  stop: ['END'],
};

const ASK: ChatRequest = { messages: [{ role: 'user', content: 'Hello?' }] };
export const SCHEMA: ChatRequest = {
  messages: [{ role: 'system', content: 'Only system' }],
  responseFormat: { type: 'json_schema', name: 'n', schema: { type: 'object' } },
};
export const asking = (more: Partial<ChatRequest>): ChatRequest => ({ ...ASK, ...more });
export const weatherTool = (more: object) => ({ name: 'weather', description: 'Tells it', ...more });

export const usage = (input: [number, number?, number?], output: [number, number?]) => ({
  input: { total: input[0], cached: input[1], cacheWritten: input[2] },
  output: { total: output[0], reasoning: output[1] },
});

/** What only OpenAI's dialect has, and what it is called in a refusal. */
export const OPENAI_ONLY: [Partial<ChatRequest>, string][] = [
  [{ verbosity: 'low' }, 'verbosity'],
  [{ logprobs: true }, 'logprobs'],
  [{ topLogprobs: 2 }, 'top_logprobs'],
  [{ logitBias: { 50256: -100 } }, 'logit_bias'],
  [{ extra: { min_p: 0.5 } }, 'min_p'],
  [{ messages: [{ role: 'user', content: 'x', name: 'ann' }] }, 'messages[].name'],
  [
    {
      messages: [{ role: 'user', content: [{ type: 'image', mediaType: 'image/png', data: 'aGk=', detail: 'high' }] }],
    },
    'image_url.detail',
  ],
  [{ messages: [{ role: 'user', content: [{ type: 'file_id', id: 'file-1' }] }] }, 'file.file_id'],
];

/** The defaults of OpenAI, which ask for nothing. */
export const DEFAULTS: Partial<ChatRequest> = {
  topP: 1,
  frequencyPenalty: 0,
  presencePenalty: 0,
  verbosity: 'medium',
  logprobs: false,
  topLogprobs: 0,
  logitBias: {},
  toolChoice: 'auto',
  parallelToolCalls: true,
  responseFormat: { type: 'text' },
  hints: { store: false, service_tier: 'auto' },
};
export const HINTS: ChatRequest['hints'] = {
  user: 'ann',
  safety_identifier: 's',
  metadata: { team: 'soc' },
  store: true,
  prompt_cache_key: 'k',
  service_tier: 'flex',
};
