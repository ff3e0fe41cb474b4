import Link from '@splunk/react-ui/Link';
import type { Run } from '../../../../client/src/index.ts';
import { searchUrl } from '../../../app/url.ts';
import type { Facts } from '../../../parts/panel/resource.ts';
import { hasEnded } from '../../../parts/runs/data.ts';
import { JobLink } from '../../../parts/search/JobLink.tsx';
import { alertUrl } from '../alertUrl.ts';
import { answerSearch } from './answerSearch.ts';

type AlertSource = NonNullable<Run['source']>;
type AnswerPlace = NonNullable<Run['result']>;

const AD_HOC = 'an ad hoc search';

export const startedByWords = ({ search_name }: AlertSource): string =>
  search_name === '' ? `by ${AD_HOC}` : `by the alert ${search_name}`;

/** An alert acts as its owner, who is therefore the user of the run. */
export function alertFacts({ source, user }: Pick<Run, 'source' | 'user'>): Facts[] {
  if (!source) return [];
  const { search_name, sid, result_id, app } = source;
  const alert =
    search_name === '' ? (
      AD_HOC
    ) : (
      <Link key="alert" to={alertUrl(user, app, search_name)} openInNewContext>
        {search_name}
      </Link>
    );
  return [
    {
      title: 'Started by an alert',
      rows: [
        ['Alert', alert],
        ['App', app],
        ['Its results', <JobLink key="job" sid={sid} />],
        ...(result_id === undefined ? [] : [['Result id', result_id] as const]),
      ],
    },
  ];
}

export function answerFacts(run: Pick<Run, 'run_id' | 'state' | 'started_at' | 'result'>): Facts[] {
  const { result } = run;
  if (!result) return [];
  return [
    {
      title: 'Answer in an index',
      rows: [
        ['Index', result.index],
        ['Sourcetype', result.sourcetype],
        ['Written', <Written key="written" run={run} place={result} />],
      ],
    },
  ];
}

interface WrittenProps {
  run: Pick<Run, 'run_id' | 'state' | 'started_at'>;
  place: AnswerPlace;
}

const TRIED_AGAIN = 'It is tried again when the run is read.';

function Written({ run, place }: WrittenProps) {
  const { index, written, error_code } = place;
  if (written)
    return (
      <>
        yes ·{' '}
        <Link to={searchUrl(answerSearch(run, place))} openInNewContext>
          Open the event in Search
        </Link>
      </>
    );
  if (error_code === undefined) return hasEnded(run) ? `not yet. ${TRIED_AGAIN}` : 'when the run has ended';
  const why =
    error_code === 'index_not_allowed'
      ? `The setting result_indexes of [agents] does not list the index ${index}.`
      : TRIED_AGAIN;
  return (
    <>
      no. {why} <code>{error_code}</code>
    </>
  );
}
