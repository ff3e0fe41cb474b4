import type { OutboundCode } from '../../contract/codes/outbound.ts';

/** Words of a provider that gives no code for the reason. */
interface WordRow {
  code: OutboundCode;
  provider: string;
  /** When they were last looked up or met. */
  seen: string;
  words: RegExp;
  /** A refusal as the provider words it. */
  says: string;
}

const word = (code: OutboundCode, provider: string, words: RegExp, says: string): WordRow => ({
  code,
  provider,
  seen: '2026-11',
  words,
  says,
});

/** In order: if a refusal has several of the words, the first row counts. */
export const WORD_ROWS: readonly WordRow[] = [
  word(
    'quota_exceeded',
    'Anthropic',
    /credit balance is too low/i,
    'Your credit balance is too low to access the Anthropic API.',
  ),
  word(
    'quota_exceeded',
    'Anthropic',
    /reached your specified (?:\w+ )?api usage limits/i,
    'You have reached your specified API usage limits. You will regain access on 2026-12-01 at 00:00 UTC.',
  ),
  word(
    'quota_exceeded',
    'Azure',
    /out of call volume quota/i,
    'Out of call volume quota. Quota will be replenished in 1.00:00:00.',
  ),
  word(
    'quota_exceeded',
    'LiteLLM',
    /budget has been exceeded|\bover budget\b|\bExceeded\w*Budget\b/i,
    'Budget has been exceeded! Current cost: 12.5, Max budget: 10.0',
  ),
  word(
    'quota_exceeded',
    'SiliconFlow, Zhipu, DeepSeek',
    /\binsufficient (?:account )?(?:balance|funds)\b|\bbalance is (?:insufficient|not enough)\b|余额不足/i,
    'Sorry, your account balance is insufficient',
  ),
  word(
    'quota_exceeded',
    'OpenRouter',
    /\b(?:insufficient|out of) credits\b|\brequires more credits\b|\bkey limit exceeded\b/i,
    'This request requires more credits, or fewer max_tokens. You requested up to 32000 tokens, but can only afford 10.',
  ),
  word(
    'quota_exceeded',
    'xAI',
    /used all available credits|(?:doesn't|does not) have any credits/i,
    "Your newly created team doesn't have any credits yet.",
  ),
  word(
    'quota_exceeded',
    'Fireworks, Groq, xAI',
    /\bspend(?:ing)? limit\b/i,
    'Account x is suspended, possibly due to reaching the monthly spending limit or failure to pay past invoices.',
  ),
  word(
    'quota_exceeded',
    'Hugging Face',
    /exceeded your monthly included credits/i,
    'You have exceeded your monthly included credits for Inference Providers.',
  ),
  word(
    'quota_exceeded',
    'OpenAI, Moonshot',
    /check your plan and billing details/i,
    'You exceeded your current quota, please check your plan and billing details.',
  ),
  word('content_filtered', 'Anthropic', /blocked by content filtering/i, 'Output blocked by content filtering policy'),
  word(
    'content_filtered',
    'LiteLLM',
    /^litellm\.(?:BadRequestError: litellm\.)?ContentPolicyViolationError\b/,
    'litellm.BadRequestError: litellm.ContentPolicyViolationError: refused',
  ),
  word(
    'content_filtered',
    'Azure',
    /content management policy/i,
    "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
  ),
  word('content_filtered', 'DashScope', /inappropriate content/i, 'Input data may contain inappropriate content.'),
  word(
    'content_filtered',
    'OpenAI',
    /\bviolating our usage policy\b|\bresult of our safety system\b/i,
    'Invalid prompt: your prompt was flagged as potentially violating our usage policy. Please try again.',
  ),
  word('content_filtered', 'DeepSeek', /\bcontent exists risk\b/i, 'Content Exists Risk'),
  word(
    'content_filtered',
    'Moonshot',
    /\bconsidered high risk\b/i,
    'The request was rejected because it was considered high risk',
  ),
  word(
    'content_filtered',
    'OpenRouter',
    /\binput was flagged\b/i,
    'Your chosen model requires moderation and your input was flagged for violence.',
  ),
  word('content_filtered', 'Zhipu', /敏感内容/, '系统检测到输入或生成内容可能包含不安全或敏感内容'),
  word(
    'context_length_exceeded',
    'OpenAI, vLLM, SGLang, llama.cpp, Ollama, LM Studio, MiniMax',
    /context (?:length|window|limit|size)/i,
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
  ),
  word(
    'context_length_exceeded',
    'LiteLLM',
    /\bContextWindowExceededError\b/,
    'litellm.ContextWindowExceededError: litellm.BadRequestError: too long',
  ),
  word(
    'context_length_exceeded',
    'Anthropic, Bedrock',
    /\b(?:prompt|input) (?:is )?too long\b/i,
    'prompt is too long: 208310 tokens > 200000 maximum',
  ),
  word(
    'context_length_exceeded',
    'Bedrock',
    /\binput tokens exceed|\bnumber of input tokens exceeds\b/i,
    'Input Tokens Exceeded: Number of input tokens exceeds maximum length.',
  ),
  word(
    'context_length_exceeded',
    'Bedrock (Titan)',
    /too many input tokens/i,
    '400 Bad Request: Too many input tokens. Max input tokens: 8192, request input token count: 9000',
  ),
  word(
    'context_length_exceeded',
    'Gemini',
    /input token count/i,
    'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
  ),
  word(
    'context_length_exceeded',
    'Groq, Cerebras',
    /reduce the length of the (?:messages|prompt|input)/i,
    'Please reduce the length of the messages or completion.',
  ),
  word(
    'context_length_exceeded',
    'TEI, TGI',
    /`?inputs`? must have less than \d+ tokens|`?inputs`? tokens \+ `?max_new_tokens`? must be/i,
    'Input validation error: `inputs` must have less than 1024 tokens. Given: 2048',
  ),
  word(
    'context_length_exceeded',
    'xAI',
    /maximum prompt length/i,
    "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
  ),
  word(
    'context_length_exceeded',
    'Zhipu',
    /\bprompt exceeds max(?:imum)? length\b|\bprompt 超长/i,
    'Prompt exceeds max length',
  ),
  word(
    'context_length_exceeded',
    'OpenAI',
    /\bstring too long\. expected a string with maximum length\b/i,
    "Invalid 'messages[0].content': string too long. Expected a string with maximum length 10485760, but got one of 10485761.",
  ),
  word(
    'context_length_exceeded',
    'Bedrock',
    /\bexpected maxLength: \d/,
    'Malformed input request: expected maxLength: 50000, actual: 60000, please reformat your input and try again.',
  ),
  word(
    'context_length_exceeded',
    'Fireworks, GitHub Copilot',
    /\b(?:prompt|input) (?:length|tokens?|token count)\b[^.]{0,80}\bexceeds?\b|\btokens in the (?:prompt|input)\b[^.]{0,40}\bexceeds?\b/i,
    'prompt token count of 140000 exceeds the limit of 128000',
  ),
  word(
    'context_length_exceeded',
    'DashScope',
    /range of input length should be/i,
    'Range of input length should be [1, 30720]',
  ),
  word(
    'context_length_exceeded',
    'Cohere',
    /\btoo many tokens: |total number of tokens .{0,80}cannot exceed/i,
    'too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 5000.',
  ),
  word(
    'context_length_exceeded',
    'Moonshot',
    /exceeded model token limit/i,
    'Invalid request: Your request exceeded model token limit: 8192 (requested: 9000)',
  ),
  word(
    'context_length_exceeded',
    'vLLM',
    /\b(?:prompt|input) \(length \d+\) is longer than\b/i,
    'The decoder prompt (length 9000) is longer than the maximum model length of 8192.',
  ),
  word(
    'context_length_exceeded',
    'Volcengine',
    /\binput length \d+ exceeds\b/i,
    'Input length 99999 exceeds the maximum length 98304',
  ),
  word(
    'context_length_exceeded',
    'GitHub',
    /\bmax size: \d+ tokens/i,
    'Request body too large for gpt-4o model. Max size: 8000 tokens.',
  ),
  word(
    'model_not_invokable',
    'OpenAI',
    /not a chat model|only supported in v1\/responses/i,
    'This is not a chat model and thus not supported in the v1/chat/completions endpoint.',
  ),
  word(
    'model_not_invokable',
    'Ollama, vLLM',
    /does not support (?:chat|generate)/i,
    '"nomic-embed-text" does not support chat',
  ),
  word(
    'model_not_invokable',
    'Bedrock',
    /on-demand throughput/i,
    "Invocation of model ID x with on-demand throughput isn't supported.",
  ),
  word(
    'model_not_found',
    'OpenAI, vLLM, Ollama, DeepSeek',
    /\bmodel\b.{0,200}\b(?:not exist|not found|unknown)\b/is,
    'The model `x` does not exist or you do not have access to it.',
  ),
  word(
    'model_not_found',
    'LiteLLM, Mistral, Zhipu',
    /\b(?:unknown|invalid) model\b/i,
    'Invalid model name passed in model=x. Call `/v1/models` to view available models for your key.',
  ),
  word(
    'model_not_found',
    'Groq, xAI',
    /\bmodel\b.{0,200}\b(?:has been|was) (?:decommissioned|deprecated|retired|shut down)\b/is,
    'The model `x` has been decommissioned and is no longer supported.',
  ),
  word('model_not_found', 'Zhipu', /模型不存在/, '模型不存在，请检查模型代码。'),
  word(
    'model_not_found',
    'LiteLLM',
    /\bLLM Provider NOT provided\b/,
    'litellm.BadRequestError: LLM Provider NOT provided. Pass in the LLM provider you are trying to call.',
  ),
  word('model_not_found', 'OpenRouter', /\bis not a valid model\b/i, 'foo/bar is not a valid model ID'),
  word('model_not_found', 'OpenRouter', /\bno endpoints found for \S/i, 'No endpoints found for foo/bar.'),
  word('model_not_found', 'Moonshot', /\bnot found the model\b/i, 'Not found the model foo or Permission denied'),
  word(
    'model_not_found',
    'Gemini',
    /\bmodels\/\S{1,200} is not found\b/i,
    'models/x is not found for API version v1beta, or is not supported for generateContent.',
  ),
  word('model_not_found', 'Bedrock', /\bmodel identifier is invalid\b/i, 'The provided model identifier is invalid.'),
  word(
    'model_not_found',
    'Together',
    /\bunable to access model\b/i,
    'Unable to access model x. Please visit the list of models.',
  ),
  word(
    'model_not_found',
    'Hugging Face',
    /\brequested model\b.{0,200}\bis not supported\b/is,
    "The requested model 'x' is not supported by any provider you have enabled.",
  ),
  word('rate_limited', 'OpenRouter', /\brate limit|\btoo many requests\b/i, 'Rate limit exceeded'),
];
