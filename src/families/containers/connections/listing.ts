import type { Pagination } from '../../../contract/common.ts';
import { type ListQueryValues, pageOfRows } from '../../../domain/lists.ts';
import type { ContainerType } from '../../../ports/containerEngine.ts';
import type { RecordStore } from '../../../ports/recordStore.ts';
import { CONNECTIONS, type ConnectionStored } from './records.ts';
import { CONNECTION_SORT_KEYS } from './sortKeys.ts';

type Row = Pick<ConnectionStored, '_key' | (typeof CONNECTION_SORT_KEYS)[number]> & { name: string };

/** A page of connections; of the others no more is read than lists sort by. */
export async function connectionPage(
  records: RecordStore,
  type: ContainerType | undefined,
  query: ListQueryValues,
): Promise<{ records: ConnectionStored[]; pagination: Pagination }> {
  const where = type === undefined ? {} : { query: { container_type: type } };
  const rows: Row[] = [];
  for await (const chunk of records.chunks<Row>(CONNECTIONS, { ...where, fields: CONNECTION_SORT_KEYS })) {
    // A connection's name is what a list is searched for.
    for (const record of chunk) rows.push({ ...record, name: record.connection_name });
  }
  return pageOfRows<ConnectionStored, Row>({ records, collection: CONNECTIONS }, rows, query, 'connection_name');
}
