import Heading from '@splunk/react-ui/Heading';
import Link from '@splunk/react-ui/Link';
import { PREFIX } from '../../api/platform.ts';
import { Stack } from '../../app/styles.ts';

export default function Api() {
  return (
    <Stack>
      <Heading level={2}>For programs</Heading>
      <div>
        Programs can do everything over REST. The API is described by an{' '}
        <Link to={`${PREFIX}/servicesNS/nobody/ml_extension/ml/openapi`} openInNewContext>
          OpenAPI 3.1 document
        </Link>
        .
      </div>
    </Stack>
  );
}
