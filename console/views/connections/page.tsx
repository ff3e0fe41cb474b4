import { createTab, Tabs } from '../../parts/Tabs.tsx';

const TABS = [
  createTab('mcp', 'MCP servers', () => import('./mcp/resource.tsx')),
  createTab('llm', 'LLM providers', () => import('./llm/tab.tsx')),
  createTab('aliases', 'Aliases', () => import('./aliases/resource.tsx')),
  createTab('containers', 'Containers', () => import('./containers/resource.tsx')),
  createTab('searches', 'Search tools', () => import('./searches/resource.tsx')),
  createTab('vectors', 'Vector stores', () => import('./vectors/resource.tsx')),
  createTab('masking', 'Masking', () => import('./masking/resource.tsx')),
] as const;

export default function Connections() {
  return <Tabs label="Kinds of connections" tabs={TABS} />;
}
