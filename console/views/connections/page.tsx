import Heading from '@splunk/react-ui/Heading';
import { lazy } from 'react';
import { Stack } from '../../app/styles.ts';
import { type Tab, Tabs } from '../../parts/Tabs.tsx';

const TABS: readonly [Tab, ...Tab[]] = [
  { id: 'mcp', label: 'MCP servers', content: lazy(() => import('./mcp/tab.tsx')) },
  { id: 'llm', label: 'LLM providers', content: lazy(() => import('./llm/tab.tsx')) },
  { id: 'containers', label: 'Containers', content: lazy(() => import('./containers/tab.tsx')) },
  { id: 'vectors', label: 'Vector stores', content: lazy(() => import('./vectors/tab.tsx')) },
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
