import type { Endpoint } from '../../../src/contract/rows/endpoint.ts';
import { table } from '../../../src/table.ts';

export type Row = Endpoint & { family: string };

export const rows: readonly Row[] = table;
export const rowsWithBody = rows.filter((row) => row.body !== undefined && !row.rawBody);

/** A row's path below `/ml`, or below its mount with `/ai_gateway`, with the given text (encoded already) at each parameter. */
export function pathOf(row: Row, parameter = 'no-such-record'): string {
  return row.path.replace(/^\/ml/, '').replaceAll(/\{[^}]+\}/g, parameter);
}

/** @param path as from `pathOf` */
export const belowMount = (path: string): string => (path.startsWith('/ai_gateway') ? path : `/ml${path}`);

/** A JSON object as a row wants it: container families have it below `payload`. */
export function wrapped(row: Row, object: string): string {
  return row.wrapped ? `{"payload":${object}}` : object;
}

export function label(row: Row): string {
  return `${row.method} ${row.path}`;
}

/** Methods of every row that a path could mean. */
export function methodsAt(path: string): string[] {
  const segments = belowMount(path).split('/').slice(1);
  const found = rows.filter((row) => {
    const parts = row.path.slice(1).split('/');
    const rest = parts.at(-1)?.endsWith('...}');
    if (rest ? segments.length < parts.length : segments.length !== parts.length) return false;
    return parts.every((part, index) => part.startsWith('{') || part === segments[index]);
  });
  return [...new Set(found.map((row) => row.method as string))].sort();
}

/** Nothing is answered without a parameter in the query. */
export function needsQuery(row: Row): boolean {
  return ((row.query as { required?: string[] } | undefined)?.required ?? []).length > 0;
}
