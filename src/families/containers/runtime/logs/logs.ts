import { Fault, invalid, type Problem } from '../../../../contract/codes/faults.ts';
import { startDeadline } from '../../../../domain/async/deadline.ts';
import type { LogLine, LogQuery } from '../../../../ports/engines/containerEngine.ts';
import type { Engines } from '../engines.ts';
import { engineFault } from '../engines.ts';
import type { RuntimeStored } from '../records.ts';
import { ENGINE_MS } from '../start/start.ts';

export interface LogEntry {
  _time: string;
  log: string;
}

type LogQueryInput = { tail?: unknown; since?: unknown; previous?: unknown };

const DEFAULT_TAIL = 1000;
const MAX_LINES = 10_000;
const ISO = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/;

/** @throws Fault `validation_failed` */
export function readLogQuery(input: LogQueryInput, now: number): LogQuery {
  const problems: Problem[] = [];
  const text = (value: unknown) => (value === null || value === undefined ? '' : String(value).trim());
  const tail = text(input.tail) || String(DEFAULT_TAIL);
  if (!/^\d{1,5}$/.test(tail) || Number(tail) < 1 || Number(tail) > MAX_LINES) {
    problems.push({ field: 'tail', message: `must be a whole number, 1 to ${MAX_LINES}` });
  }
  const since = parseSince(text(input.since), now);
  if (since === null)
    problems.push({
      field: 'since',
      message: 'must be an ISO 8601 time, or how many seconds to go back, as a whole number',
    });
  const previous = text(input.previous).toLowerCase();
  if (!['', '0', '1', 'true', 'false'].includes(previous)) {
    problems.push({ field: 'previous', message: "must be 'true' or 'false'" });
  }
  if (problems.length > 0) throw invalid(problems);
  return { tail: Number(tail), since: since ?? undefined, previous: previous === '1' || previous === 'true' };
}

function parseSince(text: string, now: number): number | undefined | null {
  if (text === '') return undefined;
  if (/^\d{1,10}$/.test(text)) return now - Number(text) * 1000;
  if (!ISO.test(text)) return null;
  // UTC without a zone, like `_time`.
  const zoned = /T/.test(text) && !/(Z|[+-]\d\d:?\d\d)$/.test(text) ? `${text}Z` : text;
  const time = Date.parse(zoned);
  return Number.isNaN(time) ? null : time;
}

export async function containerLogs(engines: Engines, record: RuntimeStored, query: LogQuery): Promise<LogEntry[]> {
  const connection = await engines.connectionOf(record);
  if (!connection) throw new Fault('unknown_reference', `The connection ${record.connection_name} was deleted`);
  using deadline = startDeadline(ENGINE_MS);
  const reference = { id: record.id, name: record.container_name, mark: record.mark };
  try {
    const lines =
      record.id === ''
        ? []
        : await engines.withEngine(connection, async ({ engine }) => {
            const log = await engine.logs(reference, query, deadline);
            // Not running yet: return the engine's events instead.
            return log.length > 0 || query.previous ? log : engine.events(reference, deadline);
          });
    const logLines = lines.length > 0 || query.previous ? lines : recordEvents(record);
    return toEntries(logLines, query);
  } catch (error) {
    throw engineFault(error, `The log of ${record.model} could not be read`);
  }
}

/** A pull, or a failure before the container was created, is only in the record. */
function recordEvents(record: RuntimeStored): LogLine[] {
  const { status_reason, status_message, status_since } = record;
  if (status_reason === '' || record.status === 'Active') return [];
  return [{ time: status_since, line: `[event] ${status_reason}${status_message ? `: ${status_message}` : ''}` }];
}

function toEntries(lines: readonly LogLine[], { tail, since }: LogQuery): LogEntry[] {
  return lines
    .toSorted((a, b) => compareTimes(a.time, b.time))
    .filter(({ time }) => since === undefined || Date.parse(time) >= since)
    .slice(-tail)
    .map(({ time, line }) => ({ _time: milliseconds(time), log: line }));
}

/** Compares nanoseconds, which Date drops. */
function compareTimes(a: string, b: string): number {
  const [left, right] = [Date.parse(a), Date.parse(b)];
  if (left !== right && !Number.isNaN(left) && !Number.isNaN(right)) return left - right;
  const [x, y] = [fraction(a), fraction(b)];
  return x < y ? -1 : x > y ? 1 : 0;
}

const fraction = (time: string) => (/\.(\d+)/.exec(time)?.[1] ?? '').padEnd(9, '0');

function milliseconds(time: string): string {
  const epochMs = Date.parse(time);
  return Number.isNaN(epochMs) ? '' : new Date(epochMs).toISOString();
}
