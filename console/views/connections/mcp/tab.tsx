import { ResourcePage } from '../../../parts/panel/ResourcePage.tsx';
import { MCP } from './resource.tsx';

export default function McpConnections() {
  return <ResourcePage resource={MCP} />;
}
