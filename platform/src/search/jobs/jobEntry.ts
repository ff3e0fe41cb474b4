import { hostname } from 'node:os';
import { originOf } from '../../eai/feed.ts';
import { jsonReply, xmlReply } from '../../eai/replies.ts';
import { type EaiValue, xmlDict, xmlText } from '../../eai/xml.ts';
import { PLATFORM_BUILD, PLATFORM_VERSION } from '../../home/home.ts';
import { PlatformError, type PlatformReply } from '../../http/reply.ts';
import type { PlatformCaller, PlatformRequest } from '../../http/request.ts';
import type { SearchJob } from './job.ts';
import { phases } from './phases.ts';

export const DEFAULT_TTL = 600;
export const SAVE_TTL = 604_800;

const LINKS = [
  'control',
  'events',
  'results',
  'results_preview',
  'search.log',
  'search_telemetry.json',
  'summary',
  'timeline',
];

/** Keys that a job has only from the moment when it runs, counters among them. */
const SINCE_RUNNING = new Set([
  'canSummarize',
  'dropCount',
  'eventAvailableCount',
  'eventCount',
  'eventFieldCount',
  'eventIsStreaming',
  'eventIsTruncated',
  'eventSearch',
  'eventSorting',
  'indexEarliestTime',
  'indexLatestTime',
  'isBatchModeSearch',
  'isRealTimeSearch',
  'isRemoteTimeline',
  'isTimeCursored',
  'is_prjob',
  'keywords',
  'normalizedSearch',
  'optimizedSearch',
  'phase0',
  'phase1',
  'remoteSearch',
  'reportSearch',
  'resultCount',
  'resultIsStreaming',
  'runDuration',
  'scanCount',
  'searchCanBeEventType',
  'searchTelemetry',
  'searchTotalBucketsCount',
  'searchTotalEliminatedBucketsCount',
]);

/** Unlike other entities, a job is named by its search text; the sid is in its id. */
interface Entry {
  name: string;
  path: string;
  published: string;
  updated: string;
  links: Record<string, string>;
  author: string;
  acl: Record<string, EaiValue>;
  content: Record<string, EaiValue>;
}

function iso(time: number): string {
  return new Date(time).toISOString().replace('Z', '+00:00');
}

export function jobPath(sid: string): string {
  return `/services/search/jobs/${encodeURIComponent(sid)}`;
}

function entryOf(job: SearchJob, caller: PlatformCaller): Entry {
  const { sid, owner, app, search } = job.settings;
  const path = jobPath(sid);
  const canWrite = caller.system || caller.user === owner || caller.capabilities.has('admin_all_objects');
  return {
    name: search,
    path,
    published: iso(job.createdAt),
    updated: iso(Math.max(job.finishedAt ?? Date.now(), job.touchedAt)),
    links: { alternate: path, ...Object.fromEntries(LINKS.map((name) => [name, `${path}/${name}`])) },
    author: owner,
    acl: {
      perms: { read: [owner], write: [owner] },
      owner,
      modifiable: canWrite,
      sharing: 'global',
      app,
      can_write: canWrite,
      ttl: String(job.ttl),
    },
    content: content(job),
  };
}

/** Refuses modes of results, which a job itself and the list of jobs do not have. */
export function requireEntryMode({ outputMode }: PlatformRequest): void {
  if (outputMode !== 'json' && outputMode !== 'xml') throw new PlatformError(400, 'Invalid output_mode.', 'FATAL');
}

function content(job: SearchJob): Record<string, EaiValue> {
  const { sid, search, expanded, label, earliest, latest, request, autoCancel, autoPause, execMode } = job.settings;
  const { state, done, failed } = job;
  const count = job.rows.length;
  const { streams, isEvents, events, report } = phases(job.settings);
  const began = job.startedAt ?? job.createdAt;
  const whole: Record<string, EaiValue> = {
    canSummarize: false,
    cursorTime: iso(0),
    defaultSaveTTL: String(SAVE_TTL),
    defaultTTL: String(DEFAULT_TTL),
    delegate: '',
    diskUsage: 0,
    dispatchState: state,
    doneProgress: done ? 1 : 0,
    dropCount: 0,
    earliestTime: iso(Number(earliest) * 1000),
    ...(latest === '0' ? {} : { latestTime: iso(Number(latest) * 1000) }),
    eventAvailableCount: isEvents ? count : 0,
    eventCount: job.eventCount,
    eventFieldCount: isEvents ? job.columns.length : 0,
    eventIsStreaming: true,
    eventIsTruncated: job.truncated,
    eventSearch: events,
    eventSorting: 'desc',
    indexEarliestTime: 0,
    indexLatestTime: 0,
    isBatchModeSearch: false,
    isDone: done,
    isEventsPreviewEnabled: false,
    isFailed: failed,
    isFinalized: job.finalized,
    isPaused: job.paused,
    isPreviewEnabled: job.previewEnabled,
    isRealTimeSearch: false,
    isRemoteTimeline: false,
    isSaved: job.saved,
    isSavedSearch: job.settings.saved !== undefined,
    isTimeCursored: false,
    isZombie: false,
    is_prjob: false,
    keywords: '',
    label,
    messages: job.messages.map(({ type, text }) => ({ type, text })),
    normalizedSearch: expanded,
    numPreviews: 0,
    optimizedSearch: expanded,
    performance: {},
    phase0: expanded,
    phase1: '',
    pid: String(job.pid ?? ''),
    priority: job.priority,
    provenance: 'rest:jobs',
    remoteSearch: '',
    reportSearch: report,
    request: { ...request, exec_mode: execMode },
    resultCount: count,
    resultIsStreaming: streams,
    resultPreviewCount: count,
    runDuration: Math.max(0, ((job.finishedAt ?? Date.now()) - began) / 1000),
    runtime: { auto_cancel: String(autoCancel), auto_pause: String(autoPause) },
    sampleRatio: '1',
    sampleSeed: '0',
    scanCount: job.scanCount,
    search,
    searchCanBeEventType: false,
    searchProviders: [hostname()],
    searchTelemetry: {},
    searchTotalBucketsCount: 0,
    searchTotalEliminatedBucketsCount: 0,
    sid,
    statusBuckets: job.settings.statusBuckets,
    ttl: job.ttl,
    workload_action_information: '',
    workload_pool: '',
  };
  if (state !== 'QUEUED' && state !== 'PARSING') return whole;
  return Object.fromEntries(Object.entries(whole).filter(([key]) => !SINCE_RUNNING.has(key)));
}

function jsonEntry(entry: Entry, origin: string): Record<string, unknown> {
  const { path, ...members } = entry;
  return { ...members, id: origin + path };
}

const NAMESPACES = 'xmlns="http://www.w3.org/2005/Atom" xmlns:s="http://dev.splunk.com/ns/rest"';

function xmlEntry(entry: Entry, origin: string, namespaces: string): string {
  const links = Object.entries(entry.links).map(
    ([rel, href]) => `  <link href="${xmlText(href)}" rel="${xmlText(rel)}"/>\n`,
  );
  return `<entry${namespaces}>
  <title>${xmlText(entry.name)}</title>
  <id>${xmlText(origin + entry.path)}</id>
  <updated>${entry.updated}</updated>
${links.join('')}  <published>${entry.published}</published>
  <author>
    <name>${xmlText(entry.author)}</name>
  </author>
  <content type="text/xml">
${xmlDict({ ...entry.content, 'eai:acl': entry.acl })}
  </content>
</entry>
`;
}

interface Listing {
  jobs: readonly SearchJob[];
  total: number;
  count: number;
  offset: number;
}

export function jobsReply(req: PlatformRequest, caller: PlatformCaller, listing: Listing): PlatformReply {
  const origin = originOf(req);
  const updated = iso(Date.now());
  const entries = listing.jobs.map((job) => entryOf(job, caller));
  const paging = { total: listing.total, perPage: listing.count, offset: listing.offset };
  if (req.outputMode === 'json') {
    return jsonReply(200, {
      links: {},
      origin: `${origin}/services/search/jobs`,
      updated,
      generator: { build: PLATFORM_BUILD, version: PLATFORM_VERSION },
      entry: entries.map((entry) => jsonEntry(entry, origin)),
      paging,
    });
  }
  return xmlReply(
    200,
    `<feed ${NAMESPACES} xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/">
  <title>jobs</title>
  <id>${xmlText(`${origin}/services/search/jobs`)}</id>
  <updated>${updated}</updated>
  <generator build="${PLATFORM_BUILD}" version="${PLATFORM_VERSION}"/>
  <author>
    <name>Splunk</name>
  </author>
  <opensearch:totalResults>${paging.total}</opensearch:totalResults>
  <opensearch:itemsPerPage>${paging.perPage}</opensearch:itemsPerPage>
  <opensearch:startIndex>${paging.offset}</opensearch:startIndex>
  <s:messages/>
${entries.map((entry) => xmlEntry(entry, origin, '')).join('')}</feed>
`,
  );
}

/** JSON has a list envelope without messages; XML is the bare entry. */
export function jobReply(req: PlatformRequest, caller: PlatformCaller, job: SearchJob): PlatformReply {
  if (req.outputMode === 'json') return jobsReply(req, caller, { jobs: [job], total: 1, count: 0, offset: 0 });
  return xmlReply(200, xmlEntry(entryOf(job, caller), originOf(req), ` ${NAMESPACES}`));
}
