import { type OutboundCode, OutboundError } from '../../contract/codes/outbound.ts';
import { withRawNumbers } from '../../contract/exactJson.ts';
import { version } from '../../contract/version.ts';
import { bounded, within } from '../../domain/async/deadline.ts';
import type {
  McpClient,
  McpContact,
  McpListing,
  McpTarget,
  McpToolAnswer,
  McpToolCall,
  McpTransport,
} from '../../ports/mcp/mcpClient.ts';
import { classify } from '../outbound/classify.ts';
import { callableUrl } from '../outbound/guard.ts';
import type { Outbound } from '../outbound/outbound.ts';
import { type Attempt, type AttemptPlan, attempt, type ClientInfo, requestOptions, type Work } from './attempt.ts';
import { isSsePath } from './explain.ts';
import type { Journal } from './journal.ts';
import { readToolPages } from './paging.ts';
import { readToolResult } from './toolResults.ts';

const OTHER: Readonly<Record<McpTransport, McpTransport>> = { streamable_http: 'sse', sse: 'streamable_http' };
/** Statuses of a server without this transport. 401 and 403 are not among them: the transport is right, the token is not. */
const WRONG_TRANSPORT = new Set([400, 404, 405]);

type Bounds = Pick<AttemptPlan, 'deadline' | 'connecting' | 'workMs'>;

/** MCP servers through the official client, which is loaded at the first call. */
export function createMcpClient(
  outbound: Outbound,
  clientInfo: ClientInfo = { name: 'ml_extension', version },
): McpClient {
  async function run<T>(target: McpTarget, bounds: Bounds, work: Work<T>): Promise<Attempt<T>> {
    const first = target.transportHint ?? (isSsePath(callableUrl(target.url)) ? 'sse' : 'streamable_http');
    const { greeting } = target;
    const plan: AttemptPlan = { outbound, target, transport: first, era: 'auto', clientInfo, ...bounds };
    if (greeting?.transport === first) {
      const greeted = await attempt({ ...plan, greeting }, work);
      // The server may be another one by now; a refused token is no reason to ask it.
      if (!mayRetry(greeted, plan) || greeted.journal.refusal?.status === 401) return greeted;
    }
    const preferred = await reach(plan, work);
    if (!mayRetry(preferred, plan) || !wrongTransport(preferred)) return preferred;
    const other = await reach({ ...plan, transport: OTHER[first] }, work);
    // Both transports failed: report the configured one.
    return other.error !== undefined && wrongTransport(other) ? preferred : other;
  }

  async function contact<T>(
    target: McpTarget,
    bounds: Bounds,
    work: Work<T>,
  ): Promise<{ contact: McpContact; value?: T | undefined }> {
    try {
      const done = await run(target, bounds, work);
      return { contact: toContact(done), value: done.value };
    } catch (error) {
      const failure = error instanceof OutboundError ? error : classify(error, { secrets: target.secrets });
      return { contact: { ...NO_CONTACT, error: failure } };
    }
  }

  return {
    async probe(target, deadline) {
      return (await contact(target, { deadline, connecting: deadline }, async () => undefined)).contact;
    },
    async listTools(target, deadline): Promise<McpListing> {
      const done = await contact(target, { deadline, connecting: deadline }, readToolPages);
      return { ...done.contact, tools: [], ...done.value };
    },
    async callTool(target, call, { connectMs, workMs }, outer): Promise<McpToolAnswer> {
      using deadline = bounded(connectMs + workMs, outer);
      using connecting = within(deadline, connectMs);
      const done = await contact(target, { deadline, connecting, workMs }, async (client, working, result) => {
        // Without a definition the client lists the tools first, and calls again when its headers are refused.
        await client.callTool(
          { name: call.name, arguments: withRawNumbers(call.arguments) },
          { ...requestOptions(working), toolDefinition: definitionOf(call) },
        );
        return readToolResult(result());
      });
      return { ...done.contact, result: done.value };
    },
  };
}

/** Without a schema of the result, which is not validated. */
const definitionOf = ({ name, input_schema }: McpToolCall) => ({
  name,
  inputSchema: { ...input_schema, type: 'object' as const },
});

const NO_CONTACT: McpContact = {
  httpStatus: null,
  reachable: false,
  authenticated: false,
  transport: null,
  protocolVersion: null,
};

/** A tool must run at most once, so nothing is retried after a `tools/call` was sent. */
function mayRetry({ error, journal }: Attempt<unknown>, { deadline, connecting }: Bounds): boolean {
  if (error === undefined || deadline.signal.aborted || connecting.signal.aborted) return false;
  return !journal.wasCallSent;
}

/** Tries one transport, a second time with `initialize` if the server requires it. */
async function reach<T>(plan: AttemptPlan, work: Work<T>): Promise<Attempt<T>> {
  const asked = await attempt(plan, work);
  if (!mayRetry(asked, plan) || !wantsInitialize(asked.journal)) return asked;
  return attempt({ ...plan, era: 'legacy' }, work);
}

/** A lost session, or "not initialized". */
function wantsInitialize({ rpcMethod, refusal }: Journal): boolean {
  if (refusal === undefined) return false;
  return rpcMethod === 'tools/list' && (refusal.status === 400 || refusal.status === 404);
}

function wrongTransport({ error, connected, transport, journal }: Attempt<unknown>): boolean {
  if (error === undefined || connected) return false;
  if (journal.refusal !== undefined) return WRONG_TRANSPORT.has(journal.refusal.status);
  // A server with HTTP+SSE answers in its event stream.
  if (transport === 'streamable_http') return error.httpStatus === 202;
  // The SSE attempt did not get an MCP event stream.
  return journal.status === 200 && error.code === 'upstream_error';
}

function toContact({
  journal,
  connected,
  transport,
  protocolVersion,
  serverInfo,
  greeting,
  error,
}: Attempt<unknown>): McpContact {
  const denied = journal.status === 401 || journal.status === 403;
  return {
    httpStatus: journal.status,
    reachable: journal.status !== null,
    authenticated: connected && !denied,
    transport: connected ? transport : null,
    protocolVersion,
    serverInfo,
    resourceMetadataUrl: journal.resourceMetadataUrl,
    ...(error ? {} : { greeting }),
    error,
    ...(mayHaveRun(journal) ? { mayHaveRun: true } : {}),
  };
}

/** Failures of requests that the server has not seen. */
const NOT_SENT: ReadonlySet<OutboundCode> = new Set(['connection_refused', 'dns_failed']);
/** Statuses with which a server refuses a request before it looks at the message. */
const NOT_RUN = [401, 429];

/** By the reply to the call itself: a later request of the session may be refused when the tool has run. */
function mayHaveRun({ wasCallSent, callStatus, failure }: Journal): boolean {
  if (!wasCallSent) return false;
  return callStatus === undefined ? !(failure && NOT_SENT.has(failure.code)) : !NOT_RUN.includes(callStatus);
}
