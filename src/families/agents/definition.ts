import { type Static, Type } from 'typebox';
import type { Json } from '../../contract/basics.ts';
import {
  AGENT_DEFAULTS,
  MAX_AGENT_TIMEOUT,
  MAX_APPROVAL_TIMEOUT_S,
  MAX_OUTPUT_SCHEMA_BYTES,
  RUNTIME_TYPES,
} from '../../contract/families/agents.ts';
import { Clearable, Name } from '../../contract/schemas/common.ts';
import { named } from '../../contract/schemas/named.ts';
import { SearchToolName } from '../../contract/schemas/searchToolName.ts';
import { AnyObject, JsonText, Nullable, StringList } from '../../contract/schemas/stored.ts';
import { defineRecord, type RemovableFields, type StoredOf, schemasOf } from '../../resources/record/define.ts';
import {
  accessList,
  computed,
  defaulted,
  descriptionField,
  initially,
  internal,
  later,
  nameField,
  opt,
  optional,
  shown,
  sorted,
} from '../../resources/record/fields.ts';
import {
  AgentLlm,
  AgentMcp,
  AgentName,
  AgentRuntime,
  Approval,
  McpInput,
  OnApprovalTimeout,
  OnUnavailable,
  OnUnverified,
  RuntimeKind,
  State,
  Tracking,
} from './schemas.ts';

const prompt = (about: string) =>
  initially(Clearable(Type.String({ maxLength: 262_144, description: `${about}; null empties it` })), '', {
    view: Type.String({ description: about }),
  });
const bounded = (about: string, preset: number, maximum: number) =>
  defaulted(Type.Integer({ minimum: 1, maximum, description: about }), preset, {
    view: Type.Integer({ description: about }),
  });
const replaced = (about: string) => `${about}. The list is replaced as a whole; null empties it.`;

const MCPS = 'MCP connections whose tools the agent may call';
const STORES = 'Names of the vector stores that the agent may search';
const SEARCHES =
  'Search tools that the agent may call, by names without prefix: those of the records, and spl, indexes, sourcetypes, fields, lookups, data_models, saved_searches';
const MAX_TOKENS = 'Limit of the input and output tokens of one run together, checked before each request';
const APPROVED =
  'Tools whose calls a person has to approve whatever approve_tools says, named as the model sees them: <connection>__<tool>';

const OutputSchema = Type.Record(Type.String(), Type.Unknown(), {
  description: `JSON schema of an object that the answer of a run has to be, at most ${MAX_OUTPUT_SCHEMA_BYTES / 1024} KB; absent: any text`,
});
const CHECK_EVIDENCE =
  'Whether the values of an answer are looked up in the data of its run; absent: where the agent has tools, knowledge bases or search tools';

const Llm = Type.Object({
  service: opt(Type.String()),
  connection_name: opt(Type.String()),
  model: Type.String(),
});
/** `tools` is empty for all that the connection allows, as earlier versions store it, unless there is `none`. */
interface StoredMcp {
  name: string;
  tools: string[];
  none?: true;
}
const Mcp = Type.Unsafe<StoredMcp>(Type.Object({ name: Type.String(), tools: StringList }));

/** The part of an agent that its version and its runs repeat. */
const ofRun = {
  runtime: optional(Clearable(AgentRuntime), {
    ...{ view: AgentRuntime, stored: Type.Unsafe<{ container?: string }>(Type.Object({ container: Type.String() })) },
  }),
  // Without a service, `model` is a model reference.
  llm: initially(Clearable(AgentLlm), null, {
    ...{ view: opt(AgentLlm), stored: Type.Unsafe<AgentLlm | null>(Nullable(Llm)) },
  }),
  system_prompt: prompt('System prompt of the model'),
  task_prompt: prompt('Task of the agent'),
  agent_timeout: bounded('Time limit of one run, in seconds', AGENT_DEFAULTS.agent_timeout, MAX_AGENT_TIMEOUT),
  // Records of earlier versions lack it, as they lack the two about approval.
  max_steps: later(bounded('Limit of the requests to the model in one run', AGENT_DEFAULTS.max_steps, 100)),
  max_tokens_per_run: optional(
    Clearable(Type.Integer({ minimum: 1, maximum: 1_000_000_000, description: `${MAX_TOKENS}; null removes it` })),
    { view: Type.Integer({ description: `${MAX_TOKENS}; absent if there is none` }) },
  ),
  approve_tools: later(defaulted(Approval, AGENT_DEFAULTS.approve_tools)),
  approve_tools_named: later(
    initially(
      Clearable(
        Type.Array(Type.String({ minLength: 1, maxLength: 256 }), { maxItems: 1000, description: replaced(APPROVED) }),
      ),
      [],
      { view: Type.Array(Type.String(), { description: APPROVED }), merge: 'set' },
    ),
  ),
  approval_timeout_s: later(
    defaulted(
      Type.Integer({
        ...{ minimum: 0, maximum: MAX_APPROVAL_TIMEOUT_S },
        description: 'Seconds that a call waits for approval; 0: no limit of its own',
      }),
      AGENT_DEFAULTS.approval_timeout_s,
      { view: Type.Integer({ description: 'Seconds that a call waits for approval; 0: no limit of its own' }) },
    ),
  ),
  on_approval_timeout: later(defaulted(OnApprovalTimeout, AGENT_DEFAULTS.on_approval_timeout)),
  on_unavailable: later(defaulted(OnUnavailable, AGENT_DEFAULTS.on_unavailable)),
  output_schema: optional(Clearable(OutputSchema), {
    ...{ view: OutputSchema, isJson: true, stored: JsonText(AnyObject) },
  }),
  check_evidence: optional(Clearable(Type.Boolean({ description: `${CHECK_EVIDENCE}; null removes it` })), {
    view: Type.Boolean({ description: CHECK_EVIDENCE }),
  }),
  on_unverified: later(defaulted(OnUnverified, AGENT_DEFAULTS.on_unverified)),
};
const tools = {
  mcps: initially(Clearable(Type.Array(McpInput, { maxItems: 100, description: replaced(MCPS) })), [], {
    ...{ view: Type.Array(AgentMcp, { description: MCPS }), stored: Type.Array(Mcp) },
  }),
  knowledge_bases: initially(
    Clearable(Type.Array(Name, { maxItems: 100, description: replaced(STORES), 'x-form': { uniqueItems: true } })),
    [],
    { view: Type.Array(Type.String(), { description: STORES }) },
  ),
  search_tools: later(
    initially(
      Clearable(
        Type.Array(SearchToolName('Name of a search tool without its prefix'), {
          ...{ maxItems: 100, description: replaced(SEARCHES), 'x-form': { uniqueItems: true } },
        }),
      ),
      [],
      { view: Type.Array(Type.String(), { description: SEARCHES }), merge: 'set' },
    ),
  ),
};

const AgentVersion = named(
  'AgentVersion',
  Type.Object(
    {
      version: Type.Integer({ description: 'Number of this version: 1' }),
      state: State,
      ...schemasOf(ofRun, 'view'),
      tools: Type.Object(schemasOf(tools, 'view'), { description: 'Tools and vector stores of the agent' }),
      runtime_params: Type.Object(
        {
          runtime_id: Type.Union([Type.String(), Type.Null()], {
            description: 'Id of the runtime in the cloud; null while unknown, and without a cloud',
          }),
          runtime_arn: opt(Type.String({ description: 'ARN of the runtime; absent while unknown' })),
          runtime_version: opt(
            Type.String({ description: 'Version of the runtime in the cloud; absent while unknown' }),
          ),
        },
        { description: 'The runtime in the cloud' },
      ),
    },
    { description: 'Definition of the agent. The same fields are at the top level of the agent.' },
  ),
);

const TextOrNull = Nullable(Type.String());

/** The last poll, timed by the clock of the host that made it. */
const LastPoll = Type.Object({
  domain: Type.String(),
  at: Type.Number(),
  /** Consecutive failed polls. */
  troubles: Type.Number(),
});

const Order = Type.Object({
  /** Idempotency token, new for each creation: a reused name must not reuse a token. */
  token: Type.String(),
  /** Cloud location of the request; settings may have changed since. */
  place: TextOrNull,
  /** The cloud refused the request, so nothing was created with this token. */
  refused: Type.Boolean(),
  /** The created runtime will never be ready: a retry needs a new token. */
  spent: Type.Boolean(),
  /** Failed runtime to be removed before its name is reused. */
  discarded: TextOrNull,
});

const descriptionOf = descriptionField('Purpose of the agent, in free text');
const isEnabled = defaulted(
  Type.Boolean({ description: 'Whether the agent is enabled; false does not change its runtime' }),
  AGENT_DEFAULTS.is_enabled,
);
const runtimeType = (preset: (typeof RUNTIME_TYPES)[number]) =>
  defaulted(RuntimeKind, preset, { stored: Type.Enum([...RUNTIME_TYPES]) });

export const agent = defineRecord(
  'Agent',
  {
    name: nameField(AgentName, 'Name of the agent, as written at its creation'),
    description: descriptionOf,
    is_enabled: isEnabled,
    runtime_type: sorted(runtimeType(AGENT_DEFAULTS.runtime_type)),
    ...ofRun,
    ...tools,
    state: sorted(shown(State)),
    state_reason: shown(
      opt(Type.String({ description: 'Reason of the state, or error of the last poll; absent if there is none' })),
      { stored: TextOrNull },
    ),
    error_code: computed(opt(Type.String({ description: 'Code of state_reason' }))),
    remedy: computed(opt(Type.String({ description: 'What a person can do about error_code' }))),
    state_code: internal(TextOrNull),
    runtime_id: internal(TextOrNull),
    runtime_arn: internal(TextOrNull),
    runtime_version: internal(TextOrNull),
    runtime_status: internal(TextOrNull),
    tracking: shown(Tracking),
    // Absent until the first poll.
    polled: internal(opt(LastPoll)),
    order: internal(Order),
    versions: computed(Type.Array(AgentVersion, { description: 'The versions of the agent; there is one' })),
    ...accessList,
  },
  {
    create: 'A new agent; the records that it names must exist and be readable by the caller',
    update: 'A change of the agent with this name. Omitted fields stay; runtime_type cannot change.',
    record: 'A prompt, a language model and tools, run by the app, a container or a cloud service',
  },
);

/** For one run; nothing of it is stored under a name. */
export const AgentDefinitionInput = named(
  'AgentDefinition',
  Type.Object(
    schemasOf(
      { description: descriptionOf, is_enabled: isEnabled, runtime_type: runtimeType('BUILT_IN'), ...ofRun, ...tools },
      'create',
    ),
    { description: 'An agent without a name; the records that it names must exist and be readable by the caller' },
  ),
);

export type AgentCreate = Static<typeof agent.create>;
export type AgentUpdate = Static<typeof agent.update>;
export type AgentDefinitionInput = Static<typeof AgentDefinitionInput>;
export type AgentRecord = Static<typeof agent.record>;
export type AgentStored = RemovableFields<StoredOf<typeof agent>>;
export type Order = Static<typeof Order>;
export type StoredTracking = AgentStored['tracking'];
/** The part of a record that callers write, with the defaults of records of earlier versions. */
export type AgentInput = Omit<Pick<AgentStored, keyof AgentDefinitionInput>, LaterField | 'output_schema'> &
  CompleteFields<Pick<AgentStored, LaterField>> & { output_schema?: Json };
type LaterField = 'search_tools' | 'max_steps' | 'approve_tools' | 'approve_tools_named' | LatestField;
/** The fields that runs of earlier versions lack as well. */
export type LatestField = 'approval_timeout_s' | 'on_approval_timeout' | 'on_unavailable' | 'on_unverified';
type CompleteFields<T> = { [K in keyof T]-?: NonNullable<T[K]> };
/** The part that a run needs. */
export type RunInput = Pick<AgentInput, keyof typeof ofRun | 'runtime_type' | keyof typeof tools>;
export type LastPoll = Static<typeof LastPoll>;
