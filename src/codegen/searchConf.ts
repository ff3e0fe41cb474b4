import { AGENT_ACTIONS, DEFAULT_DEADLINE_S, DEFAULT_INTERVAL_S, type STATUS_ARGUMENTS } from '../contract/agents.ts';
import { AUDIT_SOURCETYPE } from '../contract/audit.ts';
import {
  CONNECTION_FAMILIES,
  EXPIRING_DAYS,
  type HEALTH_ARGUMENTS,
  HEALTH_STATES,
  MAX_AGE_S,
} from '../contract/connectionHealth.ts';
import { confFile, stanza } from './conf.ts';

const STATUS = 'agentstatus';
const HEALTH = 'mlhealth';

/** Each argument with what comes after its `=`; a forgotten one does not compile. */
const STATUS_USAGE: Record<(typeof STATUS_ARGUMENTS)[number], string> = {
  agent_name: '<string>',
  action: AGENT_ACTIONS.join('|'),
  timeout: '<seconds>',
  interval: '<seconds>',
};
const HEALTH_USAGE: Record<(typeof HEALTH_ARGUMENTS)[number], string> = {
  family: CONNECTION_FAMILIES.join('|'),
  state: HEALTH_STATES.join('|'),
  check: 'true|false',
  max_age: '<seconds>',
};

const syntax = (command: string, usage: Readonly<Record<string, string>>): string =>
  [command, ...Object.entries(usage).map(([name, value]) => `(${name}=${value})?`)].join(' ');

/** Everything else comes from the command's own answer to getinfo. */
export function commandsConf(): string {
  return confFile(...[STATUS, HEALTH].map((name) => stanza(name, { chunked: 'true', filename: `${name}.sh` })));
}

/** Help in the search bar. */
export function searchbnfConf(): string {
  return confFile(
    stanza(`${STATUS}-command`, {
      syntax: syntax(STATUS, STATUS_USAGE),
      shortdesc: 'Follows the creation or deletion of an AI agent.',
      description: [
        'With an action: a row when something has changed and at least one a minute, the last with done=1.',
        `timeout (${DEFAULT_DEADLINE_S} s) ends this search, never the agent's state; interval (${DEFAULT_INTERVAL_S} s) is the longest wait between two looks.`,
        'With agent_name alone: one row. Without arguments: the agents that you may read.',
      ].join(' '),
      usage: 'public',
      example1: `| ${STATUS} agent_name=triage action=create`,
      comment1: 'Follow the creation of an agent until it is available or has failed.',
      example2: `| ${STATUS}`,
      comment2: 'List the agents that you may read, with their state.',
      tags: 'agent ai status progress',
    }),
    stanza(`${HEALTH}-command`, {
      syntax: syntax(HEALTH, HEALTH_USAGE),
      shortdesc: 'Tells how the connections of the Machine Learning Extension are.',
      description: [
        'A row for each connection that you may read: its state and why, its last test, when the first of its credentials ends, and what uses it.',
        `With check=true those that you may test are tested first, for at most 25 s, unless they were in the last max_age (${MAX_AGE_S.default}) seconds.`,
        `expiring: a credential ends within ${EXPIRING_DAYS} days.`,
      ].join(' '),
      usage: 'public',
      example1: `| ${HEALTH} check=true | where state="failing" OR state="reauth_required"`,
      comment1: 'Test all connections, and show those that fail.',
      example2: `| ${HEALTH} state=expiring`,
      comment2: 'Show the connections with a credential that ends soon.',
      tags: 'connection ai health expiry alert',
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
