import { Type } from 'typebox';
import { named } from '../contract/schemas/named.ts';
import {
  Anything,
  Clearable,
  HINT_FIELDS,
  Json,
  MaskFields,
  ModelReference,
  Nullable,
  OWN_FIELDS,
  Row,
  SAMPLING_FIELDS,
  Text,
  TopK,
  UseFacts,
} from './schemaParts.ts';

const Optional = Type.Optional;

const Message = named(
  'ChatMessage',
  Type.Object(
    {
      role: Type.Enum(['system', 'developer', 'user', 'assistant', 'tool'], { description: 'Who speaks' }),
      content: Optional(
        Anything(
          'Text, or parts: {type: text, text}, and of users and tools {type: image_url, image_url: {url}}, {type: file, file}; may be null beside tool_calls',
        ),
      ),
      name: Clearable(Text('Name of the speaker', 256)),
      refusal: Clearable(Text('Refusal of the model')),
      tool_calls: Clearable(
        Type.Array(Anything('{id, type: function, function: {name, arguments}}'), {
          description: 'Calls of an assistant message',
        }),
      ),
      reasoning_content: Clearable(Text('Thoughts of an earlier answer, for the servers that gave them')),
      tool_call_id: Clearable(Text('The call that this message answers', 1024)),
    },
    { additionalProperties: true, description: "A message as in OpenAI's Chat Completions" },
  ),
);

const Tool = named(
  'ChatTool',
  Type.Object(
    {
      type: Type.Enum(['function'], { description: 'The only kind' }),
      function: Type.Object(
        {
          name: Type.String({ minLength: 1, maxLength: 128, description: 'Name of the tool' }),
          description: Clearable(Text('What it does')),
          parameters: Clearable(
            Type.Record(Type.String(), Type.Unknown(), { description: 'JSON schema of the arguments' }),
          ),
          strict: Clearable(Type.Boolean({ description: 'Arguments must match the schema' })),
        },
        { additionalProperties: true, description: 'The tool' },
      ),
    },
    { additionalProperties: true, description: 'A tool that the model may call' },
  ),
);

export const ChatBody = named(
  'ChatCompletionRequest',
  Type.Object(
    {
      model: Clearable(ModelReference),
      messages: Type.Array(Message, { minItems: 1, maxItems: 10_000, description: 'The conversation, oldest first' }),
      tools: Clearable(Type.Array(Tool, { maxItems: 512, description: 'Tools that the model may call' })),
      tool_choice: Optional(Anything('`auto`, `none`, `required`, or {type: function, function: {name}}')),
      parallel_tool_calls: Clearable(Type.Boolean({ description: 'Whether an answer may have several calls' })),
      max_tokens: Clearable(
        Type.Integer({ minimum: 1, description: 'Longest answer; at most that of the configuration' }),
      ),
      max_completion_tokens: Clearable(Type.Integer({ minimum: 1, description: 'The same' })),
      ...SAMPLING_FIELDS,
      top_k: TopK,
      stop: Clearable(
        Type.Union(
          [
            Text('Text that ends the answer', 4096),
            Type.Array(Text('Text that ends the answer', 4096), { maxItems: 16 }),
          ],
          { description: 'Texts that end the answer' },
        ),
      ),
      seed: Clearable(Type.Integer({ description: 'For repeatable answers' })),
      n: Clearable(Type.Integer({ minimum: 1, description: 'Only 1' })),
      frequency_penalty: Clearable(Type.Number({ minimum: -2, maximum: 2, description: 'From -2 to 2' })),
      presence_penalty: Clearable(Type.Number({ minimum: -2, maximum: 2, description: 'From -2 to 2' })),
      logprobs: Clearable(Type.Boolean({ description: 'Whether to return log probabilities' })),
      top_logprobs: Clearable(Type.Integer({ minimum: 0, maximum: 20, description: 'How many for each token' })),
      logit_bias: Clearable(Type.Record(Type.String(), Nullable(Type.Number()), { description: 'Token -> bias' })),
      reasoning_effort: Clearable(Text('none, minimal, low, medium, high or xhigh', 32)),
      verbosity: Clearable(Text('low, medium or high', 32)),
      response_format: Optional(
        Anything('{type: text}, {type: json_object} or {type: json_schema, json_schema: {name, schema, strict}}'),
      ),
      stream: Clearable(Type.Boolean({ description: 'Answer with a complete event stream' })),
      stream_options: Clearable(
        Type.Object(
          { include_usage: Clearable(Type.Boolean({ description: 'Whether the last chunk has the usage' })) },
          { additionalProperties: true, description: 'Options of the stream' },
        ),
      ),
      ...HINT_FIELDS,
      metadata: Clearable(
        Type.Record(Type.String(), Nullable(Type.String()), { description: 'A hint for the provider' }),
      ),
      store: Clearable(Type.Boolean({ description: 'A hint for the provider' })),
      ...OWN_FIELDS,
    },
    {
      additionalProperties: true,
      description:
        "OpenAI's Chat Completions request. Other fields go through to providers that speak OpenAI's dialect, and are not_supported elsewhere.",
    },
  ),
);

const Usage = named(
  'TokenUsage',
  Type.Object(
    {
      prompt_tokens: Type.Integer({ description: 'Tokens read, cached ones included' }),
      completion_tokens: Optional(Type.Integer({ description: 'Tokens written, reasoning included' })),
      total_tokens: Type.Integer({ description: 'prompt_tokens + completion_tokens' }),
      prompt_tokens_details: Optional(
        Type.Record(Type.String(), Type.Integer(), { description: 'cached_tokens, cache_write_tokens' }),
      ),
      completion_tokens_details: Optional(
        Type.Record(Type.String(), Type.Integer(), { description: 'reasoning_tokens' }),
      ),
    },
    { description: 'Tokens used' },
  ),
);

export const ChatReply = named(
  'ChatCompletion',
  Type.Object(
    {
      id: Type.String({ description: 'Id of the answer' }),
      object: Type.Literal('chat.completion', { description: 'Kind of object' }),
      created: Type.Integer({ description: 'Epoch seconds' }),
      model: Type.String({ description: 'The reference that was asked for' }),
      choices: Type.Array(Json('{index, message, finish_reason, logprobs}'), { description: 'One answer' }),
      usage: Usage,
      ml: UseFacts,
    },
    { description: "OpenAI's object with ml" },
  ),
);

export const EmbeddingBody = named(
  'EmbeddingRequest',
  Type.Object(
    {
      model: Clearable(ModelReference),
      input: Anything('A text, up to 2048 texts, or token ids for providers that take them'),
      dimensions: Clearable(Type.Integer({ minimum: 1, maximum: 100_000, description: 'Length of each vector' })),
      encoding_format: Clearable(
        Type.Enum(['float', 'base64'], {
          default: 'float',
          description: 'Form of the vectors; base64 of little-endian float32',
        }),
      ),
      input_type: Clearable(
        Type.Enum(['document', 'query'], {
          default: 'document',
          description: 'What the texts are, for models that tell them apart',
        }),
      ),
      user: Clearable(Text('End user, a hint for the provider', 1024)),
      mask_fields: MaskFields,
      row: Row,
    },
    { additionalProperties: true, description: "OpenAI's Embeddings request with input_type" },
  ),
);

export const EmbeddingReply = named(
  'EmbeddingList',
  Type.Object(
    {
      object: Type.Literal('list', { description: 'Kind of object' }),
      data: Type.Array(Json('{object: embedding, index, embedding}'), {
        description: 'One entry for each input, in order',
      }),
      model: Type.String({ description: 'The reference that was asked for' }),
      usage: Usage,
      ml: UseFacts,
    },
    { description: "OpenAI's object with ml" },
  ),
);

export const Model = named(
  'GatewayModel',
  Type.Object(
    {
      id: Type.String({ description: 'A model reference' }),
      object: Type.Literal('model', { description: 'Kind of object' }),
      created: Type.Integer({ description: 'Epoch seconds' }),
      owned_by: Type.String({ description: 'Service of the model; `alias` for an alias' }),
      type: Type.Literal('model', { description: "Kind of object, in Anthropic's words" }),
      display_name: Type.String({ description: 'The same as id' }),
      created_at: Type.String({ description: 'The same as created, as ISO 8601' }),
    },
    { description: 'A model that the caller may use' },
  ),
);

export const ModelList = named(
  'GatewayModelList',
  Type.Object(
    {
      object: Type.Literal('list', { description: 'Kind of object' }),
      data: Type.Array(Model, { description: 'Aliases first' }),
      has_more: Type.Literal(false, { description: 'The list is whole' }),
      first_id: Nullable(Type.String({ description: 'Id of the first model' })),
      last_id: Nullable(Type.String({ description: 'Id of the last model' })),
    },
    { description: "The models that the caller may use, with the members of OpenAI's list and of Anthropic's" },
  ),
);
