import {
  AGENT_ACTIONS,
  AGENT_NAME_MESSAGE,
  AGENT_NAME_PATTERN,
  type AgentAction,
  DEFAULT_DEADLINE_S,
  DEFAULT_INTERVAL_S,
  PROGRESS_FIELDS,
  STATUS_ARGUMENTS,
} from '../contract/agents.ts';
import { INTERVAL_S } from '../contract/pollWaits.ts';
import type { AgentsApi } from '../ports/agentsApi.ts';
import type { Clock } from '../ports/clock.ts';
import { parseArguments, shown } from './arguments.ts';
import { type Command, SearchError, type SearchInfo } from './command.ts';
import { follow } from './follow.ts';
import { oneAgent, readableAgents } from './shownAgents.ts';

export interface CommandParts {
  agents(info: SearchInfo): Promise<AgentsApi>;
  clock: Clock;
}

/** `| agentstatus`: follows the creation or deletion of an agent, or shows agents as they are. */
export function agentStatusCommand({ agents, clock }: CommandParts): Command {
  return {
    // The pair that the platform's own SDK answers for commands that generate on the search head.
    configuration: { type: 'stateful', generating: true },
    fields: ['_time', ...PROGRESS_FIELDS],
    prepare(text) {
      const args = parseArguments(text, STATUS_ARGUMENTS);
      const name = args.get('agent_name');
      if (name === undefined) {
        if (args.size > 0) throw new SearchError(`${[...args.keys()].join(', ')} needs agent_name`);
        return async function* (info) {
          yield* readableAgents(await agents(info), clock, info.maxRows);
        };
      }
      if (!new RegExp(AGENT_NAME_PATTERN).test(name)) {
        throw new SearchError(`agent_name ${AGENT_NAME_MESSAGE}`);
      }
      const action = actionOf(args.get('action'));
      const timeoutS = seconds('timeout', args.get('timeout'), DEFAULT_DEADLINE_S, 1, 86_400);
      const intervalS = seconds('interval', args.get('interval'), DEFAULT_INTERVAL_S, INTERVAL_S.min, INTERVAL_S.max);
      if (action === undefined) {
        if (args.size > 1) throw new SearchError('timeout and interval need an action: create or delete');
        return async function* (info) {
          yield* oneAgent(await agents(info), clock, name);
        };
      }
      return async function* (info) {
        yield* follow({ agents: await agents(info), clock }, { name, action, timeoutS, intervalS });
      };
    },
  };
}

function actionOf(text: string | undefined): AgentAction | undefined {
  const action = text?.toLowerCase();
  const known = AGENT_ACTIONS.find((one) => one === action);
  if (text !== undefined && known === undefined) {
    throw new SearchError(`Unknown action ${shown(text)}: it must be ${AGENT_ACTIONS.join(' or ')}`);
  }
  return known;
}

function seconds(name: string, text: string | undefined, usual: number, least: number, most: number): number {
  if (text === undefined) return usual;
  const value = Number(text);
  if (/^\d{1,6}(\.\d{1,6})?$/.test(text) && value >= least && value <= most) return value;
  throw new SearchError(`${name} must be a number of seconds from ${least} to ${most}`);
}
