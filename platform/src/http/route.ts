import type { PlatformReply } from './reply.ts';
import type { PlatformRequest } from './request.ts';

export interface Route {
  method: string | string[];
  /** `/storage/collections/data/{collection}/{key...}`: `{x}` is one segment, `{x...}` the rest (at least one). */
  pattern: string;
  /** Default true: answers 401 before the handler is called. */
  auth?: boolean;
  /** Values of `output_mode` that it answers; JSON and XML by default. */
  outputModes?: readonly string[];
  handle(req: PlatformRequest, params: Record<string, string>): Promise<PlatformReply> | PlatformReply;
}

export type RouteMatch =
  | { kind: 'found'; route: Route; params: Record<string, string> }
  | { kind: 'method'; allow: string[] };

interface CompiledRoute {
  route: Route;
  methods: string[];
  parts: string[];
  /** Literal segments weigh most, rest parameters least: the most specific pattern wins for its method. */
  weight: string;
}

export class RouteTable {
  readonly #routes: CompiledRoute[];

  constructor(routes: readonly Route[]) {
    this.#routes = routes.map(compile).sort((a, b) => (a.weight < b.weight ? -1 : a.weight > b.weight ? 1 : 0));
  }

  match(method: string, segments: readonly string[]): RouteMatch | undefined {
    const allow = new Set<string>();
    for (const compiled of this.#routes) {
      const params = matchParts(compiled.parts, segments);
      if (params === undefined) continue;
      if (compiled.methods.includes(method)) return { kind: 'found', route: compiled.route, params };
      for (const name of compiled.methods) allow.add(name);
    }
    return allow.size > 0 ? { kind: 'method', allow: [...allow].sort() } : undefined;
  }
}

function compile(route: Route): CompiledRoute {
  const parts = route.pattern.split('/').filter((part) => part !== '');
  const weight = parts.map((part) => (!part.startsWith('{') ? '0' : part.endsWith('...}') ? '2' : '1')).join('');
  return { route, methods: [route.method].flat(), parts, weight };
}

function matchParts(parts: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  const params: Record<string, string> = {};
  for (const [index, part] of parts.entries()) {
    const segment = segments[index];
    if (segment === undefined || segment === '') return undefined;
    if (part.endsWith('...}')) {
      params[part.slice(1, -4)] = segments.slice(index).join('/');
      return params;
    }
    if (part.startsWith('{')) params[part.slice(1, -1)] = segment;
    else if (part !== segment) return undefined;
  }
  return parts.length === segments.length ? params : undefined;
}
