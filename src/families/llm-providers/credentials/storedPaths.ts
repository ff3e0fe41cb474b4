import { pathPart } from './credentials.ts';

/** The connection's secrets keep the path they have in the blob; a model's own are stored below its id. */
const SHARED = 'servicesettings/';
export const modelPrefix = (model: string) => `models/${pathPart(model)}/`;
export const isShared = (path: string) => path.startsWith(SHARED);

/** From paths in a submitted blob to paths in the connection's one entry of secrets. */
export function stored<V>(given: Readonly<Record<string, V>>, model: string): Record<string, V> {
  const prefix = modelPrefix(model);
  return Object.fromEntries(
    Object.entries(given).map(([path, value]) => [isShared(path) ? path : `${prefix}${path}`, value]),
  );
}

/** And back, for one model. */
export function ofModel(paths: readonly string[], model: string): string[] {
  const prefix = modelPrefix(model);
  return paths.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length));
}
