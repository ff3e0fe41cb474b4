import { append } from '../../../contract/basics.ts';
import type { ContainerType } from '../../../ports/engines/containerEngine.ts';
import type { RecordStore } from '../../../ports/stores/recordStore.ts';
import type { InventoryView } from '../engines/engineKind.ts';
import { ENGINE_KINDS } from '../engines/registry.ts';
import { CONNECTIONS, type ConnectionStored } from './records.ts';

/** Type, name and the engine's fields. */
export interface ContainerEntry {
  connection_type: ContainerType;
  connection_name: string;
  [field: string]: string | boolean;
}

const INVENTORIES = Object.values(ENGINE_KINDS).map(({ inventory }) => inventory);
const INVENTORY_FIELDS = ['container_type', 'connection_name', ...INVENTORIES.flatMap(({ reads }) => reads)];

/** JSON schemas of the engines' fields. */
export const INVENTORY_SCHEMAS: InventoryView['shows'] = Object.assign({}, ...INVENTORIES.map(({ shows }) => shows));

/** In chunks, since documents may be large. */
export async function containerEntries(records: RecordStore): Promise<ContainerEntry[]> {
  const entries: ContainerEntry[] = [];
  for await (const chunk of records.chunks<ConnectionStored>(CONNECTIONS, { fields: INVENTORY_FIELDS })) {
    append(entries, chunk.map(entryOf));
  }
  return entries;
}

function entryOf(record: ConnectionStored): ContainerEntry {
  const { container_type: connection_type, connection_name } = record;
  const { inventory } = ENGINE_KINDS[connection_type];
  return { connection_type, connection_name, ...inventory.entry(record) };
}
