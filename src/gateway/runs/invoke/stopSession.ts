import { errorName } from '../../../contract/basics.ts';
import { OutboundError } from '../../../contract/codes/outbound.ts';
import { startDeadline } from '../../../domain/async/deadline.ts';
import type { RunDoc, RunHistory } from '../documents/stored.ts';
import { sessionOf } from './request.ts';
import type { RuntimeSite } from './runtimes.ts';

/** A session that cannot be stopped within this time ends by the rules of its cloud. */
const WITHIN_MS = 10_000;

/** Whether the agent of a cancelled run may still be at work in a cloud: it was asked, and has not answered. */
export const isSessionOpen = ({ definition }: RunDoc, { steps }: RunHistory): boolean =>
  definition.runtime_type === 'CLOUD_AGENT_CORE' &&
  steps.some(({ kind, state }) => kind === 'invoke' && state !== 'done');

/** Stops the session of a run in a cloud. Never rejects: a failure is logged. */
export async function stopSession({ agents, clouds, stores }: RuntimeSite, run: RunDoc): Promise<void> {
  const { agent, agent_created_at: createdAt } = run;
  if (agent === undefined || createdAt === undefined) return;
  try {
    const cloud = await agents.cloudOf(agent, createdAt);
    if (!cloud?.arn) return;
    using deadline = startDeadline(WITHIN_MS);
    await clouds.at('CLOUD_AGENT_CORE', cloud.location).stop(cloud.arn, sessionOf(run), deadline);
  } catch (error) {
    const cause = error instanceof OutboundError ? error.code : errorName(error);
    stores.log.warn('run_session_not_stopped', { run: run._key, cause });
  }
}
