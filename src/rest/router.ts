import { Fault } from '../contract/codes/faults.ts';
import type { CompiledRow } from '../contract/rows/compiled.ts';

export interface Route {
  row: CompiledRow;
  params: Record<string, string>;
}

interface Match extends Route {
  /** Literal segments weigh more than parameters, so `/mcp_connection/test` wins over `/mcp_connection/{name}`. */
  weight: number;
}

/**
 * Finds the endpoint of a request; literal segments take precedence over parameters.
 * @throws Fault `unknown_endpoint`, or `method_not_allowed` with the `Allow` header
 */
export function route(rows: readonly CompiledRow[], asked: string, path: string): Route {
  const method = asked === 'HEAD' ? 'GET' : asked;
  const segments = segmentsOf(path);
  const matches = rows.map((row) => match(row, segments)).filter((candidate) => candidate !== undefined);
  const best = matches.filter((candidate) => candidate.row.method === method).sort((a, b) => b.weight - a.weight)[0];
  if (best) return best;
  if (matches.length === 0) throw new Fault('unknown_endpoint', `There is no endpoint ${truncate(path)}`);
  const allow = [...new Set(matches.map((candidate) => candidate.row.method))].sort().join(', ');
  throw new Fault(
    'method_not_allowed',
    `${truncate(path)} does not support ${method}. Use ${allow}.`,
    {},
    { headers: { Allow: allow } },
  );
}

function segmentsOf(path: string): string[] {
  const parts = path.split('/').slice(1);
  // Ignores a trailing slash.
  if (parts.at(-1) === '') parts.pop();
  return parts[0] === 'ml' ? parts.slice(1) : parts;
}

function match(row: CompiledRow, segments: readonly string[]): Match | undefined {
  const params: Record<string, string> = {};
  let weight = 0;
  for (const [index, part] of row.segments.entries()) {
    const segment = segments[index];
    if (segment === undefined || segment === '') return undefined;
    if (typeof part === 'string') {
      if (part !== decode(segment)) return undefined;
      weight += 1;
    } else if ('rest' in part) {
      params[part.rest] = segments.slice(index).map(decode).join('/');
      return { row, params, weight };
    } else {
      params[part.param] = decode(segment);
    }
  }
  return segments.length === row.segments.length ? { row, params, weight } : undefined;
}

/** Names have no `%`, so decoding a segment that the platform has already decoded is harmless. */
function decode(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

const truncate = (path: string) => (path.length > 200 ? `${path.slice(0, 200)}…` : path);
