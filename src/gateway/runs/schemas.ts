import { Type } from 'typebox';
import { ENTITY_KINDS, ENTITY_STATUSES } from '../../contract/families/evidence.ts';
import { RUN_STATES, STEP_KINDS, STEP_STATES, TOOL_SOURCES } from '../../contract/families/runs.ts';
import { ListQuery, Page, Pagination, SortDirection, TimeParam } from '../../contract/schemas/common.ts';
import { named } from '../../contract/schemas/named.ts';
import { AgentDefinitionInput } from '../../families/agents/definition.ts';
import { AlertBody, AlertReply, Result, Source } from './alerts/schemas.ts';

const Json = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });
const AgentName = (description: string) => Type.String({ minLength: 1, maxLength: 48, description });
const RunState = named('RunState', Type.Enum([...RUN_STATES], { description: 'State of the run' }));
const WaitSeconds = (preset: number) =>
  Type.Number({
    minimum: 0,
    maximum: 25,
    default: preset,
    description: 'Wait so many seconds until the run ends or waits for approval',
  });

export const RunParams = Type.Object({
  run_id: Type.String({ minLength: 1, maxLength: 64, pattern: '^[0-9a-f-]+$', description: 'Id of the run' }),
});

export const RunBody = named(
  'RunRequest',
  Type.Object(
    {
      agent: Type.Optional(AgentName('Name of the agent')),
      definition: Type.Optional(AgentDefinitionInput),
      alert: Type.Optional(AlertBody),
      input: Type.Optional(
        Type.Union([Type.String({ maxLength: 262_144 }), Json('An object; the model gets its JSON')], {
          description: 'The question or task; required, but for an alert',
        }),
      ),
      session_id: Type.Optional(
        Type.String({ minLength: 1, maxLength: 128, description: 'Continues the earlier runs of this session' }),
      ),
      worker: Type.Optional(
        Type.Enum(['job', 'caller'], {
          default: 'job',
          description: 'job: a search takes the steps. caller: whoever calls step does',
        }),
      ),
      wait_s: Type.Optional(WaitSeconds(20)),
    },
    { description: 'A run: exactly one of agent, definition and alert; with the first two an input' },
  ),
);

export const RunQuery = Type.Object({ wait_s: Type.Optional(WaitSeconds(0)) });

const PAGE = ListQuery(['started_at'], {}).properties;
export const RunListQuery = Type.Object({
  count: PAGE.count,
  offset: PAGE.offset,
  sort_key: PAGE.sort_key,
  sort_dir: Type.Optional(SortDirection('desc')),
  search: PAGE.search,
  agent: Type.Optional(AgentName('Only runs of this agent')),
  state: Type.Optional(RunState),
  user: Type.Optional(Type.String({ minLength: 1, maxLength: 1024, description: 'Only runs of this user' })),
  search_name: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1024, description: 'Only runs that alerts of this saved search started' }),
  ),
  worker: Type.Optional(Type.Enum(['job', 'caller'], { description: 'Only runs whose steps are taken so' })),
  earliest: Type.Optional(TimeParam('Only runs that began from this time on')),
  latest: Type.Optional(TimeParam('Only runs that began before this time')),
});

const Usage = named(
  'RunUsage',
  Type.Object(
    {
      requests: Type.Integer({ description: 'Requests to models' }),
      input_tokens: Type.Integer({ description: 'Tokens read by models' }),
      output_tokens: Type.Integer({ description: 'Tokens written by models' }),
      cost: Type.Optional(Type.Number({ description: 'US dollars; absent for models without a price' })),
    },
    { description: 'What was used' },
  ),
);

const Content = (description: string) =>
  Type.Union([Type.String(), Type.Record(Type.String(), Type.Unknown())], { description });

const RunStep = named(
  'RunStep',
  Type.Object(
    {
      index: Type.Integer({ description: 'Position in the run, from 0' }),
      kind: Type.Enum([...STEP_KINDS], {
        description: 'model: a request to the model. tool, retrieve: a call. invoke: the whole run elsewhere',
      }),
      name: Type.Optional(Type.String({ description: 'Model reference, or name of the tool' })),
      state: Type.Enum([...STEP_STATES], {
        description:
          'waiting: a person has to approve. unknown: it began, its outcome is lost, and it must not be repeated without a person',
      }),
      started_at: Type.Number({ description: 'Epoch seconds' }),
      duration_ms: Type.Optional(Type.Integer({ description: 'Milliseconds, once it has ended' })),
      input: Type.Optional(Content('Arguments of a call; cut at 8 KB once it has ended')),
      output: Type.Optional(Type.String({ description: 'Answer, result or error; cut at 8 KB' })),
      usage: Type.Optional(Usage),
      error_code: Type.Optional(Type.String({ description: 'Code of a failure' })),
      unavailable: Type.Optional(
        Type.Array(
          Type.Object(
            {
              kind: Type.Enum([...TOOL_SOURCES], { description: 'What it is' }),
              name: Type.String({ description: 'Its name' }),
              error_code: Type.String({
                description:
                  'Why it cannot be used: why its server did not list its tools, or why its last test failed; feature_disabled: it is switched off',
              }),
            },
            { description: 'A connection, store or search tool that the agent names and that cannot be used' },
          ),
          { description: 'Of a model step: what was missing' },
        ),
      ),
      decided_by: Type.Optional(
        Type.String({ description: 'User who approved or rejected it; expiry: nobody did within approval_timeout_s' }),
      ),
      sid: Type.Optional(Type.String({ description: 'Id of the search job of a search tool' })),
    },
    { description: 'A step of a run' },
  ),
);

const EvidenceSource = named(
  'RunEvidenceSource',
  Type.Object(
    {
      input: Type.Optional(Type.Literal(true, { description: 'The input of the run' })),
      run_id: Type.Optional(Type.String({ description: 'Id of the earlier run of the session that the step is of' })),
      step: Type.Optional(Type.Integer({ description: 'Index of the step' })),
      field: Type.Optional(Type.String({ description: 'Innermost key of the value; of several the first' })),
    },
    { description: 'Where a claim was found: in the input, or in the result of a step' },
  ),
);

const EvidenceEntity = named(
  'RunEvidenceEntity',
  Type.Object(
    {
      text: Type.String({ description: 'As it first stands in the output; 256 characters at most' }),
      kind: Type.Enum([...ENTITY_KINDS], { description: 'What it is' }),
      status: Type.Enum([...ENTITY_STATUSES], {
        description:
          "backed: found in the run's data. derived: follows from values there, such as a sum. unverified: not found there",
      }),
      by: Type.Array(EvidenceSource, { description: 'Where it was found; one entry for each source' }),
      why: Type.Optional(Type.String({ description: 'Why it has this status' })),
    },
    { description: 'A claim of the output' },
  ),
);

const counts = {
  checked: Type.Optional(Type.Integer({ description: 'Claims of the output; absent with error_code' })),
  backed: Type.Optional(Type.Integer({ description: "Those that were found in the run's data" })),
  derived: Type.Optional(Type.Integer({ description: 'Those that follow from values there' })),
  unverified: Type.Optional(Type.Integer({ description: 'Those that were not found there' })),
  error_code: Type.Optional(Type.String({ description: 'timeout: the check took too long, and nothing was compared' })),
};
const ABOUT_EVIDENCE = "The claims of the output that were looked up in the run's data; absent if nothing was checked";
const EvidenceCounts = named('RunEvidenceCounts', Type.Object(counts, { description: ABOUT_EVIDENCE }));
const Evidence = named(
  'RunEvidence',
  Type.Object(
    {
      ...counts,
      entities: Type.Optional(
        Type.Array(EvidenceEntity, {
          description: 'At most 200, those that were not found first; the counts are of all',
        }),
      ),
    },
    { description: ABOUT_EVIDENCE },
  ),
);

const summary = {
  run_id: Type.String({ description: 'Id of the run' }),
  agent: Type.Optional(Type.String({ description: 'Name of the agent; absent for a definition' })),
  definition: Json(
    'The definition as it was when the run began. Each tool in mcps[].tools is an object: its name, and the fingerprint under which it was accepted',
  ),
  user: Type.String({ description: 'Whose run it is, and whose rights it has' }),
  state: RunState,
  input: Content('The question or task'),
  output: Type.Optional(Content('The answer; an object where the agent has output_schema')),
  evidence: Type.Optional(EvidenceCounts),
  error_code: Type.Optional(Type.String({ description: 'Why it failed' })),
  message: Type.Optional(Type.String({ description: 'What happened' })),
  session_id: Type.Optional(Type.String({ description: 'Its session' })),
  job_id: Type.Optional(Type.String({ description: 'Id of the search that takes its steps' })),
  started_at: Type.Number({ description: 'Epoch seconds' }),
  ended_at: Type.Optional(Type.Number({ description: 'Epoch seconds' })),
  usage: Usage,
  source: Type.Optional(Source),
  result: Type.Optional(Result),
};

export const RunSummary = named('Run', Type.Object(summary, { description: 'A run, without its steps' }));
const RunDetail = named(
  'RunDetail',
  Type.Object(
    {
      ...summary,
      evidence: Type.Optional(Evidence),
      steps: Type.Array(RunStep, { description: 'Its steps, in order' }),
    },
    { description: 'A run with its steps' },
  ),
);

export const RunReply = named(
  'RunReply',
  Type.Object(
    {
      config: RunDetail,
      run_id: Type.String({ description: 'Id of the run' }),
      state: RunState,
      output: Type.Optional(Content('The answer; an object where the agent has output_schema')),
    },
    { description: 'A run as it is now' },
  ),
);

export const StartReply = named(
  'RunStartReply',
  Type.Object(
    {
      config: Type.Optional(RunDetail),
      run_id: Type.Optional(Type.String({ description: 'Id of the run' })),
      state: Type.Optional(RunState),
      output: Type.Optional(Content('The answer; an object where the agent has output_schema')),
      alert: Type.Optional(AlertReply),
    },
    {
      description:
        'A run as it is now; of an alert the outcomes, and the run only if it is the only one that was started',
    },
  ),
);

export const RunListReply = named(
  'RunListReply',
  Type.Object({ result: Page(RunSummary), pagination: Pagination }, { description: 'A page of runs' }),
);

export const StepReply = named(
  'RunStepReply',
  Type.Object(
    {
      run_id: Type.String({ description: 'Id of the run' }),
      state: RunState,
      step: Type.Optional(RunStep),
      busy: Type.Optional(Type.Boolean({ description: 'true: another process is taking a step' })),
      next_run_id: Type.Optional(
        Type.String({ description: 'To a worker whose run is idle: the run of the same user that it goes on with' }),
      ),
    },
    { description: 'The step that was taken, if there was one' },
  ),
);

export const DecisionBody = named(
  'RunDecision',
  Type.Object(
    {
      step: Type.Integer({ minimum: 0, description: 'Index of the step that waits' }),
      decision: Type.Enum(['approve', 'reject'], { description: 'approve: the call is made. reject: it is not' }),
      arguments: Type.Optional(Json("In place of the model's arguments")),
      result: Type.Optional(
        Type.String({ maxLength: 32_768, description: 'With approve: nothing is called, and this is the result' }),
      ),
      comment: Type.Optional(Type.String({ maxLength: 4096, description: 'The model is told why it was rejected' })),
    },
    { description: 'A decision about a call that waits' },
  ),
);
