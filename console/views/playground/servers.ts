import { type ErrorCode, type Failure, MlExtensionError, type Reply } from '../../../client/src/index.ts';
import { BUILT_IN_SEARCH_TOOLS, type BuiltInSearchTool } from '../../../src/contract/families/searchTools.ts';
import { ml } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { useWho } from '../../api/rights.ts';

const BAD_GATEWAY = 502;

/** A tool as the gateway offers it: accepted, and allowed by its connection. */
export interface OfferedTool {
  name: string;
  title?: string;
  description?: string;
  inputSchema?: unknown;
  annotations?: Readonly<Record<string, unknown>>;
}

/** Pages of a listing that are read at most, since a server may return them without end. */
const MOST_PAGES = 20;

/** The models and aliases that the user may ask. */
export const useModels = () =>
  useRead({
    queryKey: ['gateway', 'models'],
    queryFn: async ({ signal }) => (await ml.call('listGatewayModels', {}, { signal })).data,
  });

/** The names of the MCP connections that the user may read. */
export const useConnections = () =>
  useRead({
    queryKey: ['mcp', 'names'],
    queryFn: async ({ signal }) => namesIn(await ml.call('listMcpConnections', { query: { count: 0 } }, { signal })),
  });

/** The names of the vector stores that the user may read. */
export const useStores = () =>
  useRead({
    queryKey: ['vector-stores', 'names'],
    queryFn: async ({ signal }) => namesIn(await ml.call('listVectorStores', { query: { count: 0 } }, { signal })),
  });

const namesIn = ({ result = [] }: { result?: readonly { name: string }[] }): string[] => result.map(({ name }) => name);

/** The tools of an MCP connection that may be called. @param connection none is asked for without it */
export const useToolsOf = (connection: string) =>
  useRead({
    queryKey: ['mcp', 'offered', connection],
    queryFn: ({ signal }) => listTools(connection, signal),
    enabled: connection !== '',
    staleTime: 60_000,
  });

async function listTools(connection: string, signal: AbortSignal): Promise<OfferedTool[]> {
  const tools: OfferedTool[] = [];
  let cursor: unknown;
  for (let page = 0; page < MOST_PAGES; page++) {
    const params: Record<string, string> = typeof cursor === 'string' ? { cursor } : {};
    const body = { jsonrpc: '2.0', id: page, method: 'tools/list', params } as const;
    const { result, error } = await ml.call('serveMcpConnection', { params: { connection }, body }, { signal });
    if (error) throw new Error(String(error.message));
    tools.push(...((result?.tools ?? []) as unknown as OfferedTool[]));
    const [failed] = unavailableIn(result);
    if (failed) throw notListed(failed);
    cursor = result?.nextCursor;
    if (cursor === undefined) break;
  }
  return tools;
}

type Result = Reply<'serveMcpConnection'>['result'];

interface UnavailableServer {
  connection: string;
  error_code: ErrorCode;
}

/** As if the app had refused the listing, so that the page links to what resolves it. */
function notListed({ connection, error_code }: UnavailableServer): MlExtensionError {
  const message = `${connection} did not list its tools`;
  const remedy = 'Test the connection under Connections: the outcome says why.';
  const call = { operation: 'serveMcpConnection', tries: 1, wasSent: true } as const;
  return new MlExtensionError(call, BAD_GATEWAY, { status: 'fail', message, error_code, remedy } as Failure, undefined);
}

function unavailableIn(result: Result): UnavailableServer[] {
  const meta = (result?._meta ?? {}) as Readonly<Record<string, unknown>>;
  const unavailable = meta['ml_extension/unavailable'];
  return Array.isArray(unavailable) ? unavailable : [];
}

/** The search tools that the user may call: built-in ones by capability, and published ones that are enabled. */
export function useSearchTools() {
  const who = useWho();
  const published = useRead({
    queryKey: ['searches', 'offered'],
    queryFn: async ({ signal }) => {
      const { result = [] } = await ml.call('listSearchTools', { query: { count: 0 } }, { signal });
      return result.filter(({ is_enabled }) => is_enabled);
    },
  });
  const capabilities = who.data?.capabilities;
  const data = published.data && capabilities && { builtIn: builtInsWith(capabilities), published: published.data };
  return {
    data,
    error: published.error ?? who.error,
    refetch: () => Promise.all([published.refetch(), who.refetch()]),
  };
}

const builtInsWith = (capabilities: readonly string[]): BuiltInSearchTool[] =>
  (Object.keys(BUILT_IN_SEARCH_TOOLS) as BuiltInSearchTool[]).filter((name) =>
    capabilities.includes(BUILT_IN_SEARCH_TOOLS[name]),
  );
