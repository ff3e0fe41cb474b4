import { Fold } from '../../../parts/text/Fold.tsx';
import { ShownText } from '../ShownText.tsx';
import type { Run } from './turns.ts';

type Step = Run['steps'][number];

const STATES: Readonly<Record<Step['state'], string>> = {
  started: 'under way',
  waiting: 'waits for you',
  unknown: 'began, and its outcome is unknown',
  done: 'done',
  failed: 'failed',
  rejected: 'rejected',
};

/** A tool call with its arguments and result. */
export function StepLine({ step: { name = 'tool', state, input, output, error_code } }: { step: Step }) {
  const state_words = `${STATES[state]}${error_code === undefined ? '' : `: ${error_code}`}`;
  return (
    <Fold title={`${name} (${state_words})`}>
      <ShownText label={`Arguments of ${name}`} value={input ?? {}} />
      {output !== undefined && <ShownText label={`Result of ${name}`} value={output} />}
    </Fold>
  );
}
