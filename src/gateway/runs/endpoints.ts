import { Type } from 'typebox';
import { RUN_AGENTS } from '../../contract/capabilities.ts';
import type { FaultCode } from '../../contract/codes/codes.ts';
import { endpoints } from '../../contract/rows/endpoint.ts';
import {
  DecisionBody,
  RunBody,
  RunListQuery,
  RunListReply,
  RunParams,
  RunQuery,
  RunReply,
  StartReply,
  StepReply,
} from './schemas.ts';

/** Lists are sorted by time; `user`, `agent` and `state` are filters. */
export const RUN_INDEXES = [
  ['started_at', 'run_id'],
  ['user', 'started_at', 'run_id'],
  ['user', 'state', 'worker'],
  ['agent', 'started_at', 'run_id'],
  ['state', 'started_at', 'run_id'],
  ['search_name', 'started_at', 'run_id'],
] as const;

const RUN = { gate: RUN_AGENTS, acl: true, addition: true } as const;
const TAKES_STEPS = { ...RUN, method: 'POST', flag: 'agent_builder', limited: true, callsUpstream: 'maybe' } as const;
const STEP_FAULTS: readonly FaultCode[] = ['not_found', 'acl_denied', 'too_many_requests'];

export const runs = endpoints({
  startRun: {
    ...TAKES_STEPS,
    path: '/ai_gateway/runs',
    summary: 'Starts a run of an agent or of a definition, or the runs of an alert.',
    body: RunBody,
    exactIntegers: true,
    reply: StartReply,
    audit: { action: 'run', name: ['body.agent'], family: 'runs', run: 'reply.run_id', byHandler: 'body.alert' },
    faults: [
      ...(['unknown_reference', 'ambiguous_reference', 'invalid_state', 'not_supported', 'too_many_runs'] as const),
      'system_user',
    ],
  },
  listRuns: {
    ...RUN,
    method: 'GET',
    path: '/ai_gateway/runs',
    summary: 'Runs that the caller may read, newest first.',
    query: RunListQuery,
    reply: RunListReply,
    faults: [],
  },
  getRun: {
    ...RUN,
    method: 'GET',
    path: '/ai_gateway/runs/{run_id}',
    summary: 'One run with its steps; waits for its end, if asked to.',
    params: RunParams,
    query: RunQuery,
    reply: RunReply,
    faults: ['not_found'],
  },
  stepRun: {
    ...TAKES_STEPS,
    path: '/ai_gateway/runs/{run_id}/step',
    summary: 'Takes the next step of a run.',
    params: RunParams,
    body: Type.Object({}, { description: 'Nothing' }),
    emptyBody: true,
    reply: StepReply,
    unaudited: 'The start of the run and its calls of tools have entries.',
    faults: [...STEP_FAULTS, 'limit_exceeded'],
  },
  approveRun: {
    ...TAKES_STEPS,
    path: '/ai_gateway/runs/{run_id}/approve',
    summary: 'Decides about a call of a run that waits for approval.',
    params: RunParams,
    body: DecisionBody,
    exactIntegers: true,
    reply: RunReply,
    audit: {
      action: 'approve',
      name: ['reply.agent'],
      family: 'runs',
      run: 'params.run_id',
      otherAction: { at: 'body.decision', actions: { reject: 'reject' } },
    },
    faults: ['invalid_state', ...STEP_FAULTS],
  },
  cancelRun: {
    ...RUN,
    method: 'POST',
    path: '/ai_gateway/runs/{run_id}/cancel',
    summary: 'Cancels a run; a call under way is not awaited.',
    params: RunParams,
    body: Type.Object({}, { description: 'Nothing' }),
    emptyBody: true,
    reply: RunReply,
    audit: { action: 'cancel', name: ['reply.agent'], family: 'runs', run: 'params.run_id' },
    faults: ['not_found', 'invalid_state'],
  },
});
