import { AGENT_ACTIONS, DEFAULT_DEADLINE_S, DEFAULT_INTERVAL_S, type STATUS_ARGUMENTS } from '../contract/agents.ts';
import { AUDIT_SOURCETYPE } from '../contract/audit.ts';
import { confFile, stanza } from './conf.ts';

const COMMAND = 'agentstatus';

/** Each argument with what comes after its `=`; a forgotten one does not compile. */
const USAGE: Record<(typeof STATUS_ARGUMENTS)[number], string> = {
  agent_name: '<string>',
  action: AGENT_ACTIONS.join('|'),
  timeout: '<seconds>',
  interval: '<seconds>',
};

/** Everything else comes from the command's own answer to getinfo. */
export function commandsConf(): string {
  return confFile(stanza(COMMAND, { chunked: 'true', filename: `${COMMAND}.sh` }));
}

/** Help in the search bar. */
export function searchbnfConf(): string {
  const { agent_name, ...rest } = USAGE;
  const optional = Object.entries(rest).map(([name, value]) => `(${name}=${value})?`);
  return confFile(
    stanza(`${COMMAND}-command`, {
      syntax: `${COMMAND} (agent_name=${agent_name})? ${optional.join(' ')}`,
      shortdesc: 'Follows the creation or deletion of an AI agent.',
      description: [
        'With an action: a row when something has changed and at least one a minute, the last with done=1.',
        `timeout (${DEFAULT_DEADLINE_S} s) ends this search, never the agent's state; interval (${DEFAULT_INTERVAL_S} s) is the longest wait between two looks.`,
        'With agent_name alone: one row. Without arguments: the agents that you may read.',
      ].join(' '),
      usage: 'public',
      example1: `| ${COMMAND} agent_name=triage action=create`,
      comment1: 'Follow the creation of an agent until it is available or has failed.',
      example2: `| ${COMMAND}`,
      comment2: 'List the agents that you may read, with their state.',
      tags: 'agent ai status progress',
    }),
  );
}

/** Events of the audit trail are one JSON object each, whose fields searches find by their names. */
export function propsConf(): string {
  return confFile(
    stanza(AUDIT_SOURCETYPE, {
      CHARSET: 'UTF-8',
      KV_MODE: 'json',
      SHOULD_LINEMERGE: 'false',
      TRUNCATE: '0',
      TIME_PREFIX: '"time":',
      TIME_FORMAT: '%s.%3Q',
      MAX_TIMESTAMP_LOOKAHEAD: '20',
    }),
  );
}
