import type { Caller } from '../../contract/caller.ts';
import type { Pagination } from '../../contract/schemas/common.ts';
import { andQuery } from '../../domain/access/audience.ts';
import { findPage, type IndexedList } from '../../domain/lists/storedLists.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import { timeOrderedId } from '../../domain/values/keys.ts';
import { parseTime } from '../../domain/values/time.ts';
import { HISTORY } from './constants.ts';
import type { HistoryEntry, HistoryInput } from './historySchemas.ts';
import type { HistoryStored } from './records.ts';
import { assertShallow } from './rules.ts';

/** Retention of the history of one experiment. */
const MAX_ENTRIES = 1000;
/** One in this many additions also trims old entries, which keeps the average cost low. */
const TRIM_EVERY = 32;
/** Maximum for one user, in the histories of all experiments. */
const MAX_ENTRIES_OF_USER = 100_000;
const TRIM_USER_EVERY = 512;

/** Entries that are kept up to a number. */
type EntriesOf = { experiment_id: string } | { user: string };

export interface HistoryQuery {
  count?: number;
  offset?: number;
  sort_dir?: 'asc' | 'desc';
  search?: string;
  action?: string;
  status?: string;
  earliest?: string;
  latest?: string;
}

const LIST: IndexedList = {
  collection: HISTORY,
  sorts: { timestamp: 'history_id' },
  defaultSort: 'timestamp',
  unique: 'history_id',
  searched: ['message', 'user', 'action'],
};
const FIELDS = ['history_id', 'experiment_id', 'action', 'timestamp', 'user', 'status', 'details'];

/** Append-only history of experiments. */
export class History {
  readonly #stores: Stores;
  readonly #mostOfUser: number;

  /** @param mostOfUser how many entries of one user are kept */
  constructor(stores: Stores, mostOfUser = MAX_ENTRIES_OF_USER) {
    this.#stores = stores;
    this.#mostOfUser = mostOfUser;
  }

  async add(caller: Caller, experimentId: string, input: HistoryInput): Promise<HistoryEntry> {
    assertShallow(input, ['parameters', 'statistics']);
    const now = this.#stores.clock.now();
    const history_id = timeOrderedId(now);
    const { action, status = 'success', ...details } = input;
    const entry: HistoryStored = {
      _key: history_id,
      history_id,
      experiment_id: experimentId,
      action,
      timestamp: now / 1000,
      user: caller.user,
      status,
      details: JSON.stringify(details),
      message: details.message ?? '',
    };
    await this.#stores.records.insert(HISTORY, entry);
    if (Math.random() * TRIM_EVERY < 1) await this.#trim({ experiment_id: experimentId }, MAX_ENTRIES);
    if (Math.random() * TRIM_USER_EVERY < 1) await this.#trim({ user: caller.user }, this.#mostOfUser);
    return view(entry);
  }

  /** For the server's own entries: the change is done, so a lost entry is only a warning. */
  async note(caller: Caller, experimentId: string, input: HistoryInput, warnings: string[]): Promise<void> {
    try {
      await this.add(caller, experimentId, input);
    } catch {
      this.#stores.log.warn('history_lost', { experiment: experimentId, action: input.action });
      warnings.push('The history entry of this change could not be written');
    }
  }

  async list(experimentId: string, query: HistoryQuery): Promise<{ result: HistoryEntry[]; pagination: Pagination }> {
    const { action, status, earliest, latest } = query;
    // `latest` is exclusive, as on the platform.
    const [from, to] = [parseTime('earliest', earliest), parseTime('latest', latest)];
    const times = { ...(from === undefined ? {} : { $gte: from }), ...(to === undefined ? {} : { $lt: to }) };
    // Entries beyond the retention are hidden until they are trimmed.
    const oldest = await this.#oldestRetained({ experiment_id: experimentId }, MAX_ENTRIES);
    const where = andQuery(
      { experiment_id: experimentId, ...(action ? { action } : {}), ...(status ? { status } : {}) },
      Object.keys(times).length > 0 ? { timestamp: times } : undefined,
      oldest === undefined ? undefined : { history_id: { $gte: oldest } },
    );
    const sorted = { ...query, sort_key: 'timestamp', sort_dir: query.sort_dir ?? ('desc' as const) };
    const { records, pagination } = await findPage<HistoryStored>(this.#stores.records, LIST, where, sorted, FIELDS);
    return { result: records.map(view), pagination };
  }

  /** @returns the number of retained entries. Entries that cannot be removed are invisible without their experiment. */
  async removeAll(experimentId: string, warnings: string[]): Promise<number> {
    const query = { experiment_id: experimentId };
    try {
      const count = await this.#stores.records.count(HISTORY, query);
      await this.#stores.records.removeWhere(HISTORY, query);
      return Math.min(count, MAX_ENTRIES);
    } catch {
      this.#stores.log.warn('history_left', { experiment: experimentId });
      warnings.push('The history of the experiment could not be removed');
      return 0;
    }
  }

  async #trim(of: EntriesOf, most: number): Promise<void> {
    try {
      const oldest = await this.#oldestRetained(of, most);
      if (!oldest) return;
      await this.#stores.records.removeWhere(HISTORY, { ...of, history_id: { $lt: oldest } });
    } catch {
      // The entry is written; a later addition retries the trim.
      this.#stores.log.warn('history_not_trimmed', { ...of });
    }
  }

  /** @returns undefined while there are fewer than `most` */
  async #oldestRetained(of: EntriesOf, most: number): Promise<string | undefined> {
    const [oldest] = await this.#stores.records.find<HistoryStored>(HISTORY, {
      query: { ...of },
      fields: ['history_id'],
      sort: 'history_id:-1',
      skip: most - 1,
      limit: 1,
    });
    return oldest?.history_id;
  }
}

function view({ history_id, experiment_id, action, timestamp, user, status, details }: HistoryStored): HistoryEntry {
  return { history_id, experiment_id, action, timestamp, user, ...JSON.parse(details), status };
}
