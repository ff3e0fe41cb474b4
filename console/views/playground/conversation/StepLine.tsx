import { stepPlace } from '../../../parts/evidence/places.ts';
import { lazyPart } from '../../../parts/lazyPart.tsx';
import { JobLink } from '../../../parts/search/JobLink.tsx';
import { Loading } from '../../../parts/table/States.tsx';
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

/** A tool call of a run with its arguments and result. */
export function StepLine({ run_id, step }: { run_id: string; step: Step }) {
  const { name = 'tool', state, input, output, error_code, sid } = step;
  const state_words = `${STATES[state]}${error_code === undefined ? '' : `: ${error_code}`}`;
  const isSearch = name.startsWith(SEARCH_PREFIX) && state === 'done';
  return (
    <div id={stepPlace(run_id, step.index)}>
      <Fold title={`${name} (${state_words})`}>
        <ShownText label={`Arguments of ${name}`} value={input ?? {}} />
        {output !== undefined &&
          (isSearch ? (
            <SearchRows name={name} text={output} />
          ) : (
            <ShownText label={`Result of ${name}`} value={output} />
          ))}
      </Fold>
      {sid !== undefined && (
        <small>
          <JobLink sid={sid} />
        </small>
      )}
    </div>
  );
}

/** The prefix of search tools; one of another server may only look like it. */
const SEARCH_PREFIX = 'search__';

/** Not needed for the first row. */
const SearchRows = lazyPart(
  async () => ({ default: (await import('./SearchRows.tsx')).SearchRows }),
  <Loading what="the rows" />,
);
