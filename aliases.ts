/** Modules that the bundle replaces by ours, with the reason of each. */
export const aliases: Record<string, string> = {
  // The MCP client brings a JSON schema validator for tool results, which this app never asks it to check: 150 KB less.
  '@modelcontextprotocol/client/_shims': './src/adapters/mcp/shims.ts',
  // Native code, and ways to reach Docker that the app does not have: 750 KB less.
  ssh2: './src/adapters/docker/unused.cjs',
  '@grpc/grpc-js': './src/adapters/docker/unused.cjs',
  '@grpc/proto-loader': './src/adapters/docker/unused.cjs',
};
