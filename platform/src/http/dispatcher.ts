import type { HostedApp } from '../apps/hostedApp.ts';
import { outputModeRefusal } from '../eai/outputModes.ts';
import { messagesReply } from '../eai/replies.ts';
import { PlatformError, type PlatformReply } from './reply.ts';
import type { PlatformRequest } from './request.ts';
import { type Route, type RouteMatch, RouteTable } from './route.ts';

/** The part of the persistent handlers that dispatching needs. */
export interface ScriptHost<E extends { requireAuthentication: boolean }> {
  find(path: string): E | undefined;
  handle(endpoint: E, req: PlatformRequest): Promise<PlatformReply>;
}

export interface DispatcherOptions<E extends { requireAuthentication: boolean }> {
  routes: readonly Route[];
  scripts: ScriptHost<E>;
  userExists(name: string): boolean;
  apps(): readonly HostedApp[];
  /** Headers of every answer about what is under a path, refusals included. */
  headers?(req: PlatformRequest): [string, string][];
}

export type DispatchTarget<E> = { kind: 'route'; match: RouteMatch } | { kind: 'script'; endpoint: E } | undefined;

/** Finds the endpoint of a path; refusals come in the platform's order. */
export class Dispatcher<E extends { requireAuthentication: boolean }> {
  readonly #table: RouteTable;
  readonly #options: DispatcherOptions<E>;

  constructor(options: DispatcherOptions<E>) {
    this.#options = options;
    this.#table = new RouteTable(options.routes);
  }

  /** Built-in endpoints come first, so an app cannot replace `/auth/login`. */
  find(method: string, segments: readonly string[]): DispatchTarget<E> {
    if (segments.length === 0) return undefined;
    const match = this.#table.match(method, segments);
    if (match !== undefined) return { kind: 'route', match };
    const endpoint = this.#options.scripts.find(`/${segments.join('/')}`);
    return endpoint === undefined ? undefined : { kind: 'script', endpoint };
  }

  needsAuthentication(target: DispatchTarget<E>): boolean {
    if (target?.kind === 'script') return target.endpoint.requireAuthentication;
    return !(target?.kind === 'route' && target.match.kind === 'found' && target.match.route.auth === false);
  }

  async dispatch(target: DispatchTarget<E>, req: PlatformRequest): Promise<PlatformReply> {
    const headers = this.#options.headers?.(req) ?? [];
    try {
      const reply = await this.#dispatch(target, req);
      return { ...reply, headers: [...(reply.headers ?? []), ...headers] };
    } catch (error) {
      if (error instanceof PlatformError) error.headers.push(...headers);
      throw error;
    }
  }

  async #dispatch(target: DispatchTarget<E>, req: PlatformRequest): Promise<PlatformReply> {
    this.#checkNamespace(req);
    if (target === undefined) return unknownPath(req);
    if (target.kind === 'script') return this.#options.scripts.handle(target.endpoint, req);
    const { match } = target;
    if (match.kind === 'found') {
      const { handle, outputModes } = match.route;
      return outputModeRefusal(req.outputMode, outputModes) ?? handle(req, match.params);
    }
    throw methodRefusal(req, match.allow);
  }

  #checkNamespace(req: PlatformRequest): void {
    const { user, app } = req.ns;
    if (user !== undefined && user !== 'nobody' && !this.#options.userExists(user)) {
      throw new PlatformError(404, `User does not exist: ${user}`);
    }
    if (app !== undefined && !this.#options.apps().some((candidate) => candidate.name === app)) {
      throw new PlatformError(404, `Application does not exist: ${app}`);
    }
  }
}

/** Searches, EAI and the KV store refuse methods in their own ways; PATCH, and PUT to a search, reach none of them. */
function methodRefusal({ method, segments }: PlatformRequest, allow: readonly string[]): PlatformError {
  const [area, what] = segments;
  const isPut = method === 'PUT';
  if (method === 'PATCH' || (isPut && area === 'search')) return new PlatformError(405, 'Method Not Allowed');
  if (area === 'search') {
    const text = /^(?:export|parser)$/.test(segments.at(-1) ?? '')
      ? 'The method is not allowed.'
      : 'Method Not Allowed';
    return new PlatformError(405, text, 'FATAL', [['Allow', allow.join(', ')]]);
  }
  const isData = (area === 'storage' && what === 'collections') || area === 'receivers';
  if (isPut && !isData) return new PlatformError(404, "Requested invalid action 'PUT'.");
  return new PlatformError(405, 'Method Not Allowed', 'ERROR', [['Allow', allow.join(',')]]);
}

function unknownPath(req: PlatformRequest): PlatformReply {
  const search = req.segments[0] === 'search' && req.segments.length > 1;
  return messagesReply(req, 404, [
    search ? { type: 'FATAL', text: 'Unknown endpoint.' } : { type: 'ERROR', text: 'Not Found' },
  ]);
}
