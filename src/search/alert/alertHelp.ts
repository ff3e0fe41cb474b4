import { ALERT_ACTION, ALERT_PARAM_DEFAULTS } from '../../contract/families/alerts.ts';
import { ALERT_PARAM_NAMES, ALERT_PARAMS } from './alertParams.ts';

/** The answer to `--help`. */
export const alertHelp = (): string =>
  [
    `${ALERT_ACTION}.sh --execute: the alert action that runs an agent; splunkd gives it the payload as JSON on stdin`,
    '',
    'Exit codes: 0 each row was started, suppressed, over max_runs or claimed before; 1 a row was refused;',
    '2 the payload, the session or the platform failed. Messages go to stderr, and with them into splunkd.log.',
    '',
    'Parameters:',
    ...ALERT_PARAM_NAMES.map((name) => {
      const preset = ALERT_PARAM_DEFAULTS[name];
      return `  ${name}: ${ALERT_PARAMS[name].help}${preset === '' ? '' : ` Default: ${preset}`}`;
    }),
  ].join('\n');
