import { ALERT_PARAM_DEFAULTS, ALERT_SOURCETYPE } from '../../contract/families/alerts.ts';
import { RUN_SOURCETYPE } from '../../contract/families/runs.ts';
import { USAGE_INDEX, USAGE_SOURCETYPE } from '../../contract/families/usage.ts';
import { dashboardXml, INDEX_TOKEN, PLAIN_TABLE, panelXml, STACKED_COLUMNS, textInputXml } from './simpleXml.ts';

const ANSWER_SOURCETYPE = ALERT_PARAM_DEFAULTS.sourcetype;
const NO_AGENT = '(no agent)';
const AD_HOC = '(ad hoc search)';

/** Runs of a definition have no agent, and are left out only where one is chosen. */
const OF_AGENT = `fillnull value="${NO_AGENT}" agent | search agent=$agent|s$`;

/** @param field with the name of the saved search @param otherwise condition of an alert without one */
const alertName = (field: string, otherwise: string): string =>
  `eval alert=case(len(${field})>0, ${field}, ${otherwise}, "${AD_HOC}")`;

/** The last state of each run. */
const LAST_STATES = `index=${INDEX_TOKEN} sourcetype=${RUN_SOURCETYPE} | sort 0 - time | dedup run_id | ${OF_AGENT}`;

/** A row for each run: its changes of state, its uses and, where there is one, its answer are put together by its id. */
const RUNS = [
  `(index=${INDEX_TOKEN} sourcetype=${RUN_SOURCETYPE}) OR (index=${INDEX_TOKEN} sourcetype=${USAGE_SOURCETYPE} run_id=*) OR (index=$answers|s$ sourcetype=${ANSWER_SOURCETYPE})`,
  'sort 0 - time',
  alertName("'source.search_name'", `'source.kind'="alert"`),
  // A use that fails has a code as well, and its run may go on.
  `eval run_error=if(sourcetype="${USAGE_SOURCETYPE}", null(), error_code)`,
  'rename "evidence.checked" AS checked',
  'stats min(time) AS started first(state) AS state first(alert) AS alert first(agent) AS agent first(user) AS user first(run_error) AS error_code first(checked) AS checked first(unverified) AS unverified sum(cost) AS cost by run_id',
  // Uses of runs that began before the time of the form.
  'where isnotnull(state)',
  OF_AGENT,
].join(' | ');

const NOT_STARTED = [
  `index=${INDEX_TOKEN} sourcetype=${ALERT_SOURCETYPE}`,
  'sort 0 - time',
  alertName('search_name', 'true()'),
  'fillnull value=1 count',
  'fillnull value="-" app user',
  'stats sum(count) AS results first(message) AS message max(time) AS last by reason alert app user',
  'sort 0 - last',
  'convert ctime(last)',
].join(' | ');

const chart = (title: string, query: string) => panelXml({ kind: 'chart', title, query, options: STACKED_COLUMNS });

const PANELS = [
  chart('Runs by state a day', `${LAST_STATES} | timechart span=1d limit=10 count by state`),
  panelXml({
    kind: 'table',
    title: 'Runs, newest first; a click opens the run',
    query: `${RUNS} | sort 1000 - started | convert ctime(started) | table started alert agent user state error_code unverified checked cost run_id`,
    options: { count: '20', drilldown: 'row' },
    link: '/app/ml_extension/agents?tab=runs&name=$row.run_id|u$',
  }),
  panelXml({
    kind: 'table',
    title: 'Runs by alert',
    query: `${RUNS} | where isnotnull(alert) | stats count AS runs count(eval(state="failed")) AS failed sum(unverified) AS unverified sum(cost) AS cost max(started) AS last by alert agent | sort 0 - last | convert ctime(last)`,
    options: PLAIN_TABLE,
  }),
  chart(
    'Cost of runs by agent a day, US dollars',
    `index=${INDEX_TOKEN} sourcetype=${USAGE_SOURCETYPE} run_id=* | ${OF_AGENT} | timechart span=1d limit=10 sum(cost) AS cost by agent`,
  ),
  chart(
    'Claims that the data of the run do not have, by agent a day',
    `${LAST_STATES} | timechart span=1d limit=10 sum(unverified) AS unverified by agent`,
  ),
  panelXml({
    kind: 'table',
    title: 'Results of alerts that started no run, of all agents',
    query: NOT_STARTED,
    options: PLAIN_TABLE,
  }),
];

const AGENT_INPUT = [
  '    <input type="dropdown" token="agent">',
  '      <label>Agent</label>',
  '      <choice value="*">All</choice>',
  `      <choice value="${NO_AGENT}">Without an agent</choice>`,
  '      <default>*</default>',
  '      <fieldForLabel>name</fieldForLabel>',
  '      <fieldForValue>name</fieldForValue>',
  '      <search>',
  '        <query>| mllist kind=agents | table name</query>',
  '      </search>',
  '    </input>',
].join('\n');

/** `ml_agent_runs_dashboard.xml` */
export function runsDashboardXml(): string {
  return dashboardXml({
    label: 'Agent runs',
    description:
      'Outcome, cost and unverified claims of runs of agents, the alert each came from, and what alerts did not start.',
    source: 'the searches of runs',
    inputs: [
      AGENT_INPUT,
      textInputXml('index', 'Index of the events (usage_index)', USAGE_INDEX),
      textInputXml('answers', 'Index of the answers', 'summary'),
    ],
    panels: PANELS,
  });
}
