import {
  AGENT_ACTIONS,
  AGENT_NAME_MESSAGE,
  AGENT_NAME_PATTERN,
  DEFAULT_DEADLINE_S,
  DEFAULT_INTERVAL_S,
  INTERVAL_S,
  PROGRESS_FIELDS,
} from '../contract/families/agents.ts';
import { oneAgent, readableAgents } from './agentRows.ts';
import { choice, seconds, text } from './argumentTypes.ts';
import { command, type RowSource, SearchError } from './command.ts';
import { follow } from './follow.ts';

const FIELDS = ['_time', ...PROGRESS_FIELDS];

/** `| agentstatus`: follows the creation or deletion of an agent, or shows current states. */
export const agentStatus = command({
  name: 'agentstatus',
  kind: 'generating',
  arguments: {
    agent_name: text('the agent; default: all agents that you may read', {
      pattern: new RegExp(AGENT_NAME_PATTERN),
      message: AGENT_NAME_MESSAGE,
    }),
    action: choice(AGENT_ACTIONS, 'the action to follow; without it, show the current state'),
    timeout: seconds(1, 86_400, `maximum duration of this search; default ${DEFAULT_DEADLINE_S}`),
    interval: seconds(INTERVAL_S.min, INTERVAL_S.max, `maximum wait between two polls; default ${DEFAULT_INTERVAL_S}`),
  },
  fields: FIELDS,
  help: {
    summary: 'Follows the creation or deletion of an AI agent.',
    description: [
      'With an action: one row for each change, at least one a minute, and a last one with done=1.',
      `timeout (${DEFAULT_DEADLINE_S} s) ends this search but not the action; interval (${DEFAULT_INTERVAL_S} s) is the maximum wait between two polls.`,
      'With agent_name alone: one row. Without arguments: the agents that you may read.',
    ].join(' '),
    examples: [
      {
        search: '| agentstatus agent_name=triage action=create',
        comment: 'Follow the creation of an agent until it is available or has failed.',
      },
      { search: '| agentstatus', comment: 'List the agents that you may read, with their state.' },
    ],
    tags: 'agent ai status progress',
  },
  prepare(values) {
    const { agent_name: name, action, timeout = DEFAULT_DEADLINE_S, interval = DEFAULT_INTERVAL_S } = values;
    const names = Object.keys(values);
    if (name === undefined) {
      if (names.length > 0) throw new SearchError(`${names.join(', ')} needs agent_name`);
      return source(async function* (info, { agents, clock }) {
        yield* readableAgents(await agents(info), clock, info);
      });
    }
    if (action === undefined) {
      if (names.length > 1) throw new SearchError('timeout and interval need an action: create or delete');
      return source(async function* (info, { agents, clock }) {
        yield* oneAgent(await agents(info), clock, name);
      });
    }
    return source(async function* (info, { agents, clock }) {
      const following = { name, action, timeoutS: timeout, intervalS: interval };
      yield* follow({ agents: await agents(info), clock }, following);
    });
  },
});

const source = (generate: RowSource['generate']): RowSource => ({ fields: FIELDS, generate });
