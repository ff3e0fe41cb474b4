import { expect } from 'chai';
import type { AgentDefinition } from '../../../../src/families/agents/public.ts';
import {
  type ClaimDoc,
  cancelKey,
  type DecisionDoc,
  decisionKey,
  type RunDoc,
  type StepDoc,
  stepKey,
  type TurnCall,
} from '../../../../src/gateway/runs/documents/stored.ts';
import { nextOf } from '../../../../src/gateway/runs/steps/next.ts';
import type { NextAction } from '../../../../src/gateway/runs/steps/nextAction.ts';

const NOW = 1000;
type RunPart = StepDoc | DecisionDoc | ClaimDoc;

function next(run: RunDoc, parts: readonly RunPart[], now: number): NextAction {
  const steps = parts.filter((part): part is StepDoc => 'state' in part);
  const decisions = parts.filter((part): part is DecisionDoc => 'decision' in part);
  const claims = parts.filter((part): part is ClaimDoc => 'claimed_at' in part);
  return nextOf(run, { steps, decisions, claims }, now);
}

const definition = (more: Partial<AgentDefinition> = {}): AgentDefinition => ({
  ...{ runtime_type: 'BUILT_IN', max_steps: 3, agent_timeout: 450, system_prompt: '', task_prompt: '', llm: null },
  ...{ mcps: [], knowledge_bases: [], approve_tools: 'destructive', approve_tools_named: [] },
  ...more,
});
const run = (more: Partial<RunDoc> = {}): RunDoc => ({
  _key: 'r',
  run_id: 'r',
  of_definition: true,
  user: 'anna',
  definition: definition(),
  state: 'running',
  input: 'question',
  history: [],
  worker: 'caller',
  started_at: NOW - 10,
  waited: 0,
  usage: { requests: 0, input_tokens: 0, output_tokens: 0 },
  ...more,
});
const step = (index: number, kind: StepDoc['kind'], state: StepDoc['state'], more: Partial<StepDoc> = {}): StepDoc => ({
  ...{ _key: stepKey('r', index), run_id: 'r', index, kind, state, started_at: NOW },
  ...more,
});
const call = (id: string, more: Partial<TurnCall> = {}): TurnCall => ({
  ...{ id, name: `Desk__${id}`, arguments: '{}', target: { kind: 'tool', connection: 'Desk', tool: id } },
  ...{ needsApproval: false, isRepeatable: false },
  ...more,
});
const turn = (index: number, ...calls: TurnCall[]) => step(index, 'model', 'done', { calls, output: '' });
const toolStep = (index: number, state: StepDoc['state'], made: TurnCall, more: Partial<StepDoc> = {}) =>
  step(index, 'tool', state, { call: made, ...more });
const decision = (index: number, more: Partial<DecisionDoc> = {}): DecisionDoc => ({
  ...{ _key: decisionKey('r', index, 1), run_id: 'r', index, round: 1, decision: 'approve' },
  ...{ decided_by: 'bert', decided_at: NOW },
  ...more,
});
const claim = (index: number, round = 1): ClaimDoc => ({
  ...{ _key: decisionKey('r', index, round), run_id: 'r', kind: 'call', index, round, claimed_at: NOW },
});
const CANCEL = decision(-1, { _key: cancelKey('r'), decision: 'cancel' });
const SAFE = call('safe', { isRepeatable: true });
const UNSAFE = call('unsafe');
const ASKED = call('asked', { needsApproval: true });

/** Action, and the steps that it is about. */
function brief(next: NextAction): unknown {
  if ('calls' in next) return [next.do, ...next.calls.map(({ index }) => index)];
  if (next.do === 'settle') return ['settle', ...next.steps.map((each) => each.step.index)];
  if ('steps' in next) return [next.do, ...next.steps.map(({ index }) => index)];
  if ('index' in next) return [next.do, next.index];
  return next.do === 'end' ? [next.do, next.state, ...(next.code ? [next.code] : [])] : [next.do];
}

describe('the next step of a run', () => {
  const left: [crash: string, parts: RunPart[], next: unknown[], more?: Partial<RunDoc>][] = [
    ['nothing was done', [], ['model', 0], { state: 'queued' }],
    ['a request was begun', [step(0, 'model', 'started')], ['model', 0]],
    ['an answer was stored', [turn(0, SAFE, UNSAFE)], ['call', 1, 2]],
    ['some calls that wait were stored', [turn(0, ASKED, ASKED), toolStep(1, 'waiting', ASKED)], ['open', 2]],
    ['a repeatable call was begun', [turn(0, SAFE), toolStep(1, 'started', SAFE)], ['call', 1]],
    ['a call with effects was begun', [turn(0, UNSAFE), toolStep(1, 'started', UNSAFE)], ['ask', 1]],
    [
      'one of two calls with effects was done',
      [turn(0, UNSAFE, UNSAFE), toolStep(1, 'done', UNSAFE), toolStep(2, 'started', UNSAFE)],
      ['ask', 2],
    ],
    ['a retrieval was begun', [turn(0, SAFE), step(1, 'retrieve', 'started', { call: SAFE })], ['call', 1]],
    ['an unknown step was stored', [turn(0, UNSAFE), toolStep(1, 'unknown', UNSAFE)], ['wait', 1]],
    ['a call waits', [turn(0, ASKED), toolStep(1, 'waiting', ASKED)], ['wait', 1]],
    ['it was approved', [turn(0, ASKED), toolStep(1, 'waiting', ASKED), decision(1)], ['call', 1]],
    [
      'it was rejected',
      [turn(0, ASKED), toolStep(1, 'waiting', ASKED), decision(1, { decision: 'reject' })],
      ['settle', 1],
    ],
    [
      'its result was given',
      [turn(0, ASKED), toolStep(1, 'waiting', ASKED), decision(1, { result: 'done by hand' })],
      ['settle', 1],
    ],
    [
      'one of two was decided',
      [turn(0, ASKED, ASKED), toolStep(1, 'waiting', ASKED), toolStep(2, 'waiting', ASKED), decision(1)],
      ['wait', 2],
    ],
    [
      'an approved call was claimed, before its step was stored',
      [turn(0, ASKED), toolStep(1, 'waiting', ASKED), decision(1), claim(1)],
      ['ask', 1],
    ],
    [
      'the same call of a tool without effects was claimed',
      [turn(0, SAFE), toolStep(1, 'waiting', SAFE), decision(1), claim(1)],
      ['call', 1],
    ],
    ['an approved call was begun', [turn(0, ASKED), toolStep(1, 'started', ASKED), decision(1)], ['ask', 1]],
    [
      'and is asked about again',
      [turn(0, ASKED), toolStep(1, 'unknown', ASKED, { round: 2 }), decision(1)],
      ['wait', 1],
    ],
    [
      'and was decided again',
      [turn(0, ASKED), toolStep(1, 'unknown', ASKED, { round: 2 }), decision(1), claim(1), decision(1, { round: 2 })],
      ['call', 1],
    ],
    ['all calls were answered', [turn(0, SAFE), toolStep(1, 'done', SAFE)], ['model', 2]],
    ['the last answer was stored', [turn(0)], ['end', 'succeeded']],
    ['the run was cancelled', [step(0, 'model', 'started'), CANCEL], ['end', 'cancelled']],
    [
      'the run was cancelled while it waits',
      [turn(0, ASKED), toolStep(1, 'waiting', ASKED), CANCEL],
      ['end', 'cancelled'],
    ],
    ['the run has ended', [turn(0), CANCEL], ['nothing'], { state: 'succeeded' }],
    [
      'the provider failed',
      [step(0, 'model', 'failed', { error_code: 'quota_exceeded' })],
      ['end', 'failed', 'quota_exceeded'],
    ],
  ];
  for (const [crash, parts, expected, more] of left) {
    it(`after ${crash}`, () => {
      expect(brief(next(run(more), parts, NOW))).to.deep.equal(expected);
      expect(brief(next(run(more), parts.toReversed(), NOW)), 'in another order').to.deep.equal(expected);
    });
  }

  it('calls what needs no approval before it waits for the rest', () => {
    const parts: RunPart[] = [turn(0, ASKED, UNSAFE)];
    expect(brief(next(run(), parts, NOW))).to.deep.equal(['open', 1]);
    parts.push(toolStep(1, 'waiting', ASKED));
    expect(brief(next(run(), parts, NOW))).to.deep.equal(['call', 2]);
    parts.push(toolStep(2, 'done', UNSAFE));
    expect(brief(next(run(), parts, NOW))).to.deep.equal(['wait', 1]);
  });

  it('gives calls that cannot be made back to the model', () => {
    const wrong = call('wrong', { problem: 'unknown tool' });
    expect(brief(next(run(), [turn(0, wrong, SAFE)], NOW))).to.deep.equal(['open', 1]);
  });

  it('calls four at a time', () => {
    expect(brief(next(run(), [turn(0, ...Array(6).fill(SAFE))], NOW))).to.deep.equal(['call', 1, 2, 3, 4]);
  });

  it('asks the last time without tools, and ends if the model calls one all the same', () => {
    const two = [turn(0, SAFE), toolStep(1, 'done', SAFE), turn(2, SAFE), toolStep(3, 'done', SAFE)];
    expect(next(run(), two, NOW)).to.deep.equal({ do: 'model', index: 4, withTools: false });
    expect(next(run(), two.slice(0, 2), NOW)).to.deep.equal({ do: 'model', index: 2, withTools: true });
    const three = [...two, turn(4, SAFE)];
    expect(brief(next(run(), three, NOW))).to.deep.equal(['end', 'failed', 'step_limit']);
  });

  it('ends when the tokens are used up, but a final answer counts', () => {
    const limited = run({
      definition: definition({ max_tokens_per_run: 100 }),
    });
    const usage = { requests: 1, input_tokens: 90, output_tokens: 10 };
    const asked = [{ ...turn(0, SAFE), usage }, toolStep(1, 'done', SAFE)];
    expect(brief(next(limited, asked, NOW))).to.deep.equal(['end', 'failed', 'token_limit']);
    expect(brief(next(limited, [{ ...turn(0), usage }], NOW))).to.deep.equal(['end', 'succeeded']);
  });

  it('ends after three equal failing calls', () => {
    const failing = (index: number) => [turn(index, SAFE), toolStep(index + 1, 'failed', SAFE)];
    const long = run({ definition: definition({ max_steps: 20 }) });
    const parts = [...failing(0), ...failing(2), ...failing(4)];
    expect(brief(next(long, parts, NOW))).to.deep.equal(['end', 'failed', 'no_progress']);
    const other = call('safe', { isRepeatable: true, arguments: '{"other":1}' });
    const differs = [...failing(0), turn(2, other), toolStep(3, 'failed', other), ...failing(4)];
    expect(brief(next(long, differs, NOW))).to.deep.equal(['model', 6]);
  });

  it('ends when its time is over, which does not run while it waits', () => {
    const late = run({ started_at: NOW - 451 });
    expect(brief(next(late, [], NOW))).to.deep.equal(['end', 'failed', 'timeout']);
    expect(brief(next(late, [turn(0, SAFE)], NOW))).to.deep.equal(['end', 'failed', 'timeout']);
    expect(brief(next(run({ started_at: NOW - 451, waited: 2 }), [], NOW))).to.deep.equal(['model', 0]);
    const waits = run({ started_at: NOW - 5000, waits_since: NOW - 4900 });
    expect(brief(next(waits, [turn(0, ASKED), toolStep(1, 'waiting', ASKED)], NOW))).to.deep.equal(['wait', 1]);
    const waiting = [turn(0, ASKED), toolStep(1, 'waiting', ASKED)];
    expect(brief(next(late, waiting, NOW)), 'asks nobody any more').to.deep.equal(['end', 'failed', 'timeout']);
    const begun = [turn(0, UNSAFE), toolStep(1, 'started', UNSAFE)];
    expect(brief(next(late, begun, NOW)), 'nor about this').to.deep.equal(['end', 'failed', 'timeout']);
    expect(brief(next(late, [turn(0)], NOW)), 'an answer that came').to.deep.equal(['end', 'succeeded']);
  });

  it('waits with the request for which tools were missing until they are listed again', () => {
    const lack = { index: 2, tries: 1, until: NOW + 8 };
    const steps = [turn(0, SAFE), toolStep(1, 'done', SAFE)];
    const waits = run({ lack });
    expect(next(waits, steps, NOW)).to.deep.equal({ do: 'pause', until: NOW + 8 });
    expect(brief(next(waits, [...steps, step(2, 'model', 'started')], NOW)), 'a request that was lost').to.deep.equal([
      'pause',
    ]);
    expect(brief(next(waits, steps, NOW + 8))).to.deep.equal(['model', 2]);
    expect(brief(next(run({ lack: { ...lack, index: 0 } }), steps, NOW)), 'of an earlier one').to.deep.equal([
      'model',
      2,
    ]);
    expect(brief(next(waits, [...steps, CANCEL], NOW))).to.deep.equal(['end', 'cancelled']);
    expect(brief(next(run({ lack, started_at: NOW - 451 }), steps, NOW))).to.deep.equal(['end', 'failed', 'timeout']);
  });

  it('decides for people who did not in time, since they were asked', () => {
    const limits = { approval_timeout_s: 60 };
    const waits = run({ definition: definition(limits), state: 'waiting_for_approval', waits_since: NOW });
    const early = toolStep(1, 'waiting', ASKED, { started_at: NOW - 30 });
    const parts: RunPart[] = [turn(0, ASKED, UNSAFE), early, toolStep(2, 'unknown', UNSAFE, { asked_at: NOW + 10 })];
    expect(brief(next(waits, parts, NOW + 29))).to.deep.equal(['wait', 1, 2]);
    expect(brief(next(waits, parts, NOW + 30))).to.deep.equal(['expire', 1]);
    expect(brief(next(waits, parts, NOW + 70))).to.deep.equal(['expire', 1, 2]);
    expect(brief(next(waits, [...parts, decision(1)], NOW + 69))).to.deep.equal(['wait', 2]);
    expect(brief(next(waits, parts, NOW + 31 * 86_400)), 'nobody has looked').to.deep.equal(['end', 'cancelled']);
    const invoked = run({ definition: definition({ ...limits, runtime_type: 'CONTAINER' }) });
    expect(brief(next(invoked, [step(0, 'invoke', 'unknown')], NOW + 70))).to.deep.equal(['wait', 0]);
    const { approval_timeout_s: _, ...earlier } = definition(limits);
    const ofEarlierVersion = run({ ...waits, definition: earlier as AgentDefinition });
    expect(brief(next(ofEarlierVersion, parts, NOW + 70))).to.deep.equal(['wait', 1, 2]);
  });

  it('asks an agent that runs elsewhere once', () => {
    const invoked = run({ definition: definition({ runtime_type: 'CONTAINER' }) });
    expect(brief(next(invoked, [], NOW))).to.deep.equal(['invoke', 0]);
    const begun = step(0, 'invoke', 'started');
    expect(brief(next(invoked, [begun], NOW))).to.deep.equal(['ask', 0]);
    const unknown = step(0, 'invoke', 'unknown');
    expect(brief(next(invoked, [unknown], NOW))).to.deep.equal(['wait', 0]);
    expect(brief(next(invoked, [unknown, decision(0)], NOW))).to.deep.equal(['invoke', 0]);
    expect(brief(next(invoked, [step(0, 'invoke', 'done', { output: 'ok' })], NOW))).to.deep.equal([
      'end',
      'succeeded',
    ]);
    const refused = step(0, 'invoke', 'failed', { error_code: 'upstream_error' });
    expect(brief(next(invoked, [refused], NOW))).to.deep.equal(['end', 'failed', 'upstream_error']);
  });
});
