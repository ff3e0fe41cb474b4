import type { Caller } from '../../../contract/caller.ts';
import { Fault } from '../../../contract/codes/faults.ts';
import type { OutboundError } from '../../../contract/codes/outbound.ts';
import { stringifyExact } from '../../../contract/exactJson.ts';
import type { RecordPlans } from '../../../contract/rows/recordPlan.ts';
import { maskable } from '../../../domain/net/redact.ts';
import type { Stores } from '../../../domain/records/sealedRecord.ts';
import { recordKey } from '../../../domain/values/keys.ts';
import { checkBody, type Outgoing } from '../../../masking/checkedBody.ts';
import type {
  McpDependencies,
  McpGreeting,
  McpTool,
  McpToolAnswer,
  McpToolCall,
} from '../../../ports/mcp/mcpClient.ts';
import type { Upstream } from '../../../ports/platform/upstream.ts';
import { readableRecords } from '../../../resources/access.ts';
import { Resources } from '../../../resources/resources.ts';
import { Target } from '../../../resources/target.ts';
import { isNotedAsChanged } from '../calls/drift.ts';
import { rememberContact } from '../calls/rememberContact.ts';
import { listTools } from '../calls/testing.ts';
import { callTool } from '../calls/toolCalls.ts';
import { type McpConnections, mcpKind } from '../kind.ts';
import { FAMILY, MCP_CONNECTIONS, type McpStored } from '../records.ts';
import { compareListing, noteListing } from './acceptance.ts';
import { withMaskedTexts } from './definitions.ts';

/** Fields that decide which tools of a connection a caller may use. */
export type ToolSource = Pick<
  McpStored,
  '_key' | 'name' | 'acl' | 'version' | 'created_at' | 'tools_allowed' | 'acceptance' | 'accepted_tools'
>;

/** With the address of its server. */
export type OpenSource = ToolSource & Pick<McpStored, 'details'>;

const SOURCE_FIELDS = [
  'name',
  'acl',
  'version',
  'created_at',
  'tools_allowed',
  'acceptance',
  'accepted_tools',
] as const satisfies readonly (keyof ToolSource)[];

/** A saved connection with its secrets, both from one reading. */
export class OpenConnection {
  readonly source: OpenSource;
  readonly target: Target<McpStored>;

  constructor(source: OpenSource, target: Target<McpStored>) {
    this.source = source;
    this.target = target;
  }

  /** An answer of the server without the secrets of the connection, but for short ones. */
  masked<T>(value: T): T {
    return withMaskedTexts(value, maskable(this.target.hidden));
  }

  /** Keeps secrets out of logs. */
  toJSON(): string {
    return '[connection]';
  }
}

/** A tool as its server gives it, by which it is judged, and as it may be shown: without secrets of the connection. */
export interface OfferedTool {
  tool: McpTool;
  shown: McpTool;
}

/** A listing of a saved connection, which accepts its tools if it is the first one. */
export interface SavedListing {
  /** With the acceptance after this listing. */
  source: OpenSource;
  tools: readonly OfferedTool[];
  greeting?: McpGreeting | undefined;
  error?: OutboundError | undefined;
}

/** Lists and calls tools of MCP connections for the gateway. */
export class ConnectionTools {
  readonly #connections: McpConnections;
  readonly #deps: McpDependencies;

  constructor(stores: Stores, deps: McpDependencies, plans: RecordPlans) {
    this.#connections = new Resources(mcpKind, stores, plans[FAMILY]);
    this.#deps = deps;
  }

  /** Connections that the caller may read. */
  readable(caller: Caller): Promise<ToolSource[]> {
    const { records } = this.#connections.stores;
    return readableRecords<McpStored>(records, caller, MCP_CONNECTIONS, SOURCE_FIELDS);
  }

  /** A connection that the caller may read. @throws Fault `not_found` */
  async open(caller: Caller, name: string): Promise<OpenConnection> {
    const unsealed = await this.#connections.unsealed(caller, recordKey(name));
    return new OpenConnection(unsealed.record, Target.saved(unsealed));
  }

  /** Asks the server for its tools. @throws Fault `store_unavailable` */
  async list({ source, target: read }: OpenConnection): Promise<SavedListing> {
    const connections = this.#connections;
    const { contact, target } = await listTools(connections, this.#deps, read);
    await rememberContact(connections, target, contact);
    if (contact.error) return { source, tools: [], error: contact.error };
    const compared = await compareListing(connections, target, contact);
    await noteListing(connections, target, contact, compared);
    return {
      source: compared.record ?? source,
      tools: offeredTools(target, contact.tools),
      greeting: contact.greeting,
    };
  }

  /** Whether a listing after the kept one has shown that the tool is no longer the accepted one. */
  isNotedAsChanged(source: ToolSource, tool: string): Promise<boolean> {
    return isNotedAsChanged(this.#connections.stores.records, source, tool);
  }

  /**
   * Calls a tool at most once.
   * @param workMs time limit of the tool, without connecting and token refresh
   * @param greeting of a listing a short time ago
   * @returns the answer, and what masks it
   * @throws MaskingFailure
   */
  async call(
    { source, target: read }: OpenConnection,
    call: Outgoing<McpToolCall>,
    workMs: number,
    upstream: Upstream,
    greeting?: McpGreeting,
  ): Promise<{ answer: McpToolAnswer; called: OpenConnection }> {
    const connections = this.#connections;
    checkBody(call, () => stringifyExact(call.arguments));
    const { contact, target } = await callTool(connections, this.#deps, read, call, workMs, upstream, greeting);
    try {
      await rememberContact(connections, target, contact);
    } catch (error) {
      // The tool has run: its answer must not be lost, nor look like a failure of the store, after which callers try again.
      if (!(error instanceof Fault)) throw error;
      connections.stores.log.warn('mcp_contact_not_noted', { connection: source._key, error_code: error.code });
    }
    return { answer: contact, called: new OpenConnection(source, target) };
  }
}

/** A name cannot be masked: by it the tool is called. */
function offeredTools({ hidden }: Target<McpStored>, tools: readonly McpTool[]): OfferedTool[] {
  return tools
    .map((tool) => ({ tool, shown: withMaskedTexts(tool, hidden) }))
    .filter(({ tool, shown }) => shown.name === tool.name);
}
