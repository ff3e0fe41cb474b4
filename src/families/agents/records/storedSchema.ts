import { Type } from 'typebox';
import { RUNTIME_TYPES } from '../../../contract/families/agents.ts';
import { Nullable, SealedFields, StoredAcl, StringList } from '../../../contract/schemas/stored.ts';

const Text = Type.String();
const OptionalText = Type.Optional(Text);
const TextOrNull = Nullable(Text);
const OptionalNumber = Type.Optional(Type.Number());

export const StoredAgent = Type.Object({
  ...SealedFields,
  name: Text,
  description: Text,
  is_enabled: Type.Boolean(),
  runtime_type: Type.Enum([...RUNTIME_TYPES]),
  runtime: Type.Optional(Type.Object({ container: Text })),
  system_prompt: Text,
  task_prompt: Text,
  // Without a service, `model` is a model reference.
  llm: Nullable(Type.Object({ service: OptionalText, connection_name: OptionalText, model: Text })),
  mcps: Type.Array(Type.Object({ name: Text, tools: StringList })),
  knowledge_bases: StringList,
  agent_timeout: Type.Number(),
  max_steps: OptionalNumber,
  max_tokens_per_run: OptionalNumber,
  approve_tools: OptionalText,
  approve_tools_named: Type.Optional(StringList),
  acl: StoredAcl,
  state: Text,
  state_reason: TextOrNull,
  state_code: TextOrNull,
  runtime_id: TextOrNull,
  runtime_arn: TextOrNull,
  runtime_version: TextOrNull,
  runtime_status: TextOrNull,
  tracking: Type.Object({
    job_id: TextOrNull,
    action: Text,
    started_at: Type.Number(),
    last_polled_at: Nullable(Type.Number()),
    attempts: Type.Number(),
  }),
  polled: Type.Optional(Type.Object({ domain: Text, at: Type.Number(), troubles: Type.Number() })),
  order: Type.Object({
    token: Text,
    place: TextOrNull,
    refused: Type.Boolean(),
    spent: Type.Boolean(),
    discarded: TextOrNull,
  }),
});
