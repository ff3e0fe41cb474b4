import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { integer } from '../../eai/paging.ts';
import { messagesReply } from '../../eai/replies.ts';
import { PlatformError, type PlatformReply } from '../../http/reply.ts';
import type { PlatformRequest } from '../../http/request.ts';
import type { Route } from '../../http/route.ts';
import type { SearchJob } from '../jobs/job.ts';
import { jobReply, jobsReply } from '../jobs/jobEntry.ts';
import { summary, timeline } from '../jobs/summary.ts';
import { writeResults } from '../results/resultFormats.ts';
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
    results: (job, req) => (job.done ? page(job, req, false) : { status: 204 }),
    results_preview: (job, req) =>
      job.state === 'QUEUED' || job.state === 'PARSING' || (!job.done && !job.previewEnabled)
        ? { status: 204 }
        : page(job, req, !job.done),
    events: (job, req) => (job.done ? page(job, req, false) : { status: 204 }),
    'search.log': searchLog,
    summary,
    timeline,
  };
  const find = (req: PlatformRequest, sid: string): SearchJob => jobs.get(searchCaller(req), sid);

  const routes = (base: string): Route[] => [
    { method: 'POST', pattern: base, handle: (req) => dispatch(options, req) },
    { method: 'GET', pattern: base, handle: (req) => list(options, req) },
    { method: ['GET', 'POST'], pattern: `${base}/export`, handle: (req) => exportSearch(options, req) },
    {
      method: 'GET',
      pattern: `${base}/{sid}`,
      handle: (req, { sid = '' }) => jobReply(req, searchCaller(req), find(req, sid)),
    },
    {
      method: 'DELETE',
      pattern: `${base}/{sid}`,
      handle: (req, { sid = '' }) => {
        jobs.remove(find(req, sid));
        return messagesReply(req, 200, [{ type: 'INFO', text: 'Search job cancelled.' }]);
      },
    },
    {
      method: 'POST',
      pattern: `${base}/{sid}/control`,
      handle: (req, { sid = '' }) => control(jobs, find(req, sid), req),
    },
    {
      method: ['GET', 'POST'],
      pattern: `${base}/{sid}/{part}`,
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
    { method: ['GET', 'POST'], pattern: '/search/parser', handle: parse },
    { method: 'POST', pattern: '/search/v2/parser', handle: parse },
  ];
}

function page({ columns, rows, messages }: SearchJob, req: PlatformRequest, preview: boolean): PlatformReply {
  return writeResults(req.outputMode, resultPage(req, { columns, rows, messages, preview }));
}

function list({ jobs }: SearchEndpointOptions, req: PlatformRequest): PlatformReply {
  const caller = searchCaller(req);
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
