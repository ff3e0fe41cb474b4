import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { integer } from '../../eai/paging.ts';
import { jsonReply, messagesReply } from '../../eai/replies.ts';
import { PlatformError, type PlatformReply } from '../../http/reply.ts';
import type { PlatformRequest } from '../../http/request.ts';
import type { Route } from '../../http/route.ts';
import type { SearchJob } from '../jobs/job.ts';
import { jobReply, jobsReply, requireEntryMode } from '../jobs/jobEntry.ts';
import { phases } from '../jobs/phases.ts';
import { summary, timeline } from '../jobs/summary.ts';
import { RESULT_FORMATS, writeResults } from '../results/resultFormats.ts';
import { resultPage } from '../results/resultPage.ts';
import { control } from './controlEndpoint.ts';
import { dispatch, type SearchEndpointOptions, searchCaller } from './dispatchEndpoint.ts';
import { exportSearch } from './exportEndpoint.ts';
import { parseEndpoint } from './parserEndpoint.ts';

type JobPart = (job: SearchJob, req: PlatformRequest) => PlatformReply;

/**
 * Search jobs, under `search/jobs` and `search/v2/jobs`. Runs the commands of hosted apps and those in `builtins.ts`;
 * all others are unknown, since this is not a search engine.
 */
export function searchRoutes(options: SearchEndpointOptions): Route[] {
  const { jobs } = options;
  const parts: Record<string, JobPart> = {
    results: (job, req) => ended(job, req),
    results_preview: (job, req) =>
      job.done || job.state === 'QUEUED' || job.state === 'PARSING' || !job.previewEnabled
        ? ended(job, req)
        : page(job, req, true),
    events: (job, req) => (phases(job.settings).hidesEvents ? noEvents(job, req) : ended(job, req)),
    'search.log': searchLog,
    'search_telemetry.json': () => jsonReply(200, {}),
    summary,
    timeline,
  };
  const find = (req: PlatformRequest, sid: string): SearchJob => jobs.get(searchCaller(req), sid);

  const routes = (base: string): Route[] => [
    { method: 'POST', pattern: base, outputModes: RESULT_FORMATS, handle: (req) => dispatch(options, req) },
    { method: 'GET', pattern: base, outputModes: RESULT_FORMATS, handle: (req) => list(options, req) },
    {
      method: 'POST',
      pattern: `${base}/export`,
      outputModes: RESULT_FORMATS,
      handle: (req) => exportSearch(options, req),
    },
    {
      method: ['GET', 'DELETE'],
      pattern: `${base}/export`,
      handle: () => {
        throw new PlatformError(405, 'The method is not allowed.', 'FATAL', [['Allow', 'POST']]);
      },
    },
    {
      method: ['GET', 'POST', 'DELETE'],
      pattern: `${base}/{sid}`,
      outputModes: RESULT_FORMATS,
      handle: (req, { sid = '' }) => {
        const job = find(req, sid);
        if (req.method === 'POST') throw wrongMethod('DELETE, GET');
        requireEntryMode(req);
        if (req.method === 'GET') return jobReply(req, searchCaller(req), job);
        jobs.remove(job);
        return messagesReply(req, 200, [{ type: 'INFO', text: 'Search job cancelled.' }]);
      },
    },
    {
      method: ['GET', 'POST', 'DELETE'],
      pattern: `${base}/{sid}/control`,
      handle: (req, { sid = '' }) => {
        const job = find(req, sid);
        if (req.method !== 'POST') throw wrongMethod('POST');
        return control(jobs, job, req);
      },
    },
    {
      method: ['GET', 'POST'],
      pattern: `${base}/{sid}/{part}`,
      outputModes: RESULT_FORMATS,
      handle: (req, { sid = '', part = '' }) => {
        const job = find(req, sid);
        const handle = Object.hasOwn(parts, part) ? parts[part] : undefined;
        if (handle === undefined) throw new PlatformError(404, 'Unknown endpoint.', 'FATAL');
        return handle(job, req);
      },
    },
  ];
  const parse: Route['handle'] = (req) => parseEndpoint(options, req);
  return [
    ...routes('/search/jobs'),
    ...routes('/search/v2/jobs'),
    { method: 'POST', pattern: '/search/parser', handle: parse },
    { method: 'POST', pattern: '/search/v2/parser', handle: parse },
  ];
}

/** A job and its `control` are looked up before their method is judged. */
function wrongMethod(allow: string): PlatformError {
  return new PlatformError(405, 'Method Not Allowed', 'FATAL', [['Allow', allow]]);
}

/** The rows of a job that has ended, or why it has failed. */
function ended(job: SearchJob, req: PlatformRequest): PlatformReply {
  if (!job.done) return { status: 204 };
  return job.failed ? messagesReply(req, 400, job.messages) : page(job, req, false);
}

/** A search that makes a report keeps no events, since there are no status buckets here. */
function noEvents(job: SearchJob, req: PlatformRequest): PlatformReply {
  if (!job.done || job.failed) return ended(job, req);
  return writeResults(
    req.outputMode,
    resultPage(req, { columns: [], rows: [], messages: job.messages, preview: false }),
  );
}

function page({ columns, rows, messages }: SearchJob, req: PlatformRequest, preview: boolean): PlatformReply {
  return writeResults(req.outputMode, resultPage(req, { columns, rows, messages, preview }));
}

function list({ jobs }: SearchEndpointOptions, req: PlatformRequest): PlatformReply {
  const caller = searchCaller(req);
  requireEntryMode(req);
  const listed = jobs.list(caller);
  const count = integer(req, 'count', 30, -1);
  const offset = integer(req, 'offset', 0, 0);
  const page = count <= 0 ? listed.slice(offset) : listed.slice(offset, offset + count);
  return jobsReply(req, caller, {
    jobs: page,
    total: listed.length,
    count: count <= 0 ? listed.length : count,
    offset,
  });
}

function searchLog(job: SearchJob): PlatformReply {
  const file = join(job.folder, 'search.log');
  const body = existsSync(file) ? readFileSync(file) : '';
  return { status: 200, headers: [['Content-Type', 'text/plain; charset=UTF-8']], body };
}
