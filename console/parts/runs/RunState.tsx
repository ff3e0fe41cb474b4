import type { Run } from '../../../client/src/index.ts';
import { StateBadge } from '../text/Badge.tsx';
import { RUN_WORDS, unverifiedWords } from './words.ts';

/** The state of a run, and how many values of its answer were not found in its data. */
export function RunState({ of: run }: { of: Pick<Run, 'state' | 'evidence'> }) {
  const [words, tone] = RUN_WORDS[run.state];
  const unverified = unverifiedWords(run);
  return (
    <>
      <StateBadge tone={tone}>{words}</StateBadge>
      {unverified !== '' && (
        <div>
          <small>{unverified}</small>
        </div>
      )}
    </>
  );
}
