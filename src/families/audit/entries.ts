import type { Pagination } from '../../contract/common.ts';
import { Fault } from '../../contract/faults.ts';
import { allOf } from '../../domain/audience.ts';
import { AUDIT, type AuditStored } from '../../domain/audit.ts';
import type { FieldChange } from '../../domain/fieldChanges.ts';
import type { ListQueryValues } from '../../domain/lists.ts';
import { moment } from '../../domain/moments.ts';
import { type Kept, oldestAllowed, oldestInNumber } from '../../domain/retention.ts';
import { storedPage } from '../../domain/storedLists.ts';
import { timePart } from '../../domain/timeOrderedId.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Query, RecordStore } from '../../ports/recordStore.ts';
import type { AuditEntry } from './schemas.ts';

/** Filters of the list that ask for equality. */
export const FILTERS = ['family', 'action', 'user', 'outcome', 'error_code', 'request_id'] as const;
/** Pages and totals come from these; the first also serves filters that are combined. */
export const AUDIT_INDEXES = [
  ['audit_id', ...FILTERS, 'name_key'],
  ...[...FILTERS, 'name_key'].map((field) => [field, 'audit_id']),
];

const LIST = {
  collection: AUDIT,
  sorts: { time: 'audit_id' },
  defaultSort: 'time',
  unique: 'audit_id',
  searched: ['name', 'user', 'action', 'family', 'error_code'],
};
const FIELDS = [
  ...['audit_id', 'time', 'user', 'action', 'family', 'name', 'outcome', 'error_code', 'changed'],
  ...['version_before', 'version_after', 'request_id', 'duration_ms', 'via'],
];

export type AuditFilter = { [K in (typeof FILTERS)[number]]?: string } & {
  name?: string;
  earliest?: string;
  latest?: string;
};

/** The trail as its readers see it. */
export class AuditEntries {
  readonly #records: RecordStore;
  readonly #clock: Clock;

  constructor(records: RecordStore, clock: Clock) {
    this.#records = records;
    this.#clock = clock;
  }

  async list(
    query: ListQueryValues & AuditFilter,
    kept: Kept,
  ): Promise<{ result: AuditEntry[]; pagination: Pagination }> {
    const { name, earliest, latest } = query;
    const equal = FILTERS.flatMap((field) => (query[field] === undefined ? [] : [[field, query[field]]]));
    const where = allOf(
      Object.fromEntries(equal),
      name === undefined ? undefined : { name_key: name.toLowerCase() },
      { audit_id: { $gte: await this.#oldest(kept) } },
      between(moment('earliest', earliest), moment('latest', latest)),
    );
    const sorted = { ...query, sort_dir: query.sort_dir ?? ('desc' as const) };
    const { records, pagination } = await storedPage<AuditStored>(this.#records, LIST, where, sorted, FIELDS);
    return { result: records.map(entryView), pagination };
  }

  /** @throws Fault `not_found` */
  async get(id: string, kept: Kept): Promise<AuditEntry> {
    const entry = await this.#records.get<AuditStored>(AUDIT, id);
    if (!entry || id < (await this.#oldest(kept))) throw new Fault('not_found', 'There is no such entry');
    return entryView(entry);
  }

  /** What waits to be cleared is gone already. */
  async #oldest(kept: Kept): Promise<string> {
    const byAge = oldestAllowed(kept, this.#clock.now());
    const inNumber = await oldestInNumber(this.#records, kept);
    return inNumber !== undefined && inNumber > byAge ? inNumber : byAge;
  }
}

/** From `earliest` on, up to and without `latest`, as the platform has it; ids sort by time. */
function between(earliest: number | undefined, latest: number | undefined): Query | undefined {
  if (earliest === undefined && latest === undefined) return undefined;
  const at = (seconds: number) => timePart(Math.ceil(seconds * 1000 - 1e-6));
  return {
    audit_id: {
      ...(earliest === undefined ? {} : { $gte: at(earliest) }),
      ...(latest === undefined ? {} : { $lt: at(latest) }),
    },
  };
}

/** An entry as replies and events show it. */
export function entryView(entry: AuditStored): AuditEntry {
  const { audit_id, time, user, action, family, name, outcome, error_code } = entry;
  const { version_before, version_after, request_id, duration_ms, via } = entry;
  return {
    ...{ audit_id, time, user, action, family, name, outcome },
    ...(error_code === undefined ? {} : { error_code }),
    changed: JSON.parse(entry.changed) as FieldChange[],
    ...(version_before === undefined ? {} : { version_before }),
    ...(version_after === undefined ? {} : { version_after }),
    ...{ request_id, duration_ms, via },
  };
}
