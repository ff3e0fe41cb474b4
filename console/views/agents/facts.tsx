import Link from '@splunk/react-ui/Link';
import type { ReactNode } from 'react';
import type { Agent } from '../../../client/src/index.ts';
import { remedyOfAgent } from '../../api/reasons.ts';
import { viewUrl } from '../../app/url.ts';
import { recordUrl } from '../../parts/families.ts';
import type { Facts } from '../../parts/panel/resource.ts';
import { LongText } from '../../parts/text/LongText.tsx';
import { Spl } from '../../parts/text/Spl.tsx';
import { Time } from '../../parts/text/Time.tsx';
import { APPROVALS, isCloudRuntime, ON_APPROVAL_TIMEOUT, ON_UNAVAILABLE, ON_UNVERIFIED, RUNTIMES } from './words.ts';

const toolWords = (tools: readonly string[] | undefined): string =>
  tools === undefined ? 'all tools that the connection allows' : tools.length === 0 ? 'no tools' : tools.join(', ');

/** @param state as a badge */
export function agentFacts(agent: Agent, state: ReactNode): Facts[] {
  const {
    description,
    is_enabled,
    state_reason,
    llm,
    system_prompt,
    task_prompt,
    mcps,
    knowledge_bases,
    search_tools,
  } = agent;
  const { runtime_type, runtime, name, versions } = agent;
  const isInCloud = isCloudRuntime(agent);
  return [
    {
      rows: [
        ['State', state],
        ['Reason', state_reason],
        ...remedyRows(agent),
        ['Enabled', is_enabled ? 'yes' : 'no'],
        ['Description', description],
        ['Runtime', RUNTIMES[runtime_type]],
        ...(runtime?.container === undefined ? [] : [['Container', runtime.container] as const]),
      ],
    },
    {
      title: 'Prompts',
      rows: [
        ['System prompt', <LongText key="system" label="System prompt" text={system_prompt} />],
        ['Task prompt', <LongText key="task" label="Task prompt" text={task_prompt} />],
      ],
    },
    { title: 'Model', rows: modelRows(llm) },
    {
      title: 'Tools and knowledge',
      rows: [
        ...mcps.map(
          ({ name: connection, tools }) =>
            [
              connection,
              <>
                <Link to={recordUrl('mcp-connections', connection)}>Connection</Link>: {toolWords(tools)}
              </>,
            ] as const,
        ),
        ['Knowledge bases', <Stores key="stores" names={knowledge_bases} />],
        ['Search tools', search_tools.join(', ')],
      ],
    },
    { title: 'Runs', rows: runRows(agent) },
    ...(runtime_type === 'BUILT_IN' ? [{ title: 'Answers', rows: answerRows(agent) }] : []),
    ...(isInCloud ? versions : []).map(
      ({ version, runtime_params: { runtime_id, runtime_arn, runtime_version } }): Facts => ({
        title: versions.length === 1 ? 'Cloud runtime' : `Runtime of version ${version}`,
        rows: [
          ['Id', runtime_id],
          ['ARN', runtime_arn],
          ['Version', runtime_version],
        ],
      }),
    ),
    ...(isInCloud ? [{ title: 'Last action', rows: actionRows(agent.tracking, name) }] : []),
  ];
}

function runRows(agent: Agent): Facts['rows'] {
  const { agent_timeout, max_steps, max_tokens_per_run, approve_tools, approve_tools_named } = agent;
  return [
    ['Run timeout', `${agent_timeout} s`],
    ['Max requests to the model', max_steps],
    ['Max tokens', max_tokens_per_run ?? 'no limit'],
    ['Tool calls to approve', APPROVALS[approve_tools]],
    ['Always approve', approve_tools_named.join(', ') || '–'],
    ...(agent.runtime_type === 'BUILT_IN' ? waitRows(agent) : []),
    [
      'Runs so far',
      <Link key="runs" to={viewUrl('agents', { tab: 'runs', agent: agent.name })}>
        Runs of {agent.name}
      </Link>,
    ],
  ];
}

function waitRows({ approval_timeout_s, on_approval_timeout, on_unavailable }: Agent): Facts['rows'] {
  return [
    ['Approval timeout', approval_timeout_s === 0 ? 'none' : `${approval_timeout_s} s`],
    ['After the approval timeout', approval_timeout_s === 0 ? undefined : ON_APPROVAL_TIMEOUT[on_approval_timeout]],
    ['When tools are unavailable', ON_UNAVAILABLE[on_unavailable]],
  ];
}

const checkWords = (isChecked: boolean | undefined): string =>
  isChecked === undefined ? 'where the agent has tools' : isChecked ? 'yes' : 'no';

function answerRows({ output_schema, check_evidence, on_unverified }: Agent): Facts['rows'] {
  const schema = output_schema && JSON.stringify(output_schema, null, 2);
  return [
    ['Schema', schema ? <LongText key="schema" label="Schema" text={schema} /> : 'none'],
    ['Check evidence', checkWords(check_evidence)],
    ['When values are not found there', check_evidence === false ? undefined : ON_UNVERIFIED[on_unverified]],
  ];
}

const actionRows = (tracking: Agent['tracking'], name: string): Facts['rows'] => [
  ['Action', tracking.action],
  ['Started', <Time key="begun" at={tracking.started_at} />],
  ['Polls', <PollCount key="asked" tracking={tracking} />],
  ['Search job', tracking.job_id],
  ['Search', <Spl key="search" search={`| agentstatus agent_name=${name} action=${tracking.action}`} />],
];

function remedyRows(agent: Agent): Facts['rows'] {
  const remedy = remedyOfAgent(agent);
  if (remedy === undefined) return [];
  return [
    [
      'Remedy',
      <>
        {remedy} {agent.error_code && <code>{agent.error_code}</code>}
      </>,
    ],
  ];
}

function modelRows(llm: Agent['llm']): Facts['rows'] {
  if (!llm) return [['Model', 'none; required to run']];
  const { service, connection_name, model, max_tokens, response_variability } = llm;
  const named: Facts['rows'] =
    service === undefined
      ? [['Model or alias', model]]
      : [
          [
            'Model',
            <Link key="model" to={recordUrl('llm-providers', `${service}/${connection_name}/${model}`)}>
              {model}
            </Link>,
          ],
          ['Connection', `${service}, ${connection_name}`],
        ];
  return [...named, ['Max output tokens', max_tokens], ['Variability', response_variability]];
}

function Stores({ names }: { names: readonly string[] }) {
  if (names.length === 0) return <>–</>;
  return (
    <>
      {names.map((name, index) => (
        <span key={name}>
          {index > 0 && ', '}
          <Link to={recordUrl('vector-stores', name)}>{name}</Link>
        </span>
      ))}
    </>
  );
}

function PollCount({ tracking: { attempts, last_polled_at } }: { tracking: Agent['tracking'] }) {
  if (attempts === 0) return <>not yet</>;
  return (
    <>
      {attempts === 1 ? 'once' : `${attempts} times`}, last <Time at={last_polled_at} />
    </>
  );
}
