import Heading from '@splunk/react-ui/Heading';
import { Stack } from '../../app/styles.ts';
import { part } from '../../parts/part.ts';
import { type Tab, Tabs } from '../../parts/Tabs.tsx';

const TABS: readonly [Tab, ...Tab[]] = [
  { id: 'mcp', label: 'MCP servers', content: part(() => import('./mcp/tab.tsx')) },
  { id: 'llm', label: 'LLM providers', content: part(() => import('./llm/tab.tsx')) },
  { id: 'containers', label: 'Containers', content: part(() => import('./containers/tab.tsx')) },
  { id: 'vectors', label: 'Vector stores', content: part(() => import('./vectors/tab.tsx')) },
];

export default function Connections() {
  return (
    <Stack>
      <Heading level={1} tabIndex={-1}>
        Connections
      </Heading>
      <Tabs label="Kinds of connections" tabs={TABS} />
    </Stack>
  );
}
