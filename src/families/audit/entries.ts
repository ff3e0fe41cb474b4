import { Fault } from '../../contract/codes/faults.ts';
import type { Pagination } from '../../contract/schemas/common.ts';
import { andQuery } from '../../domain/access/audience.ts';
import { oldestAllowed, type RetentionLimits, withinNumbers } from '../../domain/audit/retention.ts';
import { AUDIT, type AuditStored, renderEntry } from '../../domain/audit/stored.ts';
import type { ListQueryValues } from '../../domain/lists/lists.ts';
import { findPage, type IndexedList } from '../../domain/lists/storedLists.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import { timePart } from '../../domain/values/keys.ts';
import { parseTime } from '../../domain/values/time.ts';
import type { AuditEntry } from './schemas.ts';

/** Filters of the list that ask for equality. */
export const FILTERS = ['family', 'action', 'user', 'outcome', 'error_code', 'request_id'] as const;

const LIST: IndexedList = {
  collection: AUDIT,
  sorts: { time: 'audit_id' },
  defaultSort: 'time',
  unique: 'audit_id',
  searched: ['name', 'user', 'action', 'family', 'error_code'],
};
const FIELDS = [
  ...['audit_id', 'time', 'user', 'action', 'family', 'name', 'outcome', 'error_code', 'changed'],
  ...['version_before', 'version_after', 'request_id', 'duration_ms', 'via', 'count', 'failed', 'tool'],
  ...['run_id', 'sid'],
];

export type AuditFilter = { [K in (typeof FILTERS)[number]]?: string } & {
  name?: string;
  earliest?: string;
  latest?: string;
};

export class AuditEntries {
  readonly #stores: Pick<Stores, 'records' | 'clock'>;

  constructor(stores: Pick<Stores, 'records' | 'clock'>) {
    this.#stores = stores;
  }

  async list(
    query: ListQueryValues & AuditFilter,
    retention: RetentionLimits,
  ): Promise<{ result: AuditEntry[]; pagination: Pagination }> {
    const { name, earliest, latest } = query;
    const filters = FILTERS.flatMap((field) => (query[field] === undefined ? [] : [[field, query[field]]]));
    const equal = { ...Object.fromEntries(filters), ...(name === undefined ? {} : { name_key: name.toLowerCase() }) };
    // Entries beyond the retention are hidden until they are cleared.
    const oldest = await oldestAllowed(this.#stores, retention);
    const retained = await withinNumbers(this.#stores.records, retention);
    // `latest` is exclusive, as on the platform.
    const [from, upTo] = [idAt('earliest', earliest), idAt('latest', latest)];
    const first = from !== undefined && from > oldest ? from : oldest;
    const where = andQuery(equal, retained, {
      audit_id: { $gte: first, ...(upTo === undefined ? {} : { $lt: upTo }) },
    });
    const sorted = { ...query, sort_dir: query.sort_dir ?? ('desc' as const) };
    const page = await findPage<AuditStored>(this.#stores.records, LIST, where, sorted, FIELDS);
    return { result: page.records.map(renderEntry), pagination: page.pagination };
  }

  /** @throws Fault `not_found` */
  async get(id: string, retention: RetentionLimits): Promise<AuditEntry> {
    const oldest = await oldestAllowed(this.#stores, retention);
    const retained = await withinNumbers(this.#stores.records, retention);
    const query = andQuery(retained, { audit_id: id });
    const [entry] = id < oldest ? [] : await this.#stores.records.find<AuditStored>(AUDIT, { query, limit: 1 });
    if (!entry) throw new Fault('not_found', 'The audit entry does not exist');
    return renderEntry(entry);
  }
}

/** Lowest id at a time. @throws Fault `validation_failed` */
function idAt(field: 'earliest' | 'latest', text: string | undefined): string | undefined {
  const seconds = parseTime(field, text);
  return seconds === undefined ? undefined : timePart(Math.ceil(seconds * 1000 - 1e-6));
}
