import Heading from '@splunk/react-ui/Heading';
import { Stack } from '../../app/styles.ts';
import { ResourcePage } from '../../parts/panel/ResourcePage.tsx';
import { EXPERIMENTS } from './resource.tsx';

export default function Experiments() {
  return (
    <Stack>
      <Heading level={1} tabIndex={-1}>
        Experiments
      </Heading>
      <ResourcePage resource={EXPERIMENTS} />
    </Stack>
  );
}
