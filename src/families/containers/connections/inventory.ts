import type { EntryOf, EntrySource } from '../../../domain/entrySource.ts';
import { among } from '../../../domain/keyQueries.ts';
import type { Slim } from '../../../domain/slimRows.ts';
import type { ContainerType } from '../../../ports/containerEngine.ts';
import type { InventoryView } from '../engines/engineKind.ts';
import { ENGINE_KINDS } from '../engines/registry.ts';
import { CONNECTIONS, type ConnectionStored } from './records.ts';

/** A connection as the inventory shows it: its type, its name, and what its engine adds. */
export interface ContainerEntry {
  connection_type: ContainerType;
  connection_name: string;
  [shown: string]: string | boolean;
}

const INVENTORIES = Object.values(ENGINE_KINDS).map(({ inventory }) => inventory);
const READ = ['container_type', 'connection_name', ...INVENTORIES.flatMap(({ reads }) => reads)];

/** The JSON schema of each key that an engine adds to an entry. */
export const SHOWN: InventoryView['shows'] = Object.assign({}, ...INVENTORIES.map(({ shows }) => shows));

/** Documents are released as soon as their entries are made: some are large, and entries are not. */
export const containerEntries: EntrySource<ContainerEntry> = {
  async read(records, keys) {
    const all: EntryOf<ContainerEntry>[] = [];
    const options = { fields: READ, ...among(keys) };
    for await (const chunk of records.chunks<ConnectionStored>(CONNECTIONS, options)) all.push(...chunk.map(entryOf));
    return all;
  },
  async kept(stores) {
    const kept = await stores.rows?.read(stores, SLIM);
    return kept && { entries: kept.rows, areNew: kept.areNew };
  },
};

function entryOf(record: ConnectionStored): EntryOf<ContainerEntry> {
  const { _key: key, container_type: connection_type, connection_name } = record;
  const { inventory } = ENGINE_KINDS[connection_type];
  return { key, entry: { connection_type, connection_name, ...inventory.entry(record) } };
}

const SLIM: Slim<ConnectionStored, EntryOf<ContainerEntry>> = {
  collection: CONNECTIONS,
  fields: READ,
  shape: entryOf,
  compare: (a, b) => (a.key < b.key ? -1 : 1),
};
