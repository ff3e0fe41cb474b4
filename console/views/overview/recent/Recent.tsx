import { Stack } from '../../../app/styles.ts';
import { AgentRuns } from './AgentRuns.tsx';
import { Day } from './Day.tsx';

/** Uses, failures and runs of the last day. Loaded later, for the library of charts. */
export default function Recent() {
  return (
    <Stack style={{ gap: 24 }}>
      <Day />
      <AgentRuns />
    </Stack>
  );
}
