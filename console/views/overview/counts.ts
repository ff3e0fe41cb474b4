import type { OperationId, ResourceFamily } from '../../../client/src/index.ts';
import { ml } from '../../api/client.ts';
import type { Refusal } from '../../api/rights.ts';
import { agentsNow, containersNow } from './concerns.ts';

const ONE = { query: { count: 1 } } as const;

interface Counter {
  operation: OperationId;
  count(signal: AbortSignal): Promise<number>;
}

const totalOf = ({ pagination }: { pagination?: { total: number } }): number => pagination?.total ?? 0;

/** The counts of each kind that the user may read. */
const COUNTED: Readonly<Partial<Record<ResourceFamily, Counter>>> = {
  'llm-providers': {
    operation: 'listLlmConfigurations',
    count: async (signal) => totalOf(await ml.call('listLlmConfigurations', ONE, { signal })),
  },
  'mcp-connections': {
    operation: 'listMcpConnections',
    count: async (signal) => totalOf(await ml.call('listMcpConnections', ONE, { signal })),
  },
  'container-connections': { operation: 'listContainerConnections', count: containerConnections },
  'vector-stores': {
    operation: 'listVectorStores',
    count: async (signal) => totalOf(await ml.call('listVectorStores', ONE, { signal })),
  },
  containers: {
    operation: 'getContainerData',
    count: async () => Object.keys(await containersNow()).length,
  },
  agents: {
    operation: 'listAgents',
    count: async () => totalOf(await agentsNow()),
  },
  experiments: {
    operation: 'listExperiments',
    count: async (signal) => totalOf(await ml.call('listExperiments', ONE, { signal })),
  },
  models: {
    operation: 'listModels',
    count: async (signal) => totalOf(await ml.call('listModels', ONE, { signal })),
  },
};

/** A list for each engine. */
async function containerConnections(signal: AbortSignal): Promise<number> {
  let count = 0;
  for (const container_type of ['docker', 'kubernetes'] as const) {
    const reply = await ml.call('listContainerConnections', { params: { container_type }, ...ONE }, { signal });
    count += totalOf(reply);
  }
  return count;
}

/** A number, or the reason that it is missing. */
export type Count = number | { why: string };

/** One after the other: a driver serves one request at a time. */
export async function countAll(refusal: Refusal, signal: AbortSignal): Promise<[ResourceFamily, Count][]> {
  const counts: [ResourceFamily, Count][] = [];
  for (const [family, { operation, count }] of Object.entries(COUNTED) as [ResourceFamily, Counter][]) {
    const why = refusal(operation);
    counts.push([family, why === undefined ? await count(signal) : { why }]);
  }
  return counts;
}
