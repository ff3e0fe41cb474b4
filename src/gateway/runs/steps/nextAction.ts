import type { Json } from '../../../contract/basics.ts';
import type { DecisionDoc, StepDoc, TurnCall } from '../documents/stored.ts';

/** Where a call of a model has no step yet. */
export interface DueCall {
  index: number;
  call: TurnCall;
}

/** A call of a tool or store that is due. */
export interface DueStep extends DueCall {
  /** The step as it was stored: a decision or a crash came before. */
  step?: StepDoc;
  decision?: DecisionDoc;
  /** Its call was begun after the decision. */
  isClaimed?: boolean;
}

/** A step that is decided without a call. */
export interface SettledStep {
  step: StepDoc;
  /** Nobody has decided where the alert that started the run lets nothing be approved. */
  decision: Pick<DecisionDoc, 'decision' | 'result' | 'comment'> &
    Partial<Pick<DecisionDoc, 'decided_by' | 'decided_at'>>;
}

/** The next action of a run. The caller holds its lease. */
export type NextAction =
  /** It has ended. */
  | { do: 'nothing' }
  | { do: 'end'; state: 'succeeded' | 'failed' | 'cancelled'; output?: string | Json; code?: string; message?: string }
  /** Looks up the claims of the answer. */
  | { do: 'check'; answer: StepDoc }
  /** Stores about which claims of the answer the model is asked again. */
  | { do: 'doubt'; answer: StepDoc; claims: readonly string[] }
  /** People decide. */
  | { do: 'wait'; steps: readonly StepDoc[] }
  /** Stores steps without a call: those that wait, and those whose call goes back to the model as an error. */
  | { do: 'open'; calls: readonly DueCall[] }
  /** Stores that searches are not made, since the user of the run does not come back: nobody else can make them. */
  | { do: 'lose'; calls: readonly DueStep[] }
  /** Stores that nobody decided in time. */
  | { do: 'expire'; steps: readonly StepDoc[] }
  /** Stores the end of steps that people decided without a call. */
  | { do: 'settle'; steps: readonly SettledStep[] }
  /** A call began whose outcome nobody knows, and it must not be repeated. */
  | { do: 'ask'; steps: readonly StepDoc[] }
  /** The targets of approved calls have changed since they were shown: the decisions are void, and people decide anew. */
  | { do: 'show'; decided: readonly { step: StepDoc; changed: NonNullable<DecisionDoc['changed']> }[] }
  /** Tools were missing, and are listed again at a time in epoch seconds. */
  | { do: 'pause'; until: number }
  /** @param step the step of an earlier try */
  | { do: 'model'; index: number; withTools: boolean; step?: StepDoc }
  | { do: 'invoke'; index: number; step?: StepDoc; decision?: DecisionDoc; isClaimed?: boolean }
  | { do: 'call'; calls: readonly DueStep[] };

export const failed = (code: string, message: string | undefined): NextAction => ({
  ...{ do: 'end', state: 'failed', code },
  ...(message === undefined ? {} : { message }),
});
