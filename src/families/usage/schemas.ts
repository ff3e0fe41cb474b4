import { Type } from 'typebox';
import { DAYS_BY_HOUR, USAGE_INTERVALS, USAGE_KEYS, type UsageKey } from '../../contract/families/usage.ts';
import { TimeParam } from '../../contract/schemas/common.ts';
import { named } from '../../contract/schemas/named.ts';

const count = (description: string) => Type.Integer({ description });

const sums = {
  requests: count('Uses'),
  failed: count('Uses that failed'),
  input_tokens: count('Tokens of prompts'),
  output_tokens: count('Tokens of answers'),
  cost: Type.Optional(Type.Number({ description: 'US dollars of the uses with a price; absent if none has one' })),
  unpriced: count('Chats and embeddings without a price'),
  masked: count('Places that were masked'),
  upstream_ms_mean: Type.Number({ description: 'Mean time at upstreams, milliseconds' }),
  overhead_ms_mean: Type.Number({ description: 'Mean time elsewhere, milliseconds' }),
};

const KEY_TEXTS: Readonly<Record<UsageKey, string>> = {
  user: 'User',
  operation: 'What was asked for: chat, embeddings, execute_tool, retrieve, predict, invoke_agent, search',
  provider: 'Service of the model; mcp, CLOUD_KB, sagemaker, onnx, container, CLOUD_AGENT_CORE',
  connection: 'Connection that answered, else the first that was asked',
  model: 'Model, tool, store or endpoint of that connection',
  alias: 'Alias by which the model was called; empty without one',
  agent: 'Agent; empty without one',
  via: 'Origin: openai, mcp, run, search, rest',
};
const keyed = (key: UsageKey) => Type.Optional(Type.String({ description: `${KEY_TEXTS[key]}; with by=${key}` }));

export const UsageRow = named(
  'UsageRow',
  Type.Object(
    {
      time: Type.Optional(
        Type.Integer({ description: 'Begin of the interval (UTC), epoch seconds; only with interval' }),
      ),
      user: keyed('user'),
      operation: keyed('operation'),
      provider: keyed('provider'),
      connection: keyed('connection'),
      model: keyed('model'),
      alias: keyed('alias'),
      agent: keyed('agent'),
      via: keyed('via'),
      ...sums,
    },
    { description: 'Sums of uses' },
  ),
);
export const UsageTotal = named('UsageTotal', Type.Object(sums, { description: 'Sums of all uses of the report' }));

export const UsageQuery = Type.Object({
  by: Type.String({
    minLength: 1,
    maxLength: 100,
    description: `One or two of ${USAGE_KEYS.join(', ')}, separated by a comma`,
    examples: ['user,model'],
  }),
  earliest: Type.Optional(TimeParam('Only uses from this time on, rounded down to a whole hour; default: 30 days ago')),
  latest: Type.Optional(TimeParam('Only uses before this time, rounded up to a whole hour; default: now')),
  interval: Type.Optional(
    Type.Enum([...USAGE_INTERVALS], {
      description: `Sums for each hour, day or month (UTC). Hours are kept apart for ${DAYS_BY_HOUR} days.`,
    }),
  ),
});
