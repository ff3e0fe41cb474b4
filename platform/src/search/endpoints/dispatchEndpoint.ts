import type { HostedApp } from '../../apps/hostedApp.ts';
import { DEFAULT_APP } from '../../apps/hostedApp.ts';
import { integer } from '../../eai/paging.ts';
import { jsonReply, messagesReply, wantsJson, xmlReply } from '../../eai/replies.ts';
import { requireCapability } from '../../eai/routes.ts';
import { xmlText } from '../../eai/xml.ts';
import { PlatformError, type PlatformReply } from '../../http/reply.ts';
import type { PlatformCaller, PlatformRequest } from '../../http/request.ts';
import { DEFAULT_TTL, jobPath } from '../jobs/jobEntry.ts';
import type { NewJob, SearchJobs } from '../jobs/jobs.ts';
import { timeBound } from '../pipeline/times.ts';
import { writeResults } from '../results/resultFormats.ts';
import { resultPage } from '../results/resultPage.ts';

export interface SearchEndpointOptions {
  jobs: SearchJobs;
  apps(): readonly HostedApp[];
}

const MISSING_SEARCH =
  "The required 'search' parameter for the Splunk platform REST API search/jobs endpoint is not specified. Specify the required 'search' parameter for the POST request on the endpoint and then retry your request.";

/** Default `max_count` of a job. */
const MAX_COUNT = 500_000;
const MODES = new Set(['normal', 'blocking', 'oneshot']);
/** The sid names a folder, so only plain characters and no leading dot. */
const SID = /^[A-Za-z0-9_@-][A-Za-z0-9_@.-]{0,199}$/;

export function searchCaller(req: PlatformRequest): PlatformCaller {
  requireCapability(req, 'search');
  if (req.caller === undefined) throw new PlatformError(401, 'Unauthorized');
  return req.caller;
}

/** The app of a search: `namespace`, else that of the URL, else search. */
export function searchApp(options: SearchEndpointOptions, req: PlatformRequest): string {
  const namespace = req.arg('namespace');
  const app = namespace === undefined || namespace === '' ? (req.ns.app ?? DEFAULT_APP) : namespace;
  if (!options.apps().some((candidate) => candidate.name === app))
    throw new PlatformError(400, `Application does not exist: ${app}`, 'FATAL');
  return app;
}

function searchText(req: PlatformRequest): string {
  const search = req.arg('search')?.trim() ?? '';
  if (search === '') throw new PlatformError(400, MISSING_SEARCH, 'FATAL');
  return search;
}

/** The documented arguments of a dispatch; those about indexes and events are accepted without effect. */
export function newJob(options: SearchEndpointOptions, req: PlatformRequest, execMode: string): NewJob {
  const now = Date.now();
  const sid = req.arg('id');
  if (sid !== undefined && !SID.test(sid))
    throw new PlatformError(
      400,
      `Invalid value for argument "id": letters, digits, "_", "-", "@" and "." only.`,
      'FATAL',
    );
  const seconds = (name: string, usual: number) => integer(req, name, usual, 0);
  const search = searchText(req);
  return {
    sid,
    search,
    app: searchApp(options, req),
    execMode,
    request: Object.fromEntries([...req.query, ...req.form].filter(([name]) => name !== 'output_mode')),
    ...range(req, now),
    ttl: seconds('timeout', DEFAULT_TTL),
    maxCount: integer(req, 'max_count', MAX_COUNT, 0) || MAX_COUNT,
    maxTime: seconds('max_time', 0),
    autoCancel: idleSeconds(req, 'auto_cancel'),
    autoPause: idleSeconds(req, 'auto_pause'),
    preview: !/^(0|f|false)$/i.test(req.arg('preview') ?? req.arg('enable_preview') ?? '1'),
    statusBuckets: seconds('status_buckets', 0),
    label: req.arg('label') ?? '',
  };
}

/** Bounds as text of epoch seconds, 0 without one. */
function range(req: PlatformRequest, now: number): { earliest: string; latest: string } {
  const bound = (name: string) => {
    const text = req.arg(name)?.trim() ?? '';
    return text === '' ? 0 : timeBound(name, text, now);
  };
  const [earliest, latest] = [bound('earliest_time'), bound('latest_time')];
  if (latest > 0 && earliest >= latest)
    throw new PlatformError(
      400,
      `The start_time value ${Math.floor(earliest)} should be earlier than the end_time value ${Math.floor(latest)}.`,
      'FATAL',
    );
  return { earliest: String(earliest), latest: String(latest) };
}

function idleSeconds(req: PlatformRequest, name: string): number {
  const text = req.arg(name)?.trim() ?? '';
  if (!/^\d{0,9}$/.test(text)) throw new PlatformError(400, `The ${name} value '${text}' is invalid.`, 'FATAL');
  return Number(text);
}

export async function dispatch(options: SearchEndpointOptions, req: PlatformRequest): Promise<PlatformReply> {
  const caller = searchCaller(req);
  const mode = req.arg('exec_mode') ?? 'normal';
  if (!MODES.has(mode))
    throw new PlatformError(
      400,
      `Invalid value for argument "exec_mode": must be normal, blocking or oneshot.`,
      'FATAL',
    );
  if (mode === 'oneshot') return oneshot(options, req, caller);
  const job = await options.jobs.dispatch(caller, newJob(options, req, mode));
  if (mode === 'blocking') await Promise.race([job.finished, aborted(req.signal)]);
  return dispatched(req, job.settings.sid);
}

/** The answer to a dispatch. */
export function dispatched(req: PlatformRequest, sid: string): PlatformReply {
  const headers: [string, string][] = [['Location', jobPath(sid)]];
  if (wantsJson(req)) return jsonReply(201, { sid }, headers);
  return xmlReply(201, `<response>\n  <sid>${xmlText(sid)}</sid>\n</response>\n`, headers);
}

async function oneshot(
  options: SearchEndpointOptions,
  req: PlatformRequest,
  caller: PlatformCaller,
): Promise<PlatformReply> {
  // Check the arguments before the search, which may take long.
  resultPage(withoutSearch(req), { columns: [], rows: [], preview: false, messages: [] });
  const job = await options.jobs.dispatch(caller, newJob(options, req, 'oneshot'));
  try {
    await Promise.race([job.finished, aborted(req.signal)]);
    const { columns, rows, messages } = job;
    if (job.failed) return messagesReply(req, 200, messages);
    return writeResults(
      req.outputMode,
      resultPage(withoutSearch(req), { columns, rows, messages, preview: false }),
      true,
    );
  } finally {
    // A oneshot job has no further use, since nobody knows its sid.
    options.jobs.remove(job);
  }
}

/** Here `search` is the search to run, not a filter of results. */
export function withoutSearch(req: PlatformRequest): PlatformRequest {
  return { ...req, arg: (name) => (name === 'search' ? undefined : req.arg(name)) };
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
