import Heading from '@splunk/react-ui/Heading';
import { Stack } from '../../app/styles.ts';
import { ResourcePage } from '../../parts/ResourcePage.tsx';
import { MCP } from './mcp/resource.tsx';

export default function Connections() {
  return (
    <Stack>
      <Heading level={1} tabIndex={-1}>
        Connections
      </Heading>
      <ResourcePage resource={MCP} />
    </Stack>
  );
}
