import Heading from '@splunk/react-ui/Heading';
import { Stack } from '../../app/styles.ts';

export default function Overview() {
  return (
    <Stack>
      <Heading level={1} tabIndex={-1}>
        Overview
      </Heading>
    </Stack>
  );
}
