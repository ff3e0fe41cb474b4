import type { PortName } from '../../ports/engines/containerEngine.ts';

/**
 * The ingress host of one port. `*` stands for name and port. A pattern that does not tell ports apart gives its host to
 * the API; the tools get theirs before it.
 */
export function hostOf(pattern: string, name: string, port: PortName, namespace: string): string {
  const host = pattern
    .replaceAll('*', `${name}-${port}`)
    .replaceAll('{name}', name)
    .replaceAll('{port}', port)
    .replaceAll('{namespace}', namespace);
  const tellsPorts = pattern.includes('*') || pattern.includes('{port}');
  return tellsPorts || port === 'api' ? host : `${port}-${host}`;
}
