import Heading from '@splunk/react-ui/Heading';
import Link from '@splunk/react-ui/Link';
import { Stack } from '../../app/styles.ts';

const PREFIX = String(window.$C?.SPLUNKD_PATH ?? '/en-US/splunkd/__raw');

/** For programs: all that these pages do is there, too. */
export default function Api() {
  return (
    <Stack>
      <Heading level={2}>For programs</Heading>
      <div>
        Everything that these pages do, programs can do over REST. The interface is described by an{' '}
        <Link to={`${PREFIX}/servicesNS/nobody/ml_extension/ml/openapi`} openInNewContext>
          OpenAPI 3.1 document
        </Link>
        .
      </div>
    </Stack>
  );
}
