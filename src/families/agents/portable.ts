import { AGENT_DEFAULTS } from '../../contract/families/agents.ts';
import { recordKey } from '../../domain/values/keys.ts';
import { namedBy, type Portable, pagesOf } from '../../resources/portable.ts';
import { agentSpec } from './records.ts';

export const portableAgents: Portable = {
  family: 'agents',
  rank: 2,
  rows: { read: 'getAgent', create: 'createAgent', update: 'updateAgent' },
  collection: agentSpec.collection,
  keyOf: recordKey,
  hasAcl: true,
  ...namedBy('name'),
  all: ({ calls }) => pagesOf(calls, 'listAgents'),
  leftOut: ({ state }) => (state === 'Deleting' ? 'It is being deleted' : undefined),
  address: (agent_name) => ({ params: { agent_name } }),
  merges: [],
  unset: AGENT_DEFAULTS,
};
