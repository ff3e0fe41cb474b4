import type { ContainerConnection } from '../../../../client/src/index.ts';
import { ml } from '../../../api/client.ts';
import type { ListQuery } from '../../../parts/panel/resource.ts';

type Type = ContainerConnection['container_type'];
const TYPES: readonly Type[] = ['docker', 'kubernetes'];

interface Page {
  items: ContainerConnection[];
  total: number;
}

/** A page of connections; the app has a list for each type. */
export async function listConnections(
  { container_type, ...query }: ListQuery & { container_type?: string },
  signal: AbortSignal,
): Promise<Page> {
  const types = TYPES.filter((type) => container_type === undefined || type === container_type);
  const [only] = types;
  if (only !== undefined && types.length === 1) return pageOf(only, query, signal);
  const { offset, count, sort_key = 'connection_name', sort_dir = 'asc' } = query;
  // The entries of this page are among the first of each type.
  const pages = await Promise.all(
    types.map((type) => pageOf(type, { ...query, offset: 0, count: offset + count }, signal)),
  );
  const sign = sort_dir === 'desc' ? -1 : 1;
  const key = sort_key as keyof ContainerConnection;
  const items = pages
    .flatMap((page) => page.items)
    .sort((a, b) => sign * compare(a[key], b[key]) || compare(a.connection_name, b.connection_name));
  return {
    items: items.slice(offset, offset + count),
    total: pages.reduce((sum, { total }) => sum + total, 0),
  };
}

async function pageOf(container_type: Type, query: object, signal: AbortSignal): Promise<Page> {
  const { result = [], pagination } = await ml.call(
    'listContainerConnections',
    { params: { container_type }, query },
    { signal },
  );
  return { items: result, total: pagination?.total ?? result.length };
}

/** The order of the app: case-insensitive, numbers by value. */
function compare(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [left, right] = [String(a ?? '').toLowerCase(), String(b ?? '').toLowerCase()];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
