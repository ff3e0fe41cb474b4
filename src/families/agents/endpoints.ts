import { Type } from 'typebox';
import { AGENT_RUN_CAPABILITIES } from '../../contract/capabilities.ts';
import { OUTBOUND_CODES } from '../../contract/codes/outbound.ts';
import { endpoints } from '../../contract/rows/endpoint.ts';
import { ConfigReply, ListQuery, ListReply, ONE_BY_NAME } from '../../contract/schemas/common.ts';
import { agent } from './definition.ts';
import { AgentName, agentName } from './schemas.ts';
import { AgentDeleting, AgentFollow, AgentProgress, AgentStarted } from './tracking/progress.ts';

const write = { gate: AGENT_RUN_CAPABILITIES, flag: 'agent_builder' } as const;
const AgentParams = Type.Object({ agent_name: AgentName });

const properties = agent.record.properties;
const partial = Type.Partial(agent.record).properties;

export const agents = endpoints({
  listAgents: {
    method: 'GET',
    path: '/ml/agents',
    summary: 'Agents the caller may read; with name=, one of them.',
    gate: 'session',
    query: ListQuery(agent.sortKeys, { name: Type.Optional(agentName(ONE_BY_NAME)) }),
    reply: Type.Object(
      { ...partial, ...ListReply(agent.record).properties },
      { description: 'A page of agents in result; with name=, the keys of that agent, at top level and under config' },
    ),
    faults: ['not_found'],
  },
  getAgent: {
    method: 'GET',
    path: '/ml/agents/{agent_name}',
    summary: 'One agent: its keys at top level and under config.',
    gate: 'session',
    params: AgentParams,
    reply: Type.Object(
      { ...properties, config: agent.record },
      { description: 'An agent: its keys at top level, and once more under config' },
    ),
    faults: ['not_found'],
  },
  createAgent: {
    method: 'POST',
    path: '/ml/agents',
    audit: { action: 'create', name: ['body.name'] },
    summary:
      'Create an agent. A cloud runtime is requested, and a search follows its creation; other agents are available at once.',
    ...write,
    body: agent.create,
    reply: AgentStarted,
    callsUpstream: 'always',
    faults: ['duplicate_name', 'acl_denied', 'unknown_reference', 'ambiguous_reference', ...OUTBOUND_CODES],
  },
  updateAgent: {
    method: 'PUT',
    path: '/ml/agents',
    audit: { action: 'update', name: ['body.name'] },
    summary: 'Change an agent: name and any subset of its fields; applies from its next run on.',
    ...write,
    body: agent.update,
    conditional: true,
    reply: ConfigReply(agent.record),
    faults: [
      'not_found',
      'acl_denied',
      'version_conflict',
      'unknown_reference',
      'ambiguous_reference',
      'invalid_state',
    ],
  },
  deleteAgent: {
    method: 'DELETE',
    path: '/ml/agents/{agent_name}',
    audit: { action: 'delete', name: ['params.agent_name'] },
    summary:
      'Delete an agent. A cloud runtime is deleted first, and a search follows that; other agents are gone at once.',
    ...write,
    params: AgentParams,
    conditional: true,
    reply: AgentDeleting,
    callsUpstream: 'always',
    faults: ['not_found', 'acl_denied', 'version_conflict', 'invalid_state', ...OUTBOUND_CODES],
  },
  retryAgent: {
    method: 'POST',
    path: '/ml/agents/{agent_name}/retry',
    audit: { action: 'retry', name: ['params.agent_name'] },
    summary: 'Request the runtime again for an agent whose creation failed.',
    ...write,
    params: AgentParams,
    conditional: true,
    reply: AgentStarted,
    callsUpstream: 'always',
    faults: ['not_found', 'acl_denied', 'version_conflict', 'invalid_state', ...OUTBOUND_CODES],
    addition: true,
  },
  followAgent: {
    method: 'POST',
    path: '/ml/agents/{agent_name}/status',
    unaudited: 'the creation or deletion has an entry; monitors poll several times a second',
    summary: 'Poll a creation or deletion once: asks the cloud unless it was just asked, and stores the state.',
    gate: 'session',
    params: AgentParams,
    body: AgentFollow,
    reply: AgentProgress,
    callsUpstream: 'maybe',
    faults: ['not_found'],
    addition: true,
  },
});
