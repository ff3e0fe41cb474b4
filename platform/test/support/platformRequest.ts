import type { PlatformCaller, PlatformRequest } from '../../src/http/request.ts';

export type RequestParts = Partial<Omit<PlatformRequest, 'body' | 'caller'>> & {
  path: string;
  body?: string | Buffer;
  caller?: PlatformCaller | undefined;
};

export function callerWith(...capabilities: string[]): PlatformCaller {
  return {
    user: 'alice',
    realname: 'Alice',
    email: '',
    roles: ['user'],
    effectiveRoles: ['user'],
    capabilities: new Set(capabilities),
    authtoken: 'TOKEN',
    system: false,
  };
}

/** A request as an endpoint gets it; without `ns` it is under /services. */
export function requestOf(parts: RequestParts): PlatformRequest {
  const query = parts.query ?? [];
  const form = parts.form ?? [];
  const args = (name: string) => [...form, ...query].filter(([key]) => key === name).map(([, value]) => value);
  return {
    method: 'GET',
    headers: {},
    headerPairs: [],
    cookies: [],
    connection: { src_ip: '127.0.0.1', ssl: true, listening_port: 8089, listening_ip: '127.0.0.1' },
    signal: new AbortController().signal,
    ...parts,
    ns: parts.ns ?? {},
    namespaced: parts.ns !== undefined,
    segments: parts.path
      .split('/')
      .filter((segment) => segment !== '')
      .map(decodeURIComponent),
    query,
    form,
    arg: (name) => args(name)[0],
    args,
    body: Buffer.from(parts.body ?? ''),
    caller: 'caller' in parts ? parts.caller : callerWith(),
    outputMode: parts.outputMode ?? 'xml',
    outputModeExplicit: parts.outputMode !== undefined,
  };
}
