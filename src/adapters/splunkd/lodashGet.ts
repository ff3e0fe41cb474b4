/**
 * Stands in for `lodash/get`, with which `@splunk/splunk-utils` reads the settings of a browser's page.
 * @param path keys, or the same with dots between them
 */
export default function get(object: unknown, path: string | readonly string[], otherwise?: unknown): unknown {
  let value = object;
  for (const key of typeof path === 'string' ? path.split('.') : path)
    value = (value as Record<string, unknown> | undefined)?.[key];
  return value === undefined ? otherwise : value;
}
