import { Type } from 'typebox';
import { named } from '../../../contract/schemas/named.ts';
import {
  Anything,
  Clearable,
  Json,
  ModelReference,
  OWN_FIELDS,
  SAMPLING_FIELDS,
  Text,
  TopK,
  UseFacts,
} from '../../schemaParts.ts';

const Optional = Type.Optional;
const Content = (description: string) =>
  Type.Union([Text('Text'), Type.Array(Anything('A block'), { maxItems: 10_000 })], { description });

const Message = named(
  'MessagesMessage',
  Type.Object(
    {
      role: Type.Enum(['user', 'assistant', 'system'], { description: 'Who speaks' }),
      content: Content(
        'Text, or blocks: text, image, document, search_result, tool_use, tool_result, thinking, redacted_thinking',
      ),
    },
    { additionalProperties: true, description: "A message as in Anthropic's Messages" },
  ),
);

const Tool = named(
  'MessagesTool',
  Type.Object(
    {
      type: Clearable(Text('`custom`, or the name of a tool of Anthropic', 128)),
      name: Clearable(Type.String({ minLength: 1, maxLength: 128, description: 'Name of the tool' })),
      description: Clearable(Text('What it does')),
      input_schema: Clearable(
        Type.Record(Type.String(), Type.Unknown(), { description: 'JSON schema of the arguments' }),
      ),
      strict: Clearable(Type.Boolean({ description: 'Arguments must match the schema' })),
      cache_control: Optional(Anything('{type: ephemeral, ttl}: the prompt is worth caching up to here')),
    },
    { additionalProperties: true, description: 'A tool that the model may call' },
  ),
);

/** Fields of a prompt, which are counted, too. */
const PROMPT = {
  model: Clearable(ModelReference),
  messages: Type.Array(Message, { minItems: 1, maxItems: 10_000, description: 'The conversation, oldest first' }),
  system: Clearable(Content('Instructions: a text, or blocks of text')),
  tools: Clearable(Type.Array(Tool, { maxItems: 512, description: 'Tools that the model may call' })),
  tool_choice: Optional(
    Anything('{type: auto | any | none, disable_parallel_tool_use}, or {type: tool, name, disable_parallel_tool_use}'),
  ),
  thinking: Optional(
    Anything('{type: disabled | adaptive | enabled, budget_tokens, display}: becomes a reasoning effort'),
  ),
  output_config: Optional(Anything('{effort, format: {type: json_schema, schema}}')),
  output_format: Optional(Anything('The older place of output_config.format')),
  cache_control: Optional(Anything('A mark at the end of the last message')),
  context_management: Optional(Anything('{edits}: keeping all is what happens anyway; the others are left out')),
};

export const MessagesBody = named(
  'MessagesRequest',
  Type.Object(
    {
      ...PROMPT,
      max_tokens: Type.Integer({ minimum: 1, description: 'Longest answer; at most that of the configuration' }),
      ...SAMPLING_FIELDS,
      top_k: TopK,
      stop_sequences: Clearable(
        Type.Array(Text('Text that ends the answer', 4096), {
          maxItems: 100,
          description: 'Texts that end the answer',
        }),
      ),
      metadata: Clearable(
        Type.Object(
          { user_id: Clearable(Text('End user, a hint for the provider', 4096)) },
          { additionalProperties: true, description: 'A hint for the provider' },
        ),
      ),
      stream: Clearable(Type.Boolean({ description: 'Answer with a complete event stream' })),
      ...OWN_FIELDS,
    },
    {
      additionalProperties: true,
      description: "Anthropic's Messages request. Other fields are left out and named in ml.warnings.",
    },
  ),
);

export const CountTokensBody = named(
  'CountTokensRequest',
  Type.Object(PROMPT, {
    additionalProperties: true,
    description: "Anthropic's request to count the tokens of a prompt",
  }),
);

const Count = (description: string) => Type.Integer({ description });

export const MessagesReply = named(
  'MessagesObject',
  Type.Object(
    {
      id: Type.String({ description: 'Id of the answer' }),
      type: Type.Literal('message', { description: 'Kind of object' }),
      role: Type.Literal('assistant', { description: 'Who speaks' }),
      model: Type.String({ description: 'The reference that was asked for' }),
      content: Type.Array(Json('A block of thinking, text or tool_use'), { description: 'The answer, in order' }),
      stop_reason: Type.String({
        description: 'end_turn, stop_sequence, max_tokens, tool_use or refusal',
      }),
      stop_sequence: Type.Union([Type.String(), Type.Null()], {
        description: 'The text that ended the answer, where the provider says it',
      }),
      usage: Type.Object(
        {
          input_tokens: Count('Tokens read, without those of the cache'),
          cache_creation_input_tokens: Count('Tokens written to a cache'),
          cache_read_input_tokens: Count('Tokens read from a cache'),
          output_tokens: Count('Tokens written, thinking included'),
        },
        { description: 'Tokens used' },
      ),
      ml: UseFacts,
    },
    { description: "Anthropic's object with ml" },
  ),
);

export const CountTokensReply = named(
  'CountTokensObject',
  Type.Object(
    {
      input_tokens: Count('Tokens of the prompt, rather too many than too few'),
      ml: Type.Object(
        { estimated: Type.Literal(true, { description: 'Made here, without asking a provider' }) },
        { description: 'How the count came about' },
      ),
    },
    { description: "Anthropic's object with ml" },
  ),
);
