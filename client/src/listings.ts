import type { Item, ListingId } from './types.ts';

/** The fields that identify an entry of each list. */
const KEYS: { readonly [Id in ListingId]: readonly (keyof Item<Id> & string)[] } = {
  listMcpConnections: ['name'],
  listLlmConfigurations: ['service', 'connection_name', 'model'],
  listContainerConnections: ['container_type', 'connection_name'],
  listTestedConnections: ['container_type', 'connection_name'],
  listAgents: ['name'],
  listExperiments: ['experiment_id'],
  listExperimentHistory: ['history_id'],
  listVectorStores: ['name'],
  listDocuments: ['id'],
  listModelAliases: ['name'],
  listUsageLimits: ['name'],
  listSearchTools: ['name'],
  listMaskingPolicies: ['name'],
  listConnections: ['connection_type', 'Provider', 'Connection Name', 'Model', 'connection_name'],
  listAudit: ['audit_id'],
  listRuns: ['run_id'],
  listConnectionHealth: ['family', 'name'],
  listModels: ['type', 'name', 'owner', 'app', 'sharing'],
};

export function itemKey<Id extends ListingId>(id: Id, item: Item<Id>): string {
  return JSON.stringify(KEYS[id].map((field) => item[field]));
}
