import Heading from '@splunk/react-ui/Heading';
import { Stack } from '../../app/styles.ts';
import { lazyPart } from '../../parts/lazyPart.ts';
import { type Tab, Tabs } from '../../parts/Tabs.tsx';

const TABS: readonly [Tab, ...Tab[]] = [
  { id: 'mcp', label: 'MCP servers', content: lazyPart(() => import('./mcp/resource.tsx')) },
  { id: 'llm', label: 'LLM providers', content: lazyPart(() => import('./llm/tab.tsx')) },
  { id: 'containers', label: 'Containers', content: lazyPart(() => import('./containers/resource.tsx')) },
  { id: 'vectors', label: 'Vector stores', content: lazyPart(() => import('./vectors/resource.tsx')) },
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
