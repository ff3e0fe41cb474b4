import { integer } from '../../eai/paging.ts';
import { wildcard } from '../../eai/wildcard.ts';
import { PlatformError, type PlatformMessage } from '../../http/reply.ts';
import type { PlatformRequest } from '../../http/request.ts';
import { MAX_RESULT_ROWS } from '../jobs/limits.ts';
import { expandMacros } from '../language/macros.ts';
import { applyStages } from '../pipeline/pipeline.ts';
import { ArgumentError, parseSearch } from '../pipeline/spl.ts';
import type { Row } from './rows.ts';

/** The rows that a request for results returns. */
export interface ResultPage {
  columns: string[];
  rows: readonly Row[];
  offset: number;
  /** Number of rows after the request's own `search`, before paging. */
  processed: number;
  preview: boolean;
  messages: readonly PlatformMessage[];
}

export interface ResultSource {
  columns: string[];
  rows: readonly Row[];
  preview: boolean;
  messages: readonly PlatformMessage[];
}

/** Applies `search`, `offset`, `count` and `f` of a request for results, in that order. */
export function resultPage(req: PlatformRequest, source: ResultSource): ResultPage {
  const { columns, rows } = postProcess(req, source);
  const offset = integer(req, 'offset', 0, Number.MIN_SAFE_INTEGER);
  const count = integer(req, 'count', 100, 0);
  const start = offset < 0 ? Math.max(0, rows.length + offset) : offset;
  const most = count === 0 ? MAX_RESULT_ROWS : Math.min(count, MAX_RESULT_ROWS);
  return {
    columns: chosen(req, columns),
    rows: rows.slice(start, start + most),
    offset: start,
    processed: rows.length,
    preview: source.preview,
    messages: source.messages,
  };
}

/** The columns that `f` and `field_list` select; all by default. */
export function chosen(req: PlatformRequest, columns: readonly string[]): string[] {
  const patterns = [...req.args('f'), ...req.args('field_list').flatMap((list) => list.split(','))].map((name) =>
    name.trim(),
  );
  const tests = patterns.filter((name) => name !== '').map(wildcard);
  return tests.length === 0 ? [...columns] : columns.filter((name) => tests.some((test) => test(name)));
}

function postProcess(req: PlatformRequest, source: ResultSource): { columns: string[]; rows: readonly Row[] } {
  const search = req.arg('search')?.trim() ?? '';
  if (search === '') return source;
  try {
    const text = expandMacros(search, { find: () => undefined, evaluate: () => undefined });
    return applyStages(parseSearch(text), { columns: source.columns, rows: [...source.rows] });
  } catch (error) {
    if (error instanceof ArgumentError) throw new PlatformError(400, error.message, 'FATAL');
    throw error;
  }
}
