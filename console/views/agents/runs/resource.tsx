import Link from '@splunk/react-ui/Link';
import type { Run, RunDetail } from '../../../../client/src/index.ts';
import { RUN_STATES } from '../../../../src/contract/families/runs.ts';
import { ml } from '../../../api/client.ts';
import { queries } from '../../../api/queries.ts';
import { inputPlace } from '../../../parts/evidence/places.ts';
import { recordUrl } from '../../../parts/families.ts';
import { lazyPart } from '../../../parts/lazyPart.tsx';
import type { Filter, Resource } from '../../../parts/panel/resource.ts';
import { Content } from '../../../parts/runs/Content.tsx';
import { isUnderWay, RUNS_KEY, readRun, runKey } from '../../../parts/runs/data.ts';
import { RunState } from '../../../parts/runs/RunState.tsx';
import { contentText, firstWords, RUN_WORDS, titleOfRun } from '../../../parts/runs/words.ts';
import { costWords, durationWords, formatCount } from '../../../parts/text/format.ts';
import { Time } from '../../../parts/text/Time.tsx';
import { RunActions } from './Actions.tsx';
import { alertFacts, answerFacts, startedByWords } from './origin.tsx';

const RunAnswer = lazyPart(() => import('./RunAnswer.tsx'));
const Trace = lazyPart(() => import('./Trace.tsx'));

/** A list has runs without steps, and of their evidence the counts. */
export type AnyRun = Run & Partial<Pick<RunDetail, 'steps' | 'evidence'>>;

/** A read of a run under way answers at its end, or after so many seconds. */
const WAIT_S = 2;
/** Pause between reads of an open run under way, since a process of the app serves one read at a time. */
const OPEN_MS = 500;
const LISTED_MS = 5000;
const IDLE_MS = 30_000;
/** While a run waits, somebody else may decide. */
const WAITING_MS = 5000;

const FILTERS: readonly Filter[] = [
  { name: 'agent', label: 'Agent' },
  {
    name: 'state',
    label: 'State',
    options: Object.fromEntries(RUN_STATES.map((state) => [state, RUN_WORDS[state][0]])),
  },
  { name: 'user', label: 'User' },
  { name: 'search_name', label: 'Alert' },
  { name: 'earliest', label: 'From', isTime: true },
  { name: 'latest', label: 'Until', isTime: true },
];

function pollMs(runs: readonly AnyRun[]): number {
  const [first] = runs;
  if (!first?.steps) return runs.some(isUnderWay) ? LISTED_MS : IDLE_MS;
  if (isUnderWay(first)) return OPEN_MS;
  return first.state === 'waiting_for_approval' ? WAITING_MS : 0;
}

function tookWords({ started_at, ended_at }: Run): string {
  return ended_at === undefined ? '–' : durationWords(1000 * Math.max(0, ended_at - started_at));
}

const tokensOf = ({ usage: { input_tokens, output_tokens } }: Run): number => input_tokens + output_tokens;

export const RUNS: Resource<AnyRun> = {
  key: RUNS_KEY,
  one: 'run',
  many: 'runs',
  about: 'A run asks the model of an agent and calls the tools that it asks for. Open an agent and press Run.',
  sortedBy: { key: 'started_at', dir: 'desc' },
  nameOf: ({ run_id }) => run_id,
  titleOf: titleOfRun,
  filters: FILTERS,
  async list(query, signal) {
    const { result, pagination } = await ml.call('listRuns', { query: query as object }, { signal });
    return { items: result, total: pagination.total };
  },
  read(run_id, signal) {
    const cached = queries.getQueryData<AnyRun>(runKey(run_id));
    return readRun(run_id, cached !== undefined && isUnderWay(cached) ? WAIT_S : 0, signal);
  },
  pollMs,
  columns: [
    { label: 'Started', sort: 'started_at', width: 130, cell: ({ started_at }) => <Time at={started_at} /> },
    {
      label: 'Agent',
      cell: ({ agent = 'a definition', source }) => (
        <>
          {agent}
          {source && (
            <div>
              <small>{startedByWords(source)}</small>
            </div>
          )}
        </>
      ),
    },
    {
      label: 'State',
      width: 140,
      cell: (run) => (
        <>
          <RunState of={run} />
          {run.error_code && (
            <div>
              <code>{run.error_code}</code>
            </div>
          )}
        </>
      ),
    },
    { label: 'User', cell: ({ user }) => user },
    { label: 'Input', width: 260, cell: firstWords },
    { label: 'Took', cell: tookWords },
    { label: 'Tokens', cell: (run) => formatCount(tokensOf(run)) },
    { label: 'Cost', cell: ({ usage }) => costWords(usage.cost) },
  ],
  facts: (run) => [
    {
      rows: [
        ['State', <RunState key="state" of={run} />],
        ['Message', run.message === undefined ? undefined : contentText(run.message)],
        ['Error code', run.error_code && <code key="code">{run.error_code}</code>],
        [
          'Agent',
          run.agent && (
            <Link key="agent" to={recordUrl('agents', run.agent)}>
              {run.agent}
            </Link>
          ),
        ],
        ['User', run.user],
        ['Session', run.session_id],
        ['Started', <Time key="started" at={run.started_at} isExact />],
        ['Took', tookWords(run)],
        ['Requests to models', formatCount(run.usage.requests)],
        ['Tokens', `${formatCount(run.usage.input_tokens)} in, ${formatCount(run.usage.output_tokens)} out`],
        ['Cost', costWords(run.usage.cost)],
        ['Search job', run.job_id],
        ['Run', <code key="id">{run.run_id}</code>],
        ['Input', <Content key="input" label="Input" content={run.input} place={inputPlace(run.run_id)} />],
      ],
    },
    ...alertFacts(run),
    ...answerFacts(run),
  ],
  more: ({ steps, ...run }) => (
    <>
      {run.output !== undefined && <RunAnswer run={run} output={run.output} />}
      {steps && <Trace run={{ ...run, steps }} />}
    </>
  ),
  actions: (run) => <RunActions run={run} />,
};
