import { isRetryable } from '../../contract/codes/codes.ts';
import { Fault } from '../../contract/codes/faults.ts';
import { OutboundError } from '../../contract/codes/outbound.ts';
import { uniqueBy } from '../../domain/values/lists.ts';
import {
  type ServedCall,
  type ServedTool,
  type ServedToolResult,
  type ServedTools,
  ToolsFault,
} from '../../ports/mcp/mcpServer.ts';
import type { ToolKind } from './toolKind.ts';

const PAGE = 100;
/** Keys of `_meta`. */
const UNAVAILABLE = 'ml_extension/unavailable';
const WARNINGS = 'ml_extension/warnings';
const ERROR_CODE = 'ml_extension/error_code';
const SHOULD_RETRY = 'ml_extension/should_retry';

/** The tools of these kinds, as an MCP client sees them. */
export function servedTools(kinds: readonly ToolKind[]): ServedTools {
  return {
    async list(cursor) {
      const listings = await explained(() => Promise.all(kinds.map((kind) => kind.list())));
      const tools = inOrder(listings.flatMap((listing) => listing.tools));
      const remaining = cursor === undefined ? tools : tools.filter(({ name }) => name > cursor);
      const page = remaining.slice(0, PAGE);
      const unavailable = listings.flatMap((listing) => listing.unavailable ?? []);
      const warnings = page.flatMap(({ name }) => listings.flatMap((listing) => listing.warnings?.get(name) ?? []));
      const meta = {
        ...(unavailable.length > 0 ? { [UNAVAILABLE]: unavailable } : {}),
        ...(warnings.length > 0 ? { [WARNINGS]: warnings } : {}),
      };
      return {
        tools: page,
        ...(remaining.length > PAGE ? { nextCursor: page.at(-1)?.name } : {}),
        ...(Object.keys(meta).length > 0 ? { _meta: meta } : {}),
      };
    },
    async call(name, args): Promise<ServedCall | undefined> {
      try {
        for (const kind of kinds) {
          const called = await kind.call(name, args);
          if (called) return { result: resultOf(called), outputSchema: called.outputSchema };
        }
        return undefined;
      } catch (error) {
        if (error instanceof Fault || error instanceof OutboundError) return { result: failed(error) };
        throw error;
      }
    },
  };
}

/** The order does not depend on the language, so that a cursor stands for a place in it. */
function inOrder(tools: readonly ServedTool[]): ServedTool[] {
  return uniqueBy(tools, ({ name }) => name).sort((a, b) => (a.name < b.name ? -1 : 1));
}

const resultOf = ({ result, warnings }: Awaited<ReturnType<ToolKind['call']>> & object): ServedToolResult => ({
  ...result,
  ...(warnings.length > 0 ? { _meta: { [WARNINGS]: warnings } } : {}),
});

/** A failure on the way to the tool is a result that a model can read. */
function failed(error: Fault | OutboundError): ServedToolResult {
  const { code, message, extra } = error instanceof Fault ? error : Fault.of(error);
  return {
    content: [{ type: 'text', text: `${code}: ${message}` }],
    isError: true,
    _meta: { [ERROR_CODE]: code, [SHOULD_RETRY]: isRetryable(code, extra) },
  };
}

async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Fault || error instanceof OutboundError)) throw error;
    throw new ToolsFault(`${error.code}: ${error.message}`, { error_code: error.code });
  }
}
