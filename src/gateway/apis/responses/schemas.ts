import { Type } from 'typebox';
import { named } from '../../../contract/schemas/named.ts';
import {
  Anything,
  Clearable,
  HINT_FIELDS,
  Json,
  ModelReference,
  Nullable,
  OWN_FIELDS,
  SAMPLING_FIELDS,
  Text,
  UseFacts,
} from '../../schemaParts.ts';

const Loose = { additionalProperties: true } as const;

export const ResponsesBody = named(
  'ResponsesRequest',
  Type.Object(
    {
      model: Clearable(ModelReference),
      input: Anything('A text, or items: messages, calls of tools with their outputs, and reasoning, oldest first'),
      instructions: Clearable(Text('What the model is to do, before everything in input')),
      tools: Clearable(
        Type.Array(
          Anything('{type: function, name, parameters}, {type: custom, name} or {type: namespace, name, tools}'),
          {
            maxItems: 512,
            description: 'Tools that the model may call',
          },
        ),
      ),
      tool_choice: Type.Optional(
        Anything(
          '`auto`, `none`, `required`, {type: function, name}, {type: custom, name} or {type: allowed_tools, mode, tools}',
        ),
      ),
      parallel_tool_calls: Clearable(Type.Boolean({ description: 'Whether an answer may have several calls' })),
      max_output_tokens: Clearable(
        Type.Integer({ minimum: 1, description: 'Longest answer; at most that of the configuration' }),
      ),
      ...SAMPLING_FIELDS,
      top_logprobs: Clearable(Type.Integer({ minimum: 0, maximum: 20, description: 'How many for each token' })),
      text: Clearable(
        Type.Object(
          {
            format: Type.Optional(
              Anything('{type: text}, {type: json_object} or {type: json_schema, name, schema, strict}'),
            ),
            verbosity: Clearable(Text('low, medium or high', 32)),
          },
          { ...Loose, description: 'The form of the answer' },
        ),
      ),
      reasoning: Clearable(
        Type.Object(
          {
            effort: Clearable(Text('none, minimal, low, medium, high, xhigh or max', 32)),
            summary: Type.Optional(Anything('The text that the provider shows is given in any case')),
            mode: Type.Optional(Anything('Only `standard`')),
          },
          { ...Loose, description: 'How much the model thinks' },
        ),
      ),
      include: Clearable(
        Type.Array(Text('`message.output_text.logprobs`; others ask for nothing that there is', 256), {
          maxItems: 100,
          description: 'Further members of the answer. The state of reasoning is given in any case',
        }),
      ),
      metadata: Clearable(
        Type.Record(Type.String(), Nullable(Type.String()), { description: 'Given back in the answer' }),
      ),
      stream: Clearable(Type.Boolean({ description: 'Answer with a complete event stream' })),
      store: Clearable(Type.Boolean({ description: 'Nothing is stored; true causes a warning' })),
      truncation: Clearable(Text('Only `disabled`', 32)),
      max_tool_calls: Clearable(Type.Integer({ description: 'Of hosted tools, which there are none of' })),
      ...HINT_FIELDS,
      ...OWN_FIELDS,
    },
    {
      ...Loose,
      description:
        "OpenAI's Responses request. Nothing is stored, so `input` is the whole conversation. Fields that the gateway does not know are named in ml.warnings and go to nobody.",
    },
  ),
);

const ResponsesUsage = named(
  'ResponsesUsage',
  Type.Object(
    {
      input_tokens: Type.Integer({ description: 'Tokens read, cached ones included' }),
      input_tokens_details: Type.Object(
        {
          cached_tokens: Type.Integer({ description: 'Read from a cache' }),
          cache_write_tokens: Type.Integer({ description: 'Written to a cache' }),
        },
        { description: 'Parts of input_tokens' },
      ),
      output_tokens: Type.Integer({ description: 'Tokens written, reasoning included' }),
      output_tokens_details: Type.Object(
        { reasoning_tokens: Type.Integer({ description: 'Written while thinking' }) },
        { description: 'Parts of output_tokens' },
      ),
      total_tokens: Type.Integer({ description: 'input_tokens + output_tokens' }),
    },
    { description: 'Tokens used' },
  ),
);

export const ResponsesReply = named(
  'ResponsesObject',
  Type.Object(
    {
      id: Type.String({ description: 'Id of the answer' }),
      object: Type.Literal('response', { description: 'Kind of object' }),
      created_at: Type.Integer({ description: 'Epoch seconds' }),
      completed_at: Nullable(Type.Integer({ description: 'Epoch seconds; null where the answer is incomplete' })),
      status: Type.Enum(['completed', 'incomplete'], { description: 'Whether the answer is whole' }),
      background: Type.Literal(false, { description: 'There is no work in the background' }),
      error: Type.Null({ description: 'Failures have their HTTP status' }),
      incomplete_details: Nullable(Json('{reason}: max_output_tokens or content_filter')),
      instructions: Nullable(Type.String({ description: 'As asked' })),
      max_output_tokens: Nullable(Type.Integer({ description: 'As asked' })),
      max_tool_calls: Nullable(Type.Integer({ description: 'As asked' })),
      metadata: Type.Record(Type.String(), Type.String(), { description: 'As asked' }),
      model: Type.String({ description: 'The reference that was asked for' }),
      output: Type.Array(Json('An item of type reasoning, message, function_call or custom_tool_call'), {
        description: 'Reasoning, then the message, then the calls',
      }),
      parallel_tool_calls: Type.Boolean({ description: 'As asked' }),
      previous_response_id: Type.Null({ description: 'Nothing is stored' }),
      reasoning: Json('{effort, summary}, as asked'),
      service_tier: Type.Literal('default', { description: "Tiers are the provider's" }),
      store: Type.Literal(false, { description: 'Nothing is stored' }),
      temperature: Type.Number({ description: 'As asked' }),
      text: Json('{format}, as asked'),
      tool_choice: Type.Unknown({ description: 'As asked' }),
      tools: Type.Array(Type.Unknown(), { description: 'As asked' }),
      top_logprobs: Type.Integer({ description: 'As asked' }),
      top_p: Type.Number({ description: 'As asked' }),
      truncation: Type.Literal('disabled', { description: 'No input is cut' }),
      user: Nullable(Type.String({ description: 'As asked' })),
      usage: ResponsesUsage,
      ml: UseFacts,
    },
    { description: "OpenAI's response object with ml" },
  ),
);
