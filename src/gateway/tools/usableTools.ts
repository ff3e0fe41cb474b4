import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from '../../contract/caller.ts';
import { Fault } from '../../contract/codes/faults.ts';
import { OutboundError } from '../../contract/codes/outbound.ts';
import { unlessAborted } from '../../domain/async/deadline.ts';
import { uniqueBy } from '../../domain/values/lists.ts';
import { someNames } from '../../domain/values/texts.ts';
import {
  ConnectionTools,
  judgeTool,
  type OnToolChange,
  type OpenConnection,
  type OpenSource,
  readOnToolChange,
  type SavedListing,
  type ToolSource,
  unaccepted,
} from '../../families/mcp-connections/public.ts';
import type { McpGreeting, McpTool } from '../../ports/mcp/mcpClient.ts';
import type { Deadline } from '../../ports/platform/clock.ts';
import type { GatewaySite } from '../context.ts';

type ToolSite = Pick<GatewaySite, 'stores' | 'settings' | 'mcp' | 'plans' | 'listings'>;

/** A tool that the caller may use now. */
export interface UsableTool {
  connection: string;
  tool: McpTool;
  /** The definition of its server, by which it is judged. */
  offer?: ToolOffer;
  warning?: string | undefined;
}

/** The definition of a tool that a server gave, and the connection that the server was asked with. */
export interface ToolOffer {
  source: OpenSource;
  tool: McpTool;
}

export interface ListedTool extends UsableTool {
  greeting: McpGreeting | undefined;
}

export interface UsableTools {
  tools: UsableTool[];
  /** Connections whose server gave no tools. */
  unavailable: { connection: string; error_code: string }[];
}

/** Servers are waited for so long; a later answer is kept for the next request. */
const LISTING_MS = 10_000;

/** The tools of MCP connections, as one request sees them. */
export class ToolCatalogue {
  readonly connections: ConnectionTools;
  readonly #deps: ToolSite;

  constructor(deps: ToolSite) {
    this.connections = new ConnectionTools(deps.stores, deps.mcp, deps.plans);
    this.#deps = deps;
  }

  /** Whether a server has to be asked for the tools of these connections. */
  needsServer(sources: readonly ToolSource[]): boolean {
    return sources.some((source) => !this.#deps.listings.has(source));
  }

  /** The server of a connection that gave no tools is asked anew, also one that is still being asked. */
  forgetFailed(source: ToolSource): void {
    this.#deps.listings.forgetFailed(source, LISTING_MS);
  }

  /** The server of a connection is asked anew for its tools. */
  forget(source: ToolSource): void {
    this.#deps.listings.forget(source);
  }

  /** The tools of these connections that the caller may use. */
  async usable(caller: Caller, sources: readonly ToolSource[], waitMs: number): Promise<UsableTools> {
    const onChange = await this.#onChange();
    const usable: UsableTools = { tools: [], unavailable: [] };
    const end = new AbortController();
    // A later page does not wait again for a server that the first one has waited for.
    const late = async (source: ToolSource): Promise<undefined> => {
      const ms = Math.max(0, Math.min(waitMs, LISTING_MS - this.#deps.listings.waited(source)));
      await sleep(ms, undefined, { signal: end.signal, ref: false }).catch(() => {});
    };
    try {
      const listings = await Promise.all(
        sources.map(async (source) => {
          const isLate = late(source);
          return [source, await Promise.race([this.#listing(caller, source), isLate])] as const;
        }),
      );
      for (const [source, listing] of listings) {
        if (listing instanceof Fault) {
          // It was deleted, or closed to the caller, since it was read.
          if (listing.code === 'not_found') continue;
          usable.unavailable.push({ connection: source.name, error_code: listing.code });
        } else if (!listing || listing.error) {
          usable.unavailable.push({ connection: source.name, error_code: listing?.error?.code ?? 'timeout' });
        } else usable.tools.push(...usableOf(caller, source, listing, onChange));
      }
      return usable;
    } finally {
      end.abort();
    }
  }

  /**
   * One tool, by the definition that the server gives now.
   * @throws Fault `tool_not_found`, `tool_changed`, `not_found`; OutboundError if the server does not list its tools
   */
  async one(caller: Caller, opened: OpenConnection, name: string, deadline: Deadline): Promise<ListedTool> {
    const { source } = opened;
    const isKept = this.#deps.listings.has(source);
    const listing = await this.#listingOf(opened, deadline);
    const offered = listing.tools.find(({ tool }) => tool.name === name);
    if (!offered) {
      const usable = usableOf(caller, source, listing, await this.#onChange());
      throw unknownTool(
        source.name,
        name,
        usable.map(({ tool }) => tool.name),
      );
    }
    const { tool } = offered;
    const onChange = await this.#onChange();
    const record = withAcceptance(source, listing);
    let verdict = judgeTool(caller, record, tool, onChange);
    if (isKept && verdict.mayUse && (await this.connections.isNotedAsChanged(record, name))) {
      // The kept listing is older than the change.
      this.#deps.listings.forget(source);
      verdict = unaccepted(record, tool, onChange);
    }
    if (verdict.mayUse) {
      return { connection: source.name, tool, warning: verdict.warning, greeting: listing.greeting };
    }
    const code = verdict.reason === 'not_allowed' ? 'tool_not_found' : verdict.reason;
    throw new Fault(code, verdict.message);
  }

  /**
   * A tool that the server lists, whether the caller may use it or not.
   * @throws Fault; OutboundError if the server does not list its tools
   */
  async offerOf(opened: OpenConnection, name: string, deadline: Deadline): Promise<ToolOffer | undefined> {
    const { tools } = await this.#listingOf(opened, deadline);
    const offered = tools.find(({ tool }) => tool.name === name);
    return offered && { source: opened.source, tool: offered.tool };
  }

  /**
   * The name of a tool that the server lists, whether the caller may use it or not.
   * @throws Fault; OutboundError if the server does not list its tools
   */
  async toolOf(
    opened: OpenConnection,
    isIt: (name: string) => boolean,
    deadline: Deadline,
  ): Promise<string | undefined> {
    const { tools } = await this.#listingOf(opened, deadline);
    return tools.map(({ tool }) => tool.name).find(isIt);
  }

  /** @throws Fault; OutboundError if the server does not list its tools */
  async #listingOf(opened: OpenConnection, { signal }: Deadline): Promise<SavedListing> {
    const listed = this.#deps.listings.get(opened.source, () => this.connections.list(opened));
    const listing = await unlessAborted(listed, signal).catch((error: unknown) => {
      if (error !== signal.reason) throw error;
      throw new OutboundError('timeout', 'The MCP server did not list its tools within the deadline of the request');
    });
    // Another request gets the same error, with a stack of its own.
    if (listing.error) throw listing.error.saying(listing.error.message);
    return listing;
  }

  /** One connection that cannot be read or noted must not hide the tools of all others. */
  async #listing(caller: Caller, source: ToolSource): Promise<SavedListing | Fault> {
    const list = async () => this.connections.list(await this.connections.open(caller, source.name));
    try {
      return await this.#deps.listings.get(source, list);
    } catch (error) {
      if (error instanceof Fault) return error;
      throw error;
    }
  }

  async #onChange(): Promise<OnToolChange> {
    return readOnToolChange(await this.#deps.settings.recent());
  }
}

/** If two tools have one name, the first counts. */
function usableOf(caller: Caller, source: ToolSource, listing: SavedListing, onChange: OnToolChange): UsableTool[] {
  const record = withAcceptance(source, listing);
  return uniqueBy(listing.tools, ({ tool }) => tool.name).flatMap(({ tool, shown }) => {
    const verdict = judgeTool(caller, record, tool, onChange);
    if (!verdict.mayUse) return [];
    const { title, ...untitled } = shown;
    const offer = { source: listing.source, tool };
    return [{ connection: source.name, tool: verdict.hidesTitle ? untitled : shown, offer, warning: verdict.warning }];
  });
}

/** The record may have been read before its first listing accepted its tools. */
const withAcceptance = (now: ToolSource, { source: { acceptance, accepted_tools } }: SavedListing): ToolSource =>
  now.acceptance === undefined ? { ...now, acceptance, accepted_tools } : now;

function unknownTool(connection: string, tool: string, others: readonly string[]): Fault {
  const existing = others.length === 0 ? '' : ` Its tools: ${someNames(others)}.`;
  return new Fault('tool_not_found', `The connection ${connection} has no tool ${tool}.${existing}`);
}
