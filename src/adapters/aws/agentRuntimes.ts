import { Fault } from '../../contract/codes/faults.ts';
import { NEVER_SENT, OutboundError } from '../../contract/codes/outbound.ts';
import { REGION_MESSAGE, REGION_PATTERN } from '../../contract/schemas/awsSyntax.ts';
import { redact } from '../../domain/net/redact.ts';
import type { AgentCloud, AgentRuntime, RuntimeRequest } from '../../ports/cloud/agentCloud.ts';
import type { CloudAccess } from '../../ports/cloud/cloudAccess.ts';
import type { Deadline } from '../../ports/platform/clock.ts';
import { classify } from '../outbound/classify.ts';
import { invokeRuntime, stopRuntimeSession } from './agentInvocations.ts';
import { causeOf, isNotFound } from './errors.ts';
import { type AwsOptions, AwsSession } from './session.ts';

const STANZA = 'ml_extension.conf [cloud_services:CLOUD_AGENT_CORE]';
const SERVICE = 'bedrock_agentcore_control';
const ATTEMPTS = 3;
const ATTEMPT_MS = 8000;
const PAGE = 100;
const MAX_PAGES = 50;

export interface AgentCoreOptions {
  aws(): Promise<AwsOptions>;
  /** Current settings of the stanza. */
  conf(): Promise<Readonly<Record<string, string>>>;
  keys(): Promise<CloudAccess['keys']>;
  /** Region of the runtime; null means the stanza's region. */
  region: string | null;
}

/** Statuses that are not listed here are transitional. */
const PHASES: Readonly<Record<string, AgentRuntime['phase']>> = {
  READY: 'ready',
  CREATE_FAILED: 'failed',
  UPDATE_FAILED: 'failed',
  DELETING: 'removing',
  DELETE_FAILED: 'remove_failed',
};

/** Agent runtimes of Amazon Bedrock AgentCore. */
export function agentCoreRuntimes(options: AgentCoreOptions): AgentCloud {
  const openSession = async (deadline: Deadline, more: Partial<CloudAccess>): Promise<AwsSession> => {
    const region = regionOf(options.region ?? (await options.conf()).region);
    return new AwsSession(await options.aws(), { region, keys: await options.keys(), ...more }, deadline);
  };
  const withSession = async <T>(deadline: Deadline, work: (session: AwsSession) => Promise<T>): Promise<T> => {
    const endpoint = (await options.conf()).endpoint_url?.trim();
    const tries = { attempts: ATTEMPTS, attemptMs: ATTEMPT_MS };
    using session = await openSession(deadline, { ...tries, ...(endpoint ? { endpoint } : {}) });
    return await work(session);
  };

  return {
    async create(request, deadline) {
      // An attempt without a definite answer may have created a runtime, even if a retry is refused.
      let unclearAttempts = 0;
      try {
        const input = await createInput(options, request);
        const answer = await withSession(deadline, (session) =>
          session.send(SERVICE, async (client, sending) => {
            const { CreateAgentRuntimeCommand } = await import('@aws-sdk/client-bedrock-agentcore-control');
            unclearAttempts += 1;
            try {
              return await client.send(new CreateAgentRuntimeCommand(input), sending);
            } catch (error) {
              if (isDefiniteRefusal(error)) unclearAttempts -= 1;
              throw error;
            }
          }),
        );
        return { kind: 'created', runtime: runtimeOf(answer) };
      } catch (error) {
        return { kind: unclearAttempts > 0 ? 'unanswered' : 'refused', error: toOutboundError(error) };
      }
    },

    find: (request, deadline) =>
      withSession(deadline, async (session) => {
        let token: string | undefined;
        for (let page = 0; page < MAX_PAGES; page++) {
          const nextToken = token;
          const answer = await session.send(SERVICE, async (client, sending) => {
            const { ListAgentRuntimesCommand } = await import('@aws-sdk/client-bedrock-agentcore-control');
            return client.send(new ListAgentRuntimesCommand({ maxResults: PAGE, nextToken }), sending);
          });
          const mine = answer.agentRuntimes?.find((runtime) => runtime.description === descriptionOf(request));
          if (mine) return runtimeOf(mine);
          if (answer.nextToken === undefined || answer.nextToken === token) return undefined;
          token = answer.nextToken;
        }
        return undefined;
      }),

    get: (agentRuntimeId, deadline) =>
      withSession(deadline, async (session) => {
        try {
          const answer = await session.send(SERVICE, async (client, sending) => {
            const { GetAgentRuntimeCommand } = await import('@aws-sdk/client-bedrock-agentcore-control');
            return client.send(new GetAgentRuntimeCommand({ agentRuntimeId }), sending);
          });
          return runtimeOf(answer);
        } catch (error) {
          if (isNotFound(error)) return undefined;
          throw error;
        }
      }),

    async remove(agentRuntimeId, deadline) {
      try {
        await withSession(deadline, (session) =>
          session.send(SERVICE, async (client, sending) => {
            const { DeleteAgentRuntimeCommand } = await import('@aws-sdk/client-bedrock-agentcore-control');
            return client.send(new DeleteAgentRuntimeCommand({ agentRuntimeId }), sending);
          }),
        );
        return { kind: 'accepted' };
      } catch (thrown) {
        if (isNotFound(thrown)) return { kind: 'gone' };
        const error = toOutboundError(thrown);
        if (causeOf(error)?.name === 'ConflictException') return { kind: 'busy', error };
        return { kind: isDefiniteRefusal(error) ? 'refused' : 'unanswered', error };
      }
    },

    async invoke(arn, request, deadline) {
      // The stanza's endpoint_url is the control plane.
      using session = await openSession(deadline, { attempts: 1 });
      return await invokeRuntime(session, arn, request);
    },

    async stop(arn, runtimeSession, deadline) {
      using session = await openSession(deadline, { attempts: ATTEMPTS, attemptMs: ATTEMPT_MS });
      await stopRuntimeSession(session, arn, runtimeSession);
    },
  };
}

/** The list call returns the description, so a lost runtime is found by it. */
const descriptionOf = ({ token }: RuntimeRequest) => `ml_extension ${token}`;

async function createInput(options: AgentCoreOptions, request: RuntimeRequest) {
  const conf = await options.conf();
  const { role_arn, container_uri } = conf;
  const networkMode = (conf.network_mode?.trim() || 'PUBLIC').toUpperCase();
  if (networkMode !== 'PUBLIC' && networkMode !== 'VPC') throw misconfigured('network_mode', 'must be PUBLIC or VPC');
  const network =
    networkMode === 'VPC'
      ? { networkModeConfig: { subnets: list(conf, 'subnets'), securityGroups: list(conf, 'security_groups') } }
      : {};
  return {
    agentRuntimeName: request.name,
    clientToken: request.token,
    description: descriptionOf(request),
    roleArn: requireSetting('role_arn', role_arn),
    agentRuntimeArtifact: { containerConfiguration: { containerUri: requireSetting('container_uri', container_uri) } },
    networkConfiguration: { networkMode, ...network } as const,
  };
}

function regionOf(region: string | undefined): string {
  const value = requireSetting('region', region);
  if (!new RegExp(REGION_PATTERN).test(value)) throw misconfigured('region', REGION_MESSAGE);
  return value;
}

function list(conf: Readonly<Record<string, string>>, key: string): string[] {
  const values = (conf[key] ?? '').split(/[\s,]+/).filter(Boolean);
  if (values.length === 0) throw misconfigured(key, 'is not set; network mode VPC needs it');
  return values;
}

function requireSetting(key: string, value: string | undefined): string {
  const text = value?.trim() ?? '';
  if (text === '') throw misconfigured(key, 'is not set');
  return text;
}

const misconfigured = (key: string, what: string) =>
  new OutboundError('configuration_invalid', `${STANZA} ${key} ${what}`);

interface Answer {
  agentRuntimeId?: string | undefined;
  agentRuntimeArn?: string | undefined;
  agentRuntimeVersion?: string | undefined;
  status?: string | undefined;
  failureReason?: string | undefined;
}

function runtimeOf(answer: Answer): AgentRuntime {
  const { agentRuntimeId, agentRuntimeArn, agentRuntimeVersion, failureReason } = answer;
  if (!agentRuntimeId)
    throw new OutboundError('upstream_error', 'Amazon Bedrock AgentCore answered without a runtime id');
  const status = (answer.status ?? 'UNKNOWN').toUpperCase();
  return {
    id: agentRuntimeId,
    arn: agentRuntimeArn,
    version: agentRuntimeVersion,
    phase: PHASES[status] ?? 'pending',
    status,
    ...(failureReason ? { reason: redact(failureReason) } : {}),
  };
}

/** The service refused, or the call was never sent: nothing was created or deleted. */
function isDefiniteRefusal(error: unknown): boolean {
  const status = statusOf(error);
  if (status !== undefined) return status >= 400 && status < 500 && status !== 408;
  const outboundError = error instanceof OutboundError ? error : undefined;
  return outboundError !== undefined && NEVER_SENT.has(outboundError.code);
}

function statusOf(error: unknown): number | undefined {
  if (error instanceof OutboundError) return error.httpStatus;
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
}

/** @throws Fault when the platform failed, which says nothing about the cloud */
function toOutboundError(error: unknown): OutboundError {
  if (error instanceof Fault) throw error;
  return error instanceof OutboundError ? error : classify(error);
}
