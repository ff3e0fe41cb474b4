import Heading from '@splunk/react-ui/Heading';
import { Stack } from '../../app/styles.ts';

export default function Audit() {
  return (
    <Stack>
      <Heading level={1} tabIndex={-1}>
        Audit
      </Heading>
    </Stack>
  );
}
