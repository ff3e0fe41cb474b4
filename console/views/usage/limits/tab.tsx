import Heading from '@splunk/react-ui/Heading';
import { useRefusal, useWho } from '../../../api/rights.ts';
import { Stack } from '../../../app/styles.ts';
import { ResourcePage } from '../../../parts/panel/ResourcePage.tsx';
import { OwnLimits } from './OwnLimits.tsx';
import { LIMITS } from './resource.tsx';

/** The remainder of the user's limits and, for those who may change them, all limits. */
export default function Limits() {
  const { isPending } = useWho();
  const why = useRefusal()('listUsageLimits');
  return (
    <Stack style={{ gap: 24, marginTop: 12 }}>
      <OwnLimits />
      {!isPending && (
        <section aria-label="All limits">
          <Stack>
            <Heading level={2} style={{ margin: 0 }}>
              All limits
            </Heading>
            {why ? <div>{`${why} to see and change all limits.`}</div> : <ResourcePage resource={LIMITS} />}
          </Stack>
        </section>
      )}
    </Stack>
  );
}
