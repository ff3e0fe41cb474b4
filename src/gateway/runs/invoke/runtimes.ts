import type { Caller } from '../../../contract/caller.ts';
import { passes, READ_CONTAINERS } from '../../../contract/capabilities.ts';
import { Fault } from '../../../contract/codes/faults.ts';
import { OutboundError } from '../../../contract/codes/outbound.ts';
import type { AgentDefinition, AgentDefinitions, RunnableAgent } from '../../../families/agents/public.ts';
import { mayServeAgent, openAgentServer } from '../../../families/containers/public.ts';
import type { RecordStore } from '../../../ports/stores/recordStore.ts';
import type { GatewaySite } from '../../context.ts';
import type { OpenRuntime } from '../../operations/invoke.ts';
import type { RunDoc } from '../documents/stored.ts';
import { unknownReference } from '../steps/runTools.ts';
import { requestOf } from './request.ts';

/** Access to agents that run elsewhere. */
export interface RuntimeSite extends Pick<GatewaySite, 'stores' | 'clouds' | 'containers' | 'plans'> {
  agents: AgentDefinitions;
}

/**
 * Whether a run of this definition can begin.
 * @param agent undefined for a definition that is not saved
 * @throws Fault `unknown_reference` for a container that is not known, or not to the caller; `invalid_state` without a
 * runtime; `not_supported` for a container that serves something else
 */
export async function assertRuntime(
  records: RecordStore,
  caller: Caller,
  { runtime_type, runtime }: AgentDefinition,
  agent: RunnableAgent | undefined,
): Promise<void> {
  if (runtime_type === 'CLOUD_AGENT_CORE') arnOf(agent);
  if (runtime_type !== 'CONTAINER') return;
  const name = runtime?.container ?? '';
  if (mayUseContainers(caller) && (await mayServeAgent(records, name))) return;
  throw unknownReference(`the container ${name}`);
}

/**
 * Judges the rights of a run's user.
 * @returns opens the runtime, for which a slot is needed: it may ask an engine. It throws Faults, also for what the runtime's
 * connection lacks
 * @throws Fault
 */
export async function findRuntime(site: RuntimeSite, caller: Caller, run: RunDoc): Promise<() => Promise<OpenRuntime>> {
  const { definition } = run;
  await site.agents.assertReadable(caller, definition);
  if (definition.runtime_type !== 'CONTAINER') {
    const runtime = await openCloud(site, caller, run);
    return async () => runtime;
  }
  const name = definition.runtime?.container ?? '';
  if (!mayUseContainers(caller)) throw unknownReference(`the container ${name}`);
  return () => openContainer(site, name);
}

async function openCloud(site: RuntimeSite, caller: Caller, run: RunDoc): Promise<OpenRuntime> {
  const agent = run.agent === undefined ? undefined : await site.agents.read(caller, run.agent);
  if (!agent || agent.created_at !== run.agent_created_at) throw unknownReference(`the agent ${run.agent}`);
  const arn = arnOf(agent);
  const cloud = site.clouds.at('CLOUD_AGENT_CORE', agent.cloud.location);
  return {
    target: { service: 'CLOUD_AGENT_CORE', connection_name: agent.name, model: agent.name },
    invoke: async (question, upstream) => cloud.invoke(arn, requestOf(question), upstream),
  };
}

async function openContainer({ stores, containers, plans }: RuntimeSite, name: string): Promise<OpenRuntime> {
  try {
    const { model, invoke } = await openAgentServer(stores, containers, plans, name);
    return {
      target: { service: 'container', connection_name: 'container', model },
      invoke: async (question, upstream) => invoke(requestOf(question), upstream),
    };
  } catch (error) {
    if (error instanceof OutboundError) throw Fault.of(error);
    if (error instanceof Fault && error.code === 'not_found') throw unknownReference(`the container ${name}`);
    throw error;
  }
}

const mayUseContainers = ({ capabilities }: Caller): boolean => passes(READ_CONTAINERS, capabilities);

/** @throws Fault `invalid_state` */
function arnOf(agent: RunnableAgent | undefined): string {
  const arn = agent?.cloud.arn;
  if (arn) return arn;
  throw new Fault('invalid_state', `The agent ${agent?.name} has no runtime: delete it and create it again`);
}
