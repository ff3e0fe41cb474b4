import { Stack } from '../../../app/styles.ts';
import { AgentRuns } from './AgentRuns.tsx';
import { Day } from './Day.tsx';

/** What was used, what failed and what ran. Loaded later, for the library of charts. */
export default function Recent() {
  return (
    <Stack style={{ gap: 24 }}>
      <Day />
      <AgentRuns />
    </Stack>
  );
}
