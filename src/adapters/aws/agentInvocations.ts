import { OutboundError } from '../../contract/codes/outbound.ts';
import { redact } from '../../domain/net/redact.ts';
import type { AgentAnswer, AgentRequest } from '../../ports/cloud/agentCloud.ts';
import { MAX_ANSWER_BYTES } from '../../ports/cloud/agentCloud.ts';
import { collect } from '../outbound/limit.ts';
import { AWS_PEERS } from './clients.ts';
import { causeOf, isNotFound } from './errors.ts';
import type { AwsSession } from './session.ts';

const SERVICE = 'bedrock_agentcore';
const PEER = AWS_PEERS[SERVICE];
const ACCEPT = 'application/json, text/event-stream';

/**
 * Calls the agent in a runtime. The call is part of the session's deadline, to the last byte of the answer.
 * @throws OutboundError
 */
export async function invokeRuntime(
  session: AwsSession,
  agentRuntimeArn: string,
  { body, session: runtimeSessionId }: AgentRequest,
): Promise<AgentAnswer> {
  try {
    return await session.send(SERVICE, async (client, sending) => {
      const { InvokeAgentRuntimeCommand } = await import('@aws-sdk/client-bedrock-agentcore');
      const input = { agentRuntimeArn, runtimeSessionId, contentType: 'application/json', accept: ACCEPT };
      const answer = await client.send(
        new InvokeAgentRuntimeCommand({ ...input, payload: Buffer.from(body) }),
        sending,
      );
      const stream = answer.response as AsyncIterable<Uint8Array> | undefined;
      const text = stream ? (await collect(stream, MAX_ANSWER_BYTES)).toString('utf8') : '';
      return { contentType: answer.contentType ?? '', text };
    });
  } catch (error) {
    throw error instanceof OutboundError ? explained(error, session.secrets) : error;
  }
}

/**
 * Ends a session in a runtime and the answers under way in it. A session that is gone is no error.
 * @throws OutboundError
 * @see https://docs.aws.amazon.com/bedrock-agentcore/latest/APIReference/API_StopRuntimeSession.html
 */
export async function stopRuntimeSession(
  session: AwsSession,
  agentRuntimeArn: string,
  runtimeSessionId: string,
): Promise<void> {
  try {
    await session.send(SERVICE, async (client, sending) => {
      const { StopRuntimeSessionCommand } = await import('@aws-sdk/client-bedrock-agentcore');
      return client.send(new StopRuntimeSessionCommand({ agentRuntimeArn, runtimeSessionId }), sending);
    });
  } catch (error) {
    if (isNotFound(error)) return;
    throw error instanceof OutboundError ? explained(error, session.secrets) : error;
  }
}

/** Says what the user of an agent can do, and leaves account ids to those who read the agent's record. */
function explained(error: OutboundError, secrets: readonly string[]): OutboundError {
  const cause = causeOf(error);
  if (cause?.name === 'ResourceNotFoundException') {
    return rewritten(error, `${PEER} has no such runtime any more: delete the agent and create it again.`);
  }
  if (cause?.name === 'RuntimeClientError') {
    return rewritten(error, `${PEER}: the agent's container failed: ${redact(cause.message, secrets)}`);
  }
  return rewritten(error, error.message);
}

const ACCOUNT = /(\barn:[\w-]{1,20}:[\w-]{0,40}:[\w-]{0,30}:)\d{12}(?=:)/g;

function rewritten({ code, httpStatus, retryAfter, cause }: OutboundError, message: string): OutboundError {
  return new OutboundError(code, message.replaceAll(ACCOUNT, '$1…'), { httpStatus, retryAfter, cause });
}
