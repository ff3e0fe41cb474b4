import {
  AGENT_ACTIONS,
  AGENT_NAME_MESSAGE,
  AGENT_NAME_PATTERN,
  DEFAULT_DEADLINE_S,
  DEFAULT_INTERVAL_S,
  INTERVAL_S,
  PROGRESS_FIELDS,
} from '../contract/families/agents.ts';
import { choice, seconds, text } from './argumentTypes.ts';
import { generating, SearchError } from './command.ts';
import { follow } from './follow.ts';
import { oneAgent, readableAgents } from './shownAgents.ts';

/** `| agentstatus`: follows the creation or deletion of an agent, or shows agents as they are. */
export const agentStatus = generating({
  name: 'agentstatus',
  arguments: {
    agent_name: text('the agent; all agents that you may read unless given', {
      pattern: AGENT_NAME_PATTERN,
      message: AGENT_NAME_MESSAGE,
    }),
    action: choice(AGENT_ACTIONS, 'what to follow; without it the agent is shown as it is'),
    timeout: seconds(1, 86_400, `when this search ends at the latest; ${DEFAULT_DEADLINE_S} unless given`),
    interval: seconds(
      INTERVAL_S.min,
      INTERVAL_S.max,
      `the longest wait between two polls; ${DEFAULT_INTERVAL_S} unless given`,
    ),
  },
  fields: ['_time', ...PROGRESS_FIELDS],
  help: {
    summary: 'Follows the creation or deletion of an AI agent.',
    description: [
      'With an action: a row when something has changed and at least one a minute, the last with done=1.',
      `timeout (${DEFAULT_DEADLINE_S} s) ends this search, never the agent's state; interval (${DEFAULT_INTERVAL_S} s) is the longest wait between two looks.`,
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
      return async function* (info, { agents, clock }) {
        yield* readableAgents(await agents(info), clock, info.maxRows);
      };
    }
    if (action === undefined) {
      if (names.length > 1) throw new SearchError('timeout and interval need an action: create or delete');
      return async function* (info, { agents, clock }) {
        yield* oneAgent(await agents(info), clock, name);
      };
    }
    return async function* (info, { agents, clock }) {
      const following = { name, action, timeoutS: timeout, intervalS: interval };
      yield* follow({ agents: await agents(info), clock }, following);
    };
  },
});
