import type { Portable } from '../../resources/portable.ts';
import { portableAgents } from '../agents/public.ts';
import { portableContainerConnections } from '../containers/public.ts';
import { portableExperiments } from '../experiments/public.ts';
import { portableLlmConfigurations } from '../llm-providers/public.ts';
import { portableMcpConnections } from '../mcp-connections/public.ts';
import { portableRegistrations } from '../model-registrations/public.ts';
import { portableVectorStores } from '../vector-stores/public.ts';
import type { Family } from './constants.ts';

export const PORTABLES: { readonly [F in Family]: Portable } = {
  agents: portableAgents,
  'container-connections': portableContainerConnections,
  experiments: portableExperiments,
  'llm-providers': portableLlmConfigurations,
  'mcp-connections': portableMcpConnections,
  'model-registrations': portableRegistrations,
  'vector-stores': portableVectorStores,
};
