import Heading from '@splunk/react-ui/Heading';
import { Stack } from '../../app/styles.ts';
import { ResourcePage } from '../../parts/panel/ResourcePage.tsx';
import { AGENTS } from './resource.tsx';

export default function Agents() {
  return (
    <Stack>
      <Heading level={1} tabIndex={-1}>
        Agents
      </Heading>
      <ResourcePage resource={AGENTS} />
    </Stack>
  );
}
