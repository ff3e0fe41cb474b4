import type { Caller } from '../contract/caller.ts';
import { type Capability, passes } from '../contract/capabilities.ts';
import type { Doc, RecordStore } from '../ports/recordStore.ts';
import { LLM_CONNECTIONS, type LlmConnection, modelsOf } from './llmConfigurations.ts';

/** An entry of the inventory, in the words of the interface: `Connection Name` has a space. */
export type InventoryEntry =
  | { connection_type: 'llm'; Provider: string; Model: string; 'Connection Name': string }
  | { connection_type: 'docker'; connection_name: string; docker_url: string; tls_enabled: boolean }
  | { connection_type: 'kubernetes'; connection_name: string; cluster_url: string };

export type ConnectionType = InventoryEntry['connection_type'];

/** Who may read a family's connections; the inventory shows no more than the family itself. */
const READERS = {
  llm: { any: ['edit_ai_commander_config', 'list_ai_commander_config'] },
  docker: { any: ['list_container_connections', 'edit_container_connections'] },
  kubernetes: { any: ['list_container_connections', 'edit_container_connections'] },
} as const satisfies Record<ConnectionType, { any: readonly Capability[] }>;

export const CONNECTION_TYPES = ['llm', 'docker', 'kubernetes'] as const satisfies readonly ConnectionType[];

const CONTAINER_CONNECTIONS = 'ml_container_connections';

/** The parts of the families' documents that are read here: an inventory must not load whole families. */

interface ContainerDoc extends Doc {
  container_type: 'docker' | 'kubernetes';
  connection_name: string;
  docker_url?: string;
  client_cert?: string;
  cluster_url?: string;
}

/** Every connection that the caller's capabilities let see: llm, docker, kubernetes, and by name within each. */
export async function connectionInventory(records: RecordStore, caller: Caller): Promise<InventoryEntry[]> {
  const isAllowed = (type: ConnectionType) => passes(READERS[type], caller.capabilities);
  const [llm, containers] = await Promise.all([
    isAllowed('llm') ? llmEntries(records) : [],
    isAllowed('docker') || isAllowed('kubernetes') ? containerEntries(records) : [],
  ]);
  const entries = [...llm, ...containers.filter(({ connection_type }) => isAllowed(connection_type))];
  const keyed = entries.map((entry) => ({ entry, key: sortKey(entry) }));
  // Compared as plain texts: a collator would take most of the time with tens of thousands of entries.
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return keyed.map(({ entry }) => entry);
}

export function entryName(entry: InventoryEntry): string {
  return entry.connection_type === 'llm' ? entry['Connection Name'] : entry.connection_name;
}

/** Type, name without regard to case, and what else tells two entries apart, so that pages never overlap. */
function sortKey(entry: InventoryEntry): string {
  const name = entryName(entry);
  const more = entry.connection_type === 'llm' ? [entry.Provider, entry.Model] : [];
  return [CONNECTION_TYPES.indexOf(entry.connection_type), name.toLowerCase(), name, ...more].join('\u0000');
}

async function llmEntries(records: RecordStore): Promise<InventoryEntry[]> {
  const fields = ['service', 'connection_name', 'models'];
  return gathered(records.chunks<LlmConnection>(LLM_CONNECTIONS, { fields }), ({ service, connection_name, models }) =>
    modelsOf({ models })
      // A draft is none of the configurations that can be used.
      .filter(({ is_saved, is_model_saved }) => is_saved && is_model_saved)
      .map(({ model }) => ({
        connection_type: 'llm' as const,
        Provider: service,
        Model: model,
        'Connection Name': connection_name,
      })),
  );
}

async function containerEntries(records: RecordStore): Promise<InventoryEntry[]> {
  const fields = ['container_type', 'connection_name', 'docker_url', 'client_cert', 'cluster_url'];
  return gathered(records.chunks<ContainerDoc>(CONTAINER_CONNECTIONS, { fields }), (doc): InventoryEntry[] => {
    const { connection_name } = doc;
    if (doc.container_type === 'kubernetes') {
      // A pod of the cluster itself needs no address.
      return [{ connection_type: 'kubernetes', connection_name, cluster_url: doc.cluster_url ?? '' }];
    }
    return [
      { connection_type: 'docker', connection_name, docker_url: doc.docker_url ?? '', tls_enabled: usesTls(doc) },
    ];
  });
}

/** Documents are let go as soon as their entries are made: some are large, and entries are not. */
async function gathered<D>(
  chunks: AsyncIterable<D[]>,
  entriesOf: (doc: D) => InventoryEntry[],
): Promise<InventoryEntry[]> {
  const all: InventoryEntry[] = [];
  for await (const chunk of chunks) for (const doc of chunk) all.push(...entriesOf(doc));
  return all;
}

/** https, the port that Docker keeps for TLS, or a client certificate. */
function usesTls({ docker_url = '', client_cert }: ContainerDoc): boolean {
  return /^https:/i.test(docker_url) || /^(tcp|https?):\/\/.*:2376\/?$/i.test(docker_url) || Boolean(client_cert);
}
