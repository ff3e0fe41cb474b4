import Link from '@splunk/react-ui/Link';
import { type Agent, MlExtensionError, TransportError } from '../../../client/src/index.ts';
import { ml } from '../../api/client.ts';
import { ResourcePage } from '../../parts/panel/ResourcePage.tsx';
import type { Body, Resource } from '../../parts/panel/resource.ts';
import { historyFacts, sharingFacts } from '../../parts/panel/sharing.tsx';
import { StateBadge, type Tone } from '../../parts/text/Badge.tsx';
import { Time } from '../../parts/text/Time.tsx';
import { AgentAlerts } from './Alerts.tsx';
import { agentFacts } from './facts.tsx';
import { CREATE, EDIT, editOf } from './form.tsx';
import { Retry } from './Retry.tsx';
import { RunAction } from './runs/RunAction.tsx';
import { isCloudRuntime, RUNTIMES } from './words.ts';

const TONES: Readonly<Record<Agent['state'], Tone>> = {
  Creating: 'info',
  Available: 'success',
  Failed: 'error',
  Deleting: 'info',
  'Delete Failed': 'error',
};

const isInProgress = ({ state }: Agent): boolean => state === 'Creating' || state === 'Deleting';

const IN_PROGRESS_MS = 5000;
const IDLE_MS = 30_000;
/** A search polls each agent in progress; after this long without a poll it is not running. */
const UNPOLLED_S = 30;

let isFollowing = false;

/** Polls in the background; the next refresh shows the result. */
async function followUnpolled(agents: readonly Agent[]): Promise<void> {
  const before = Date.now() / 1000 - UNPOLLED_S;
  const agent = agents.find(
    (listedAgent) =>
      isInProgress(listedAgent) && (listedAgent.tracking.last_polled_at ?? listedAgent.tracking.started_at) < before,
  );
  if (!agent || isFollowing) return;
  isFollowing = true;
  try {
    const { name, tracking } = agent;
    await ml.call('followAgent', { params: { agent_name: name }, body: { action: tracking.action } });
  } catch {
    // The record of the agent has the failure.
  } finally {
    isFollowing = false;
  }
}

async function exists(name: string): Promise<boolean> {
  try {
    await ml.call('getAgent', { params: { agent_name: name } });
    return true;
  } catch {
    return false;
  }
}

/** A refused runtime or a lost answer may still leave an agent. */
async function create(body: Body): Promise<string> {
  const { name } = body as { name: string };
  try {
    return (await ml.call('createAgent', { body: body as never })).agent_name;
  } catch (error) {
    const isCreated = error instanceof MlExtensionError && 'agent_name' in ((error.body ?? {}) as object);
    if (isCreated || (error instanceof TransportError && error.mayBeDone && (await exists(name)))) return name;
    throw error;
  }
}

const AGENTS: Resource<Agent> = {
  key: 'agents',
  one: 'agent',
  many: 'agents',
  about: (
    <>
      An agent is a prompt, a language model and tools. It needs an <Link to="connections?tab=llm">LLM connection</Link>
      .
    </>
  ),
  sortedBy: { key: 'name', dir: 'asc' },
  nameOf: ({ name }) => name,
  versionOf: ({ version }) => version,
  async list(query, signal) {
    const { result = [], pagination } = await ml.call('listAgents', { query: query as object }, { signal });
    followUnpolled(result);
    return { items: result, total: pagination?.total ?? result.length };
  },
  async read(name, signal) {
    return (await ml.call('getAgent', { params: { agent_name: name } }, { signal })).config;
  },
  pollMs: (agents) => (agents.some(isInProgress) ? IN_PROGRESS_MS : IDLE_MS),
  columns: [
    { label: 'Name', sort: 'name', cell: ({ name }) => name },
    { label: 'State', sort: 'state', cell: ({ state }) => <StateBadge tone={TONES[state]}>{state}</StateBadge> },
    { label: 'Runtime', sort: 'runtime_type', cell: ({ runtime_type }) => RUNTIMES[runtime_type] },
    { label: 'Reason', width: 260, cell: ({ state_reason }) => state_reason ?? '' },
    { label: 'Model', cell: ({ llm }) => llm?.model ?? '–' },
    {
      label: 'Tools',
      cell: ({ mcps }) => mcps.map(({ name, tools }) => `${name}: ${tools?.length ?? 'all'}`).join(', ') || '–',
    },
    { label: 'Enabled', cell: ({ is_enabled }) => (is_enabled ? 'yes' : 'no') },
    { label: 'Changed', sort: 'last_updated_at', cell: ({ last_updated_at }) => <Time at={last_updated_at} /> },
  ],
  facts: (agent) => [
    ...agentFacts(agent, <StateBadge tone={TONES[agent.state]}>{agent.state}</StateBadge>),
    sharingFacts(agent.acl),
    historyFacts(agent),
  ],
  more: ({ name }) => <AgentAlerts agent={name} />,
  actions: (agent) => (
    <>
      <RunAction agent={agent} />
      <Retry agent={agent} />
    </>
  ),
  create: { operation: 'createAgent', spec: CREATE, save: create },
  edit: {
    operation: 'updateAgent',
    spec: EDIT,
    specOf: editOf,
    save: (body, version, { name }) => ml.call('updateAgent', { body: { ...body, name, version } as never }),
    refuse: (agent) => (isInProgress(agent) ? `The agent is ${agent.state}. Wait until it is finished` : undefined),
  },
  remove: {
    operation: 'deleteAgent',
    perform: ({ name, version }) => ml.call('deleteAgent', { params: { agent_name: name }, ifMatch: version }),
    ask: (agent) =>
      isCloudRuntime(agent)
        ? 'Its cloud runtime is deleted first, which may take minutes. This cannot be undone.'
        : 'This cannot be undone.',
  },
};

export default function Agents() {
  return <ResourcePage resource={AGENTS} />;
}
