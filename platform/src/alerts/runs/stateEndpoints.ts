import type { SeenStanza } from '../../confs/view.ts';
import type { EaiEntry } from '../../eai/entry.ts';
import { eaiReply, requestBase } from '../../eai/feed.ts';
import type { PlatformRequest } from '../../http/request.ts';
import type { Route } from '../../http/route.ts';
import { searchCaller } from '../../search/endpoints/dispatchEndpoint.ts';
import type { SearchJob } from '../../search/jobs/job.ts';
import type { SearchJobs } from '../../search/jobs/jobs.ts';
import { PATH } from '../saved/entry.ts';
import { savedSearchOf } from '../saved/list.ts';
import { type SavedSearch, savedSearchId, suppressionId } from '../saved/savedSearch.ts';
import type { AlertState } from './alertState.ts';

export interface SearchStateOptions {
  jobs: SearchJobs;
  state: AlertState;
  /** Epoch milliseconds. */
  now(): number;
  /** The saved search of that name that a request sees; throws 404. */
  find(req: PlatformRequest, name: string): SeenStanza;
}

/**
 * `saved/searches/{name}/history`: the jobs of a saved search that the caller may look at, by their sids; and `suppress`:
 * how long its alert is suppressed.
 */
export function searchStateRoutes({ jobs, state, now, find }: SearchStateOptions): Route[] {
  const listing = (part: string, entriesOf: (search: SavedSearch, req: PlatformRequest) => EaiEntry[]): Route => ({
    method: 'GET',
    pattern: `${PATH}/{name}/${part}`,
    handle: (req, { name = '' }) => {
      const search = savedSearchOf(find(req, name));
      const base = `${requestBase(req, PATH)}/${encodeURIComponent(search.name)}/${part}`;
      const entries = entriesOf(search, req);
      return eaiReply(req, { title: 'savedsearch', base, entries, links: {}, isReloadable: false });
    },
  });
  const history = (search: SavedSearch, req: PlatformRequest) => {
    const id = savedSearchId(search);
    return jobs
      .list(searchCaller(req))
      .filter(({ settings }) => settings.saved?.id === id)
      .map(historyEntry);
  };
  const suppression = (search: SavedSearch): EaiEntry[] => {
    const seconds = now() / 1000;
    const until = state.suppressedUntil(suppressionId(search), seconds);
    const { name, app, owner } = search;
    return [
      {
        name,
        acl: { app, owner, sharing: search.isPrivate ? 'user' : 'app', perms: null, can_write: false },
        content: {
          expiration: until === undefined ? 0 : Math.ceil(until - seconds),
          suppressed: until !== undefined,
          suppressionKey: suppressionId(search),
        },
      },
    ];
  };
  return [listing('history', history), listing('suppress', suppression)];
}

function historyEntry(job: SearchJob): EaiEntry {
  const { sid, owner, app, earliest, latest } = job.settings;
  const end = job.finishedAt ?? Date.now();
  return {
    name: sid,
    acl: { app, owner, sharing: 'user', perms: null, can_write: true, removable: true },
    content: {
      earliestTime: iso(Number(earliest)),
      isDone: job.done,
      isFailed: job.failed,
      isFinalized: job.finalized,
      isRealTimeSearch: false,
      isScheduled: sid.startsWith('scheduler_'),
      latestTime: latest === '0' ? '' : iso(Number(latest)),
      resultCount: job.rows.length,
      runDuration: Math.max(0, end - (job.startedAt ?? job.createdAt)) / 1000,
      start: Math.floor(job.createdAt / 1000),
      ttl: job.ttl,
    },
  };
}

function iso(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('Z', '+00:00');
}
