import type { Container } from '../../../client/src/index.ts';
import { ml } from '../../api/client.ts';
import { queries } from '../../api/queries.ts';
import type { ListQuery } from '../../parts/panel/resource.ts';

/** A container with the name of its model. */
export type ModelContainer = Container & { model: string };

const KEY = 'containers';
/** Table and panel share one call. */
const FRESH_MS = 1500;

async function readAll(): Promise<ModelContainer[]> {
  return queries.fetchQuery({
    queryKey: [KEY, 'all'],
    async queryFn({ signal }) {
      const { config } = await ml.call('getContainerData', {}, { signal });
      return Object.entries(config).map(([model, container]) => ({ ...container, model }));
    },
    staleTime: FRESH_MS,
    retry: false,
  });
}

/** Call this after a start or stop. */
export function invalidateContainers(): Promise<void> {
  queries.removeQueries({ queryKey: [KEY, 'all'] });
  return queries.invalidateQueries({ queryKey: [KEY] });
}

type ContainerQuery = ListQuery & { status?: string; cluster?: string };

/** The app returns all containers at once, so they are searched, sorted and paged here. */
export async function listContainers(query: ContainerQuery): Promise<{ items: ModelContainer[]; total: number }> {
  const { search = '', sort_key = 'model', sort_dir = 'asc', offset, count, status, cluster } = query;
  const text = search.trim().toLowerCase();
  const sign = sort_dir === 'desc' ? -1 : 1;
  const matches = (await readAll())
    .filter((container) => status === undefined || container.status === status)
    .filter((container) => cluster === undefined || container.cluster === cluster)
    .filter((container) => TEXTS.some((key) => container[key].toLowerCase().includes(text)))
    .sort((a, b) => sign * compare(a, b, sort_key as keyof ModelContainer) || compare(a, b, 'model'));
  return { items: matches.slice(offset, offset + count), total: matches.length };
}

const TEXTS = ['model', 'image', 'connection_name', 'status', 'status_message', 'status_reason'] as const;

const compare = (a: ModelContainer, b: ModelContainer, key: keyof ModelContainer): number =>
  a[key].localeCompare(b[key], 'en', { numeric: true, sensitivity: 'base' });

/** @throws MlExtensionError `not_found` */
export async function readContainer(model: string, signal: AbortSignal): Promise<ModelContainer> {
  const existing = (await readAll()).find((candidate) => candidate.model.toLowerCase() === model.toLowerCase());
  if (existing) return existing;
  // It may be newer than the list; otherwise the app reports that it does not exist.
  const { config } = await ml.call('getContainerData', { query: { model } }, { signal });
  const [[name, container] = []] = Object.entries(config);
  if (name === undefined || !container) throw new Error(`The app did not return ${model}`);
  return { ...container, model: name };
}
