import { type OutboundCode, OutboundError } from '../../../src/contract/codes/outbound.ts';
import type {
  McpContact,
  McpDependencies,
  McpListing,
  McpTarget,
  McpTool,
  McpToolAnswer,
  McpToolCall,
} from '../../../src/ports/mcp/mcpClient.ts';
import type { RefreshOutcome, RefreshRequest, TokenEndpoint } from '../../../src/ports/oauth/oauthTokenClient.ts';
import type { Deadline } from '../../../src/ports/platform/clock.ts';

const ANSWERED: McpContact = {
  httpStatus: 200,
  reachable: true,
  authenticated: true,
  transport: 'streamable_http',
  protocolVersion: '2026-07-28',
  serverInfo: { name: 'fake', version: '1' },
};

/** An MCP server and its authorization server, as the ports see them. Records what they are asked. */
export class FakeMcp implements McpDependencies {
  readonly targets: McpTarget[] = [];
  readonly refreshes: RefreshRequest[] = [];
  discoveries = 0;
  /** Where discovery began, and the metadata that a challenge had named. */
  readonly discovered: [string, string | undefined][] = [];
  tools: McpTool[] = [{ name: 'echo', description: 'says it again' }];
  truncated: string | undefined;
  /** Tools by server, in the place of `tools`. */
  readonly toolsAt = new Map<string, McpTool[] | Promise<McpTool[]>>();
  readonly calls: McpToolCall[] = [];
  /** What a call answers. */
  result: (call: McpToolCall) => Record<string, unknown> = () => ({ content: [] });
  /** Tokens that the server takes; undefined = it asks for none. */
  accepted: Set<string> | undefined;
  failure: OutboundError | undefined;
  endpoint: TokenEndpoint = { url: 'https://auth.example/token', clientAuthentication: 'client_secret_post' };
  /** What the authorization server answers to the n-th refresh (from 1). */
  answer: (request: RefreshRequest, n: number) => RefreshOutcome | Promise<RefreshOutcome> = (_request, n) => ({
    kind: 'refreshed',
    accessToken: `access-${n}`,
    refreshToken: `refresh-${n}`,
    expiresIn: 3600,
  });

  fail(code: OutboundCode, message = 'it failed'): void {
    this.failure = new OutboundError(code, message);
  }

  client = {
    probe: async (target: McpTarget, _deadline?: Deadline): Promise<McpContact> => this.#contact(target),
    listTools: async (target: McpTarget): Promise<McpListing> => {
      const contact = this.#contact(target);
      if (contact.error) return { ...contact, tools: [] };
      const tools = (await this.toolsAt.get(target.url)) ?? this.tools;
      return { ...contact, tools, truncated: this.truncated };
    },
    callTool: async (target: McpTarget, call: McpToolCall): Promise<McpToolAnswer> => {
      const contact = this.#contact(target);
      if (contact.error) return contact;
      this.calls.push({ name: call.name, arguments: call.arguments });
      return { ...contact, mayHaveRun: true, result: this.result(call) };
    },
  };

  tokens = {
    discover: async (mcpUrl: string, named?: string): Promise<TokenEndpoint> => {
      this.discoveries += 1;
      this.discovered.push([mcpUrl, named]);
      return this.endpoint;
    },
    refresh: async (request: RefreshRequest): Promise<RefreshOutcome> => {
      this.refreshes.push(request);
      return this.answer(request, this.refreshes.length);
    },
  };

  #contact(target: McpTarget): McpContact {
    this.targets.push(target);
    if (this.failure) {
      const error = this.failure;
      return { ...ANSWERED, httpStatus: null, reachable: false, authenticated: false, transport: null, error };
    }
    if (this.accepted && !this.accepted.has(target.token ?? '')) {
      const error = new OutboundError('auth_failed', 'the server refused the token', { httpStatus: 401 });
      return { ...ANSWERED, httpStatus: 401, authenticated: false, error };
    }
    return ANSWERED;
  }
}
