import Heading from '@splunk/react-ui/Heading';
import { Stack } from '../../app/styles.ts';

export default function Experiments() {
  return (
    <Stack>
      <Heading level={1} tabIndex={-1}>
        Experiments
      </Heading>
    </Stack>
  );
}
