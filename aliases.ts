/** Modules that the bundle replaces by ours, with the reason of each. */
export const aliases: Record<string, string> = {
  // The MCP client brings a JSON schema validator for tool results, which this app never asks it to check: 150 KB less.
  '@modelcontextprotocol/client/_shims': './src/adapters/mcp/shims.ts',
  // Its wire follows redirects and knows no bounds; ours takes its place, see adapters/docker/modem.ts.
  'docker-modem': './src/adapters/docker/unused.cjs',
  // Native code, and builds, which the app never asks Docker for.
  '@grpc/grpc-js': './src/adapters/docker/unused.cjs',
  '@grpc/proto-loader': './src/adapters/docker/unused.cjs',
};
