import type { PlatformReply } from '../../http/reply.ts';
import type { PlatformRequest } from '../../http/request.ts';
import type { SearchJob } from '../jobs/job.ts';
import { picked, writeResults } from '../results/resultFormats.ts';
import { chosen } from '../results/resultPage.ts';
import { newJob, type SearchEndpointOptions, searchCaller, withoutSearch } from './dispatchEndpoint.ts';

/** Rows per piece of the response. */
const PIECE = 1000;

/**
 * Runs a search and streams its rows: JSON lines as they come, other formats after the run. The job ends with the
 * connection.
 */
export async function exportSearch(options: SearchEndpointOptions, req: PlatformRequest): Promise<PlatformReply> {
  const caller = searchCaller(req);
  const format = req.outputMode;
  const job = await options.jobs.dispatch(caller, newJob(options, req, 'export'));
  const finish = () => options.jobs.remove(job);
  req.signal.addEventListener('abort', finish, { once: true });
  if (req.signal.aborted) finish();
  const lines = format === 'json' ? jsonLines(job, req) : writeWhenDone(job, req, format);
  const types: Record<string, string> = {
    json: 'application/json',
    csv: 'text/csv',
    raw: 'text/plain',
    xml: 'text/xml',
  };
  return {
    status: 200,
    headers: [['Content-Type', `${types[format] ?? 'application/json'}; charset=UTF-8`]],
    stream: withCleanup(lines, finish),
  };
}

async function* withCleanup(lines: AsyncIterable<string>, then: () => void): AsyncGenerator<string> {
  try {
    yield* lines;
  } finally {
    then();
  }
}

/** The last row is marked, so one row is held back. */
export async function* jsonLines(
  job: Pick<SearchJob, 'columns' | 'done' | 'messages' | 'rows' | 'waitForRows'>,
  req: PlatformRequest,
): AsyncGenerator<string> {
  let written = 0;
  for (;;) {
    await job.waitForRows(written + 1);
    // The job may end while a piece is sent: the row that is held back is then sent in the next round.
    const { done } = job;
    const end = done ? job.rows.length : job.rows.length - 1;
    const columns = chosen(req, job.columns);
    while (written < end) {
      const upTo = Math.min(end, written + PIECE);
      let text = '';
      for (; written < upTo; written += 1) {
        const last = done && written === job.rows.length - 1 ? { lastrow: true } : {};
        text += `${JSON.stringify({ preview: false, offset: written, ...last, result: picked(job.rows[written] ?? {}, columns) })}\n`;
      }
      yield text;
    }
    if (!done) continue;
    if (written === 0) yield `${JSON.stringify({ preview: false, lastrow: true })}\n`;
    if (job.messages.length > 0) yield `${JSON.stringify({ preview: false, messages: job.messages })}\n`;
    return;
  }
}

async function* writeWhenDone(job: SearchJob, req: PlatformRequest, format: string): AsyncGenerator<string> {
  await job.finished;
  const { rows, messages } = job;
  const columns = chosen(withoutSearch(req), job.columns);
  const page = { columns, rows, messages, offset: 0, processed: rows.length, preview: false };
  yield String(writeResults(format, page).body ?? '');
}
