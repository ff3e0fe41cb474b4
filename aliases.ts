/** Modules replaced in the bundle. */
export const aliases: Record<string, string> = {
  // Saves 150 KB: the app never validates tool results with the MCP client's JSON schema validator.
  '@modelcontextprotocol/client/_shims': './src/adapters/mcp/shims.ts',
  '@modelcontextprotocol/server/_shims': './src/adapters/mcp/shims.ts',
  // It follows redirects and has no limits: replaced by adapters/docker/modem.ts.
  'docker-modem': './src/adapters/docker/unused.cjs',
  // Needed only for image builds, which the app never starts.
  '@grpc/grpc-js': './src/adapters/docker/unused.cjs',
  '@grpc/proto-loader': './src/adapters/docker/unused.cjs',
};
