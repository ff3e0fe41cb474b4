import { recordKey } from '../../domain/values/keys.ts';
import { namedBy, pagesOf, type RecordCodec } from '../../resources/recordCodec.ts';
import { AGENTS } from './records/records.ts';

export const agentCodec: RecordCodec = {
  family: 'agents',
  rank: 3,
  rows: { read: 'getAgent', create: 'createAgent', update: 'updateAgent' },
  collection: AGENTS,
  keyOf: recordKey,
  planned: 'agents',
  hasAcl: true,
  ...namedBy('name'),
  all: ({ calls }) => pagesOf(calls, 'listAgents'),
  exclusionReason: ({ state }) => (state === 'Deleting' ? 'It is being deleted' : undefined),
  readCall: (agent_name) => ({ params: { agent_name } }),
};
