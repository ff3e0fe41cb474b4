import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Peer, readBody, sendJson, startHttp } from '../listen.ts';

type Operation = 'create' | 'list' | 'get' | 'delete' | 'invoke' | 'stop';

/** What becomes of a call. `lost` and `cut` have their effect; of `lost` no answer comes, of `cut` the half of one. */
export type Play =
  | { kind: 'error'; status: number; name: string; message?: string; retryAfter?: number }
  | { kind: 'reset' | 'lost' | 'cut' | 'silent' | 'html' }
  | { kind: 'slow'; ms: number };

export interface ScriptedRuntime {
  id: string;
  name: string;
  token: string;
  description: string;
  body: Record<string, unknown>;
  status: string;
  failureReason?: string;
  /** Reads until it changes by itself. */
  reads: number;
}

export interface ComponentCall {
  operation: Operation;
  method: string;
  path: string;
  query: URLSearchParams;
  authorization: string;
  /** Of a call of the agent. */
  session: string | undefined;
  accept: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: bodies are looked into freely by tests
  body: any;
}

/** Its settings without the address. */
export const CLOUD_STANZA = 'cloud_services:CLOUD_AGENT_CORE';
export const CLOUD_SETTINGS = {
  region: 'eu-central-1',
  role_arn: 'arn:aws:iam::123456789012:role/runtime',
  container_uri: '123456789012.dkr.ecr.eu-central-1.amazonaws.com/agent:1',
};
/** Its key; the secret must not appear anywhere else. */
export const CLOUD_KEYS = { access_key_id: 'AKIAEXAMPLE', secret_access_key: 'canary-cloud-secret-7c1d' };

const ARN = 'arn:aws:bedrock-agentcore:eu-central-1:123456789012:runtime/';

/**
 * The control plane of AgentCore as its documentation describes it, for what moto does not do: tokens that make a creation
 * idempotent, names that are taken once, slow and failing runtimes, and calls that fail in every way.
 */
export class AgentCorePeer {
  readonly url: string;
  readonly runtimes = new Map<string, ScriptedRuntime>();
  readonly calls: ComponentCall[] = [];
  /** Faults of the next calls of an operation, in order. */
  readonly plays: Partial<Record<Operation, Play[]>> = {};
  /** Reads after which a new runtime is ready, and a deleted one gone; Infinity = never by itself. */
  readsToReady = 1;
  readsToGone = 1;
  becomes = 'READY';
  failureReason: string | undefined;
  /** The agent in every runtime. */
  agent: (response: ServerResponse, body: { input: unknown }) => void = heard;
  /** Sessions that run, with their last answer. */
  readonly sessions = new Map<string, ServerResponse>();
  lists = true;
  pageSize = 100;
  readonly #peer: Peer;
  #ids = 0;

  private constructor(peer: Peer) {
    this.#peer = peer;
    this.url = peer.url;
  }

  static async start(): Promise<AgentCorePeer> {
    let component: AgentCorePeer | undefined;
    const peer = await startHttp((request, response) => {
      component?.answer(request, response).catch((error) => response.destroy(error));
    });
    component = new AgentCorePeer(peer);
    return component;
  }

  stop(): Promise<void> {
    return this.#peer.close();
  }

  /** As new, with the same address. */
  reset(): void {
    this.runtimes.clear();
    this.sessions.clear();
    this.calls.length = 0;
    for (const key of Object.keys(this.plays) as Operation[]) delete this.plays[key];
    Object.assign(this, { readsToReady: 1, readsToGone: 1, becomes: 'READY', failureReason: undefined, lists: true });
    this.pageSize = 100;
    this.agent = heard;
    this.#ids = 0;
  }

  operations(): Operation[] {
    return this.calls.map(({ operation }) => operation);
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', this.url);
    const text = await readBody(request);
    const operation = operationOf(request.method ?? '', url.pathname);
    if (!operation) return sendJson(response, 404, { message: `no such operation: ${request.method} ${url.pathname}` });
    const body = text === '' ? {} : JSON.parse(text);
    const call = { operation, method: request.method ?? '', path: url.pathname, query: url.searchParams, body };
    const { authorization = '', accept, 'x-amzn-bedrock-agentcore-runtime-session-id': session } = request.headers;
    this.calls.push({ ...call, authorization, accept, session: session as string | undefined });
    const play = this.plays[operation]?.shift();
    if (play?.kind === 'slow') await new Promise((resolve) => setTimeout(resolve, play.ms));
    if (play?.kind === 'reset') return void request.socket.destroy();
    if (play?.kind === 'silent') return;
    if (play?.kind === 'html') {
      response.writeHead(503, { 'content-type': 'text/html' }).end('<html>down</html>');
      return;
    }
    if (play?.kind === 'error') {
      const retry: Record<string, string> =
        play.retryAfter === undefined ? {} : { 'retry-after': String(play.retryAfter) };
      return sendJson(
        response,
        play.status,
        { message: play.message ?? play.name },
        {
          ...retry,
          'x-amzn-errortype': play.name,
        },
      );
    }
    if (operation === 'invoke' && play?.kind === undefined) {
      if (typeof session === 'string') this.sessions.set(session, response);
      return this.#invoke(call, response);
    }
    const answer = operation === 'stop' ? this.#stop(call.path, String(session)) : this.#work(call);
    if (play?.kind === 'lost') return void request.socket.destroy();
    if (play?.kind === 'cut') {
      response.writeHead(answer.status, { 'content-type': 'application/json', 'content-length': '10000' });
      response.write('{"agentRuntimeId"', () => request.socket.destroy());
      return;
    }
    const headers: Record<string, string> = answer.error === undefined ? {} : { 'x-amzn-errortype': answer.error };
    return sendJson(response, answer.status, answer.body, headers);
  }

  /** Ends a session, and cuts the answer under way in it. */
  #stop(path: string, session: string) {
    const arn = decodeURIComponent(path.split('/')[2] ?? '');
    const answering = this.sessions.get(session);
    if (!this.runtimes.has(arn.slice(ARN.length)) || !answering) return missing(session);
    this.sessions.delete(session);
    if (!answering.writableEnded) answering.destroy();
    return { status: 200, body: {}, error: undefined };
  }

  #invoke({ path, body }: Pick<ComponentCall, 'path' | 'body'>, response: ServerResponse): void {
    const arn = decodeURIComponent(path.split('/')[2] ?? '');
    const runtime = this.runtimes.get(arn.slice(ARN.length));
    if (!runtime || !arn.startsWith(ARN)) {
      const { status, body: said, error } = missing(arn);
      sendJson(response, status, said, { 'x-amzn-errortype': error });
      return;
    }
    this.agent(response, body);
  }

  #work({ operation, path, query, body }: Omit<ComponentCall, 'authorization' | 'method' | 'accept' | 'session'>) {
    const id = decodeURIComponent(path.split('/')[2] ?? '');
    switch (operation) {
      case 'create':
        return this.#create(body);
      case 'list':
        return this.#list(Number(query.get('nextToken') ?? 0));
      case 'get':
        return this.#get(id);
      default:
        return this.#delete(id);
    }
  }

  #create(body: Record<string, string> & object) {
    const token = body.clientToken ?? '';
    const name = body.agentRuntimeName ?? '';
    if (token.length < 33) return failure(400, 'ValidationException', 'clientToken is too short');
    if (!/^[a-zA-Z][a-zA-Z0-9_]{0,47}$/.test(name)) return failure(400, 'ValidationException', 'agentRuntimeName');
    const known = [...this.runtimes.values()].find((runtime) => runtime.token === token);
    if (known) return { status: 202, body: toReply(known), error: undefined };
    if ([...this.runtimes.values()].some((runtime) => runtime.name === name)) {
      return failure(409, 'ConflictException', `An agent with the name ${name} exists already`);
    }
    this.#ids += 1;
    const id = `${name}-${String(this.#ids).padStart(10, '0')}`;
    const description = body.description ?? '';
    const runtime = { id, name, token, description, body, status: 'CREATING', reads: 0 };
    this.runtimes.set(id, runtime);
    return { status: 202, body: toReply(runtime), error: undefined };
  }

  #list(from: number) {
    const all = this.lists ? [...this.runtimes.values()] : [];
    const to = from + this.pageSize;
    const next = to < all.length ? { nextToken: String(to) } : {};
    return { status: 200, body: { agentRuntimes: all.slice(from, to).map(toReply), ...next }, error: undefined };
  }

  #get(id: string) {
    const runtime = this.runtimes.get(id);
    if (!runtime) return missing(id);
    runtime.reads += 1;
    if (runtime.status === 'CREATING' && runtime.reads >= this.readsToReady) {
      runtime.status = this.becomes;
      if (this.failureReason !== undefined) runtime.failureReason = this.failureReason;
    }
    if (runtime.status === 'DELETING' && runtime.reads > this.readsToGone) {
      this.runtimes.delete(id);
      return missing(id);
    }
    return { status: 200, body: toReply(runtime), error: undefined };
  }

  #delete(id: string) {
    const runtime = this.runtimes.get(id);
    if (!runtime) return missing(id);
    if (runtime.status === 'CREATING') return failure(409, 'ConflictException', 'The runtime is being created');
    runtime.status = 'DELETING';
    runtime.reads = 0;
    return { status: 202, body: { agentRuntimeId: id, status: 'DELETING' }, error: undefined };
  }
}

const heard = (response: ServerResponse, { input }: { input: unknown }): void =>
  sendJson(response, 200, { output: `heard ${input}` });

function operationOf(method: string, path: string): Operation | undefined {
  const isCollection = /^\/runtimes\/?$/.test(path);
  if (isCollection) return method === 'PUT' ? 'create' : method === 'POST' ? 'list' : undefined;
  if (/^\/runtimes\/[^/]+\/invocations$/.test(path)) return method === 'POST' ? 'invoke' : undefined;
  if (/^\/runtimes\/[^/]+\/stopruntimesession$/.test(path)) return method === 'POST' ? 'stop' : undefined;
  if (!/^\/runtimes\/[^/]+\/?$/.test(path)) return undefined;
  return method === 'GET' ? 'get' : method === 'DELETE' ? 'delete' : undefined;
}

const failure = (status: number, name: string, message: string) => ({ status, body: { message }, error: name });
const missing = (id: string) => failure(404, 'ResourceNotFoundException', `Agent runtime ${id} not found`);

function toReply({ id, name, description, status, failureReason, body }: ScriptedRuntime) {
  return {
    agentRuntimeArn: `${ARN}${id}`,
    agentRuntimeId: id,
    agentRuntimeName: name,
    agentRuntimeVersion: '1',
    createdAt: '2026-01-01T00:00:00Z',
    lastUpdatedAt: '2026-01-01T00:00:00Z',
    description,
    status,
    roleArn: body.roleArn,
    networkConfiguration: body.networkConfiguration,
    lifecycleConfiguration: {},
    ...(failureReason ? { failureReason } : {}),
  };
}
