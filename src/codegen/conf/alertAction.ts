import { ALERT_ACTION, ALERT_PARAM_DEFAULTS, type AlertParam } from '../../contract/families/alerts.ts';
import { ALERT_PARAM_NAMES, ALERT_PARAMS } from '../../search/alert/alertParams.ts';
import { confFile, stanza } from './conf.ts';
import { described } from './settingsSpec.ts';
import { escaped } from './simpleXml.ts';

const LABEL = 'Run an ML agent';
const DESCRIPTION = 'Starts a run of an agent, or asks a model, for an alert or for each of its rows.';

/** The answers of the runs of one row, whatever their index is. */
const ANSWERS = `search index=* sourcetype="${ALERT_PARAM_DEFAULTS.sourcetype}" orig_sid="$sid$" orig_rid="$rid$"`;

/** The description of an adaptive response for Enterprise Security. Tokens between dollar signs are its own. */
const ADAPTIVE_RESPONSE = {
  category: ['Information Gathering'],
  task: ['create'],
  subject: ['splunk.event'],
  technology: [{ vendor: 'Machine Learning Extension', product: 'Agents' }],
  drilldown_uri: `../search/search?q=${encodeURIComponent(ANSWERS).replaceAll('%24', '$')}`,
  field_name_params: [],
  required_params: [],
  supports_adhoc: true,
  supports_cloud: true,
  supports_workers: false,
};

export function alertActionsConf(): string {
  const params = ALERT_PARAM_NAMES.map((name) => [`param.${name}`, ALERT_PARAM_DEFAULTS[name]]);
  const values = {
    is_custom: '1',
    label: LABEL,
    description: DESCRIPTION,
    icon_path: `${ALERT_ACTION}.png`,
    payload_format: 'json',
    // The program itself ends within 20 seconds.
    maxtime: '1m',
    ttl: '10p',
    ...Object.fromEntries(params),
    'param._cam': JSON.stringify(ADAPTIVE_RESPONSE),
  };
  return confFile(stanza(ALERT_ACTION, values));
}

const specOf = (prefix: string): string[] =>
  ALERT_PARAM_NAMES.flatMap((name) => {
    const { form, help } = ALERT_PARAMS[name];
    const preset = ALERT_PARAM_DEFAULTS[name];
    return described([`${prefix}${name}`, { form, text: [help], ...(preset === '' ? {} : { default: preset }) }]);
  });

/** `app/README/alert_actions.conf.spec`. */
export function alertActionsSpec(): string {
  const text = ['What Enterprise Security shows of the action (adaptive response).'];
  const cam = described(['param._cam', { form: '<JSON>', text, default: 'see alert_actions.conf' }]);
  return [`# ${LABEL}`, '', `[${ALERT_ACTION}]`, ...specOf('param.'), ...cam].join('\n');
}

/** `app/README/savedsearches.conf.spec`. */
export function savedSearchesSpec(): string {
  const isOn = described([
    `action.${ALERT_ACTION}`,
    { form: '[0|1]', text: ['Whether the search starts runs.'], default: '0' },
  ]);
  return [`# ${LABEL}`, '', ...isOn, ...specOf(`action.${ALERT_ACTION}.param.`)].join('\n');
}

/** `default/data/ui/alerts/ml_agent.html`: the fields of the action where an alert is edited. */
export const alertForm = (): string =>
  [
    '<!-- Generated from the table of parameters (npm run generate). -->',
    '<form class="form-horizontal form-complex">',
    ...ALERT_PARAM_NAMES.flatMap((name) => {
      const { label, help } = ALERT_PARAMS[name];
      const group = `  <splunk-control-group label="${escaped(label)}" help="${escaped(help)}">`;
      return [group, ...control(name).map((line) => `    ${line}`), '  </splunk-control-group>'];
    }),
    '</form>',
    '',
  ].join('\n');

function control(param: AlertParam): string[] {
  const name = `action.${ALERT_ACTION}.param.${param}`;
  const named = `name="${name}" id="${param}_of_${ALERT_ACTION}"`;
  const { control: row } = ALERT_PARAMS[param];
  if (row?.kind === 'area') return [`<splunk-text-area ${named}></splunk-text-area>`];
  if (row?.kind === 'agents') {
    const search = '| mllist kind=agents | sort 0 title';
    return [
      `<splunk-search-dropdown ${named} search="${search}" value-field="name" label-field="title" earliest="-1m" latest="now"></splunk-search-dropdown>`,
    ];
  }
  if (row?.kind !== 'choice') return [`<splunk-text-input ${named}></splunk-text-input>`];
  const options = Object.entries(row.values).map(
    ([value, label]) => `  <option value="${value}">${escaped(label)}</option>`,
  );
  return [`<splunk-select ${named}>`, ...options, '</splunk-select>'];
}
