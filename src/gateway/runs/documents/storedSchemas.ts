import { Type } from 'typebox';
import { RUN_STATES, STEP_KINDS, STEP_STATES } from '../../../contract/families/runs.ts';
import { AnyObject, StringList } from '../../../contract/schemas/stored.ts';

const Text = Type.String();
const Count = Type.Number();
/** The fields of a document that are JSON text. */
const Packed = Type.Optional(StringList);

export const StoredRun = Type.Object({
  run_id: Text,
  user: Text,
  definition: Type.Object({
    runtime_type: Text,
    max_steps: Type.Number(),
    agent_timeout: Type.Number(),
    mcps: Type.Array(AnyObject),
  }),
  state: Type.Enum([...RUN_STATES]),
  input: Type.Union([Text, AnyObject]),
  accepted: Type.Optional(Type.Array(AnyObject)),
  // Text in the documents of this version.
  history: Type.Union([Text, Type.Array(AnyObject)]),
  evidence: Type.Optional(
    Type.Union([
      Type.Object({ checked: Count, backed: Count, derived: Count, unverified: Count }),
      Type.Object({ error_code: Text }),
    ]),
  ),
  entities: Type.Optional(Type.Union([Text, Type.Array(AnyObject)])),
  checked: Type.Optional(Count),
  session_runs: Type.Optional(StringList),
  worker: Type.Enum(['job', 'caller']),
  of_definition: Type.Boolean(),
  started_at: Type.Number(),
  waited: Type.Number(),
  lack: Type.Optional(Type.Object({ index: Type.Number(), tries: Type.Number(), until: Type.Number() })),
  usage: Type.Object({ requests: Type.Number(), input_tokens: Type.Number(), output_tokens: Type.Number() }),
  source: Type.Optional(Type.Object({ kind: Text, search_name: Text, sid: Text, app: Text })),
  origin: Type.Optional(Type.Object({ orig_action_name: Text, orig_sid: Text, orig_rid: Text })),
  result: Type.Optional(Type.Object({ index: Text, sourcetype: Text, written: Type.Boolean() })),
  on_approval: Type.Optional(Type.Enum(['reject'])),
  json: Packed,
});

export const StoredStep = Type.Object({
  run_id: Text,
  index: Type.Number(),
  kind: Type.Enum([...STEP_KINDS]),
  state: Type.Enum([...STEP_STATES]),
  started_at: Type.Number(),
  calls: Type.Optional(Type.Array(AnyObject)),
  call: Type.Optional(AnyObject),
  problems: Type.Optional(StringList),
  is_cut: Type.Optional(Type.Boolean()),
  unverified: Type.Optional(StringList),
  unavailable: Type.Optional(Type.Array(Type.Object({ kind: Text, name: Text, error_code: Text }))),
  json: Packed,
});

export const StoredDecision = Type.Object({
  run_id: Text,
  index: Type.Number(),
  round: Type.Number(),
  decision: Type.Enum(['approve', 'reject', 'cancel']),
  decided_by: Text,
  decided_at: Type.Number(),
  json: Packed,
});

export const StoredClaim = Type.Object({
  run_id: Text,
  kind: Type.Enum(['call', 'job']),
  index: Type.Number(),
  round: Type.Number(),
  user: Type.Optional(Text),
  claimed_at: Type.Number(),
  job_id: Type.Optional(Text),
  left_at: Type.Optional(Type.Number()),
  search_user: Type.Optional(Text),
});

/** A row that was handed over, a key that suppresses others, or a place among the runs of one search. */
export const StoredAlertClaim = Type.Object({
  kind: Type.Enum(['row', 'key', 'place']),
  claim: Text,
  run_id: Text,
  ends: Count,
  domain: Type.Optional(Text),
  until: Type.Optional(Count),
  state: Type.Optional(Type.Enum(['begun', 'started', 'ended'])),
  at: Type.Optional(Count),
  started: Type.Optional(Type.Boolean()),
  sid: Type.Optional(Text),
  place: Type.Optional(Count),
});
