import type { McpClient, McpDependencies } from '../../ports/mcp/mcpClient.ts';
import type { OAuthTokenClient } from '../../ports/oauth/oauthTokenClient.ts';
import { lazy } from '../lazy.ts';
import { outboundPolicy, type SiteSettings } from './outboundPolicy.ts';

export function mcpDependencies(settings: SiteSettings, version: string): McpDependencies {
  const outbound = async () =>
    (await import('../../adapters/outbound/outbound.ts')).createOutbound(await outboundPolicy(settings));
  return {
    client: lazy<McpClient>(async () => {
      const { createMcpClient } = await import('../../adapters/mcp/mcpClient.ts');
      return createMcpClient(await outbound(), { name: 'ml_extension', version });
    }),
    tokens: lazy<OAuthTokenClient>(async () => {
      const { createOAuthTokenClient } = await import('../../adapters/oauth/oauthTokenClient.ts');
      return createOAuthTokenClient(await outbound());
    }),
  };
}
