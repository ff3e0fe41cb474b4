import { Fault } from '../../../contract/codes/faults.ts';
import { OutboundError } from '../../../contract/codes/outbound.ts';
import type { RecordPlans } from '../../../contract/rows/recordPlan.ts';
import { within } from '../../../domain/async/deadline.ts';
import { maskable, withoutSecrets } from '../../../domain/net/redact.ts';
import { refusalError, retryAfterSeconds } from '../../../domain/net/upstreamErrors.ts';
import type { Stores } from '../../../domain/records/sealedRecord.ts';
import { type AgentAnswer, type AgentRequest, MAX_ANSWER_BYTES } from '../../../ports/cloud/agentCloud.ts';
import type { ContainerDependencies } from '../../../ports/engines/containerDependencies.ts';
import type { Deadline } from '../../../ports/platform/clock.ts';
import type { Upstream } from '../../../ports/platform/upstream.ts';
import type { RecordStore } from '../../../ports/stores/recordStore.ts';
import { agent as protocolOfAgents } from '../../../predictions/containers/agent.ts';
import type { ReachedContainer } from '../../../predictions/containers/predictor.ts';
import { type ProtocolName, protocolOf } from '../../../predictions/containers/registry.ts';
import { TOKEN_REJECTED } from '../../../predictions/containers/status.ts';
import { RUNTIMES } from '../connections/users.ts';
import { containerParts } from '../parts.ts';
import { CALL_MS } from './observe/probes.ts';
import { reachContainer } from './reach.ts';
import { type RuntimeStored, runtimeKey } from './records.ts';

const SERVES: ProtocolName = 'agent';
const SESSION_HEADER = 'X-Amzn-Bedrock-AgentCore-Runtime-Session-Id';
const ACCEPT = 'application/json, text/event-stream';
const MAX_PING_BYTES = 64 * 1024;

/** A container that serves an agent by the contract of AgentCore's runtimes. */
export interface AgentServer {
  /** Name of the container as it was started. */
  model: string;
  /** Asks for its health first, and calls it once: the call may have effects. @throws OutboundError */
  invoke(request: AgentRequest, upstream: Upstream): Promise<AgentAnswer>;
}

/** Whether a container of this name was started, whatever its state. */
export const isContainerKnown = async (records: RecordStore, name: string): Promise<boolean> =>
  (await records.get(RUNTIMES, runtimeKey(name))) !== undefined;

/**
 * Whether there is such a container, as far as its record says: it need not run now.
 * @throws Fault `not_supported` if it is known to serve something else
 */
export async function mayServeAgent(records: RecordStore, name: string): Promise<boolean> {
  const record = await records.get<RuntimeStored>(RUNTIMES, runtimeKey(name));
  const protocol = protocolOf(record?.protocol) ?? SERVES;
  if (record && protocol !== SERVES) throw noAgent(record.model, protocol);
  return record !== undefined;
}

/** @throws Fault `not_found`, `invalid_state`, `not_supported`; OutboundError `configuration_invalid` */
export async function openAgentServer(
  stores: Stores,
  deps: ContainerDependencies,
  plans: RecordPlans,
  name: string,
): Promise<AgentServer> {
  const container = await reachContainer(containerParts(stores, deps, plans), name);
  const { model, protocol } = container;
  if (protocol !== SERVES) throw noAgent(model, protocol);
  return {
    model,
    async invoke(request, upstream) {
      await assertHealthy(deps, container, upstream);
      return invoke(deps, container, request, upstream);
    },
  };
}

const noAgent = (model: string, protocol: ProtocolName): Fault =>
  new Fault('not_supported', `The container ${model} serves no agent; it speaks ${protocol}`);

/** @throws OutboundError */
async function assertHealthy(
  { applications }: ContainerDependencies,
  { model, target }: ReachedContainer,
  outer: Deadline,
): Promise<void> {
  using deadline = within(outer, CALL_MS);
  const read = (path: string) =>
    applications.request(target, { method: 'GET', path, deadline, maxBytes: MAX_PING_BYTES });
  const problem = await protocolOfAgents.probe(read, []);
  if (problem === '') return;
  if (problem === TOKEN_REJECTED) throw new OutboundError('auth_failed', `${peerOf(model)} rejected the api_token`);
  throw new OutboundError(
    'upstream_error',
    `${peerOf(model)} is not ready: GET /ping does not say Healthy (${problem})`,
  );
}

async function invoke(
  { applications }: ContainerDependencies,
  { model, target, hidden }: ReachedContainer,
  { body, session }: AgentRequest,
  deadline: Deadline,
): Promise<AgentAnswer> {
  const answer = await applications.request(target, {
    method: 'POST',
    path: '/invocations',
    headers: { Accept: ACCEPT, [SESSION_HEADER]: session },
    body,
    deadline,
    maxBytes: MAX_ANSWER_BYTES,
  });
  const { status, text, headers } = answer;
  if (status === 200) return { contentType: headers['content-type'] ?? '', text: masked(text, target.token) };
  const retryAfter = retryAfterSeconds(headers['retry-after']);
  throw refusalError({ status, text, retryAfter, secrets: hidden, peer: peerOf(model) });
}

/** An agent that repeats its request must not show the token. */
const masked = (text: string, token: string | undefined): string =>
  token === undefined ? text : withoutSecrets(Buffer.from(text), maskable([token])).toString('utf8');

const peerOf = (model: string): string => `The agent in the container ${model}`;
