import type { Client, SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { OutboundError } from '../../contract/codes/outbound.ts';
import { unlessAborted, within } from '../../domain/async/deadline.ts';
import type { McpGreeting, McpTarget, McpTransport } from '../../ports/mcp/mcpClient.ts';
import type { Deadline } from '../../ports/platform/clock.ts';
import { classify } from '../outbound/classify.ts';
import { callableUrl } from '../outbound/guard.ts';
import type { Outbound } from '../outbound/outbound.ts';
import { Conversation } from './conversation.ts';
import { explain } from './explain.ts';
import { emptyJournal, type Journal } from './journal.ts';
import { watchedFetch } from './wire.ts';

export interface ClientInfo {
  name: string;
  version: string;
}

export interface AttemptPlan {
  outbound: Outbound;
  target: McpTarget;
  transport: McpTransport;
  /** `auto` tries the stateless protocol first; `legacy` starts with `initialize`. */
  era: 'auto' | 'legacy';
  /** For the complete attempt. */
  deadline: Deadline;
  /** For connect and negotiation, over all attempts. */
  connecting: Deadline;
  /** Timeout of the work once connected; default: `deadline`. The end of the session is not awaited then. */
  workMs?: number | undefined;
  /** In the place of the era. */
  greeting?: McpGreeting | undefined;
  clientInfo: ClientInfo;
}

export interface Attempt<T> {
  transport: McpTransport;
  journal: Journal;
  connected: boolean;
  protocolVersion: string | null;
  serverInfo?: { name: string; version: string; title?: string } | undefined;
  greeting?: McpGreeting | undefined;
  value?: T | undefined;
  error?: OutboundError | undefined;
}

/** A server that does not answer the DELETE must not delay the reply. */
const END_SESSION_MS = 1_000;
/** Share of the remaining time in which an event stream must name its `endpoint`. */
const ENDPOINT_SHARE = 0.4;
/** Share of the remaining time for the question for the newest revision, which older servers may leave unanswered. */
const PROBE_SHARE = 0.4;

/** Results are not validated against output schemas, and compiling validators is slow. */
const noValidation = {
  getValidator: () => (value: unknown) => ({ valid: true, data: value, errorMessage: undefined }),
};

/** @param result of the last request, as the server sent it: the library gets placeholders */
export type Work<T> = (client: Client, deadline: Deadline, result: () => unknown) => Promise<T>;

/** Connects over one transport, does the work and ends the session. Server errors are returned, not thrown. */
export async function attempt<T>(plan: AttemptPlan, work: Work<T>): Promise<Attempt<T>> {
  const { target, transport: kind, deadline, connecting } = plan;
  const journal = emptyJournal();
  const result: Attempt<T> = { transport: kind, journal, connected: false, protocolVersion: null };
  const { secrets } = target;
  const stop = new AbortController();
  let isOver = false;
  const fail = (error: unknown): void => {
    if (isOver) return;
    const failure = error instanceof OutboundError ? error : classify(error, { secrets });
    journal.failure ??= failure;
    stop.abort(failure);
  };

  const url = callableUrl(target.url);
  const headers = requestHeaders(target);
  const { Client, SSEClientTransport, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const trust = { verifyTls: target.verifyTls, caCertificate: target.caCertificate };
  const options = { ...trust, deadline, secrets, followsSameOrigin: true };
  const aside = plan.outbound.openSession(options);
  const session = plan.outbound.openSession({
    ...options,
    onFailure: (failure, { method }) => {
      if (method === 'DELETE') return;
      if (failure.httpStatus !== undefined) journal.status = failure.httpStatus;
      fail(failure);
    },
  });
  const conversation = new Conversation(secrets);
  const fetch = watchedFetch(session.fetch, {
    journal,
    conversation,
    transport: kind,
    origin: url.origin,
    secrets,
    probeMs: connecting.remaining() * PROBE_SHARE,
    // Only a tool asks its client, and waits for the answer.
    opensStream: plan.workMs !== undefined,
    aside: aside.fetch,
    fail,
  });
  const wired = { fetch, requestInit: { headers } };
  const transport = kind === 'sse' ? new SSEClientTransport(url, wired) : new StreamableHTTPClientTransport(url, wired);
  const client = new Client(plan.clientInfo, {
    capabilities: {},
    // HTTP+SSE is older than the newest revision.
    versionNegotiation: { mode: kind === 'sse' ? 'legacy' : plan.era },
    jsonSchemaValidator: noValidation as never,
  });

  const endpointTimer = kind === 'sse' ? setTimeout(noEndpoint, connecting.remaining() * ENDPOINT_SHARE) : undefined;
  function noEndpoint(): void {
    // A stream without an endpoint event belongs to the other transport.
    if (journal.rpcMethod === undefined && journal.status === 200) {
      fail(
        new OutboundError(
          'upstream_error',
          'The event stream does not name a message endpoint: this is not an MCP server with SSE',
        ),
      );
    }
  }

  let phase = connecting;
  const run = <R>(step: Promise<R>) => unlessAborted(step, AbortSignal.any([stop.signal, phase.signal]));
  try {
    const prior = plan.greeting?.transport === kind ? (plan.greeting.known as Prior) : undefined;
    await run(client.connect(transport, { ...requestOptions(phase), ...(prior ? { prior } : {}) }));
    result.connected = true;
    result.protocolVersion = client.getNegotiatedProtocolVersion() ?? null;
    result.serverInfo = serverInfoOf(client);
    result.greeting = { transport: kind, known: priorOf(client) };
    using working = within(deadline, plan.workMs ?? deadline.remaining());
    phase = working;
    result.value = await run(work(client, phase, () => conversation.result()));
  } catch (error) {
    result.error = explain({ error, journal, deadline: phase, url, secrets });
  } finally {
    isOver = true;
    clearTimeout(endpointTimer);
    const ending = end();
    if (plan.workMs === undefined) await ending;
  }
  return result;

  async function end(): Promise<void> {
    if (journal.failure === undefined) await endSession(transport, deadline);
    await client.close().catch(() => {});
    // After a failed connect the client does not close the transport.
    await transport.close().catch(() => {});
    session.close();
    aside.close();
  }
}

/** The client's default timeout is a minute. */
export function requestOptions(deadline: Deadline): { timeout: number; signal: AbortSignal } {
  return { timeout: Math.max(1, Math.ceil(deadline.remaining())), signal: deadline.signal };
}

async function endSession(
  transport: SSEClientTransport | StreamableHTTPClientTransport,
  deadline: Deadline,
): Promise<void> {
  if (!('terminateSession' in transport) || transport.sessionId === undefined || deadline.signal.aborted) return;
  using bound = within(deadline, END_SESSION_MS);
  await unlessAborted(transport.terminateSession(), bound.signal).catch(() => {});
}

type Prior = NonNullable<NonNullable<Parameters<Client['connect']>[1]>['prior']>;

function priorOf(client: Client): Prior {
  const discover = client.getDiscoverResult();
  return discover ? { kind: 'modern', discover } : { kind: 'legacy' };
}

function serverInfoOf(client: Client): Attempt<never>['serverInfo'] {
  const info = client.getServerVersion();
  // A server may leave it out.
  if (info === undefined || info.name === '') return undefined;
  return { name: info.name, version: info.version, ...(info.title === undefined ? {} : { title: info.title }) };
}

function requestHeaders(target: McpTarget): Headers {
  try {
    const headers = new Headers({ ...target.headers });
    if (target.token !== undefined && target.token !== '') headers.set('authorization', `Bearer ${target.token}`);
    return headers;
  } catch {
    // The TypeError's message quotes the value.
    throw new OutboundError('configuration_invalid', 'The token or a header contains characters that cannot be sent');
  }
}
