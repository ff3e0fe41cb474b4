import { ALERT_PARAM_DEFAULTS, type AlertParam, MAX_ALERT_ROWS } from '../../contract/families/alerts.ts';

export interface ParamRow {
  /** Before the field of the form. */
  label: string;
  /** One or two sentences, below the field of the form and in the spec files. */
  help: string;
  /** The field of the form; a line of text without one. */
  control?: { kind: 'area' } | { kind: 'agents' } | { kind: 'choice'; values: Readonly<Record<string, string>> };
  /** The value in a spec file. */
  form: string;
}

/** The parameters of the alert action. Conf file, spec files, form and `--help` are generated from this table. */
export const ALERT_PARAMS: Readonly<Record<AlertParam, ParamRow>> = {
  agent: {
    label: 'Agent',
    help: 'The agent that is run, with the rights of the owner of the alert.',
    control: { kind: 'agents' },
    form: '<name of an agent>',
  },
  model: {
    label: 'Model',
    help: 'In place of an agent: a model alias, or <connection>/<model>. The model has no tools. An alert with both starts nothing: to change from an agent to a model, remove the action and add it again.',
    form: '<model reference>',
  },
  input: {
    label: 'Input',
    help: 'The task. {field} stands for a value of the row and is marked as data; an empty input is the rows as JSON. Text between dollar signs is replaced by the platform before.',
    control: { kind: 'area' },
    form: '<template>',
  },
  per: {
    label: 'Runs',
    help: 'One run for the whole alert, whose {field} is that of the first row, or one for each row.',
    control: { kind: 'choice', values: { alert: 'One for the alert', row: 'One for each row' } },
    form: '[alert|row]',
  },
  max_rows: {
    label: 'Most rows in an input',
    help: `With one run for the alert: so many rows are in its input, 1 to ${MAX_ALERT_ROWS}. The input says how many there were.`,
    form: `<integer, 1 to ${MAX_ALERT_ROWS}>`,
  },
  max_runs: {
    label: 'Most runs',
    help: `One trigger of the alert starts at most so many runs, 1 to ${MAX_ALERT_ROWS}, all results together. The first rows win.`,
    form: `<integer, 1 to ${MAX_ALERT_ROWS}>`,
  },
  key: {
    label: 'Suppress by',
    help: 'A template such as {host}: rows that fill it alike start one run within the time below. Empty suppresses nothing.',
    form: '<template>',
  },
  suppress: {
    label: 'Suppress for',
    help: 'A number with s, m, h or d, such as 30m: how long after a start rows with the same key start nothing.',
    form: '<span>',
  },
  index: {
    label: 'Index of answers',
    help: 'The answer of each run becomes one event of this index, which ml_extension.conf has to allow ([agents] result_indexes). Empty writes none.',
    form: '<index>',
  },
  sourcetype: {
    label: 'Source type of answers',
    help: 'The source type of these events.',
    form: '<source type>',
  },
  on_approval: {
    label: 'Calls that need approval',
    help: 'A call that needs approval waits for a person, or is rejected at once with a message to the model.',
    control: { kind: 'choice', values: { wait: 'Wait for a person', reject: 'Reject' } },
    form: '[wait|reject]',
  },
};

/** The names of the parameters, in the order of the form. */
export const ALERT_PARAM_NAMES = Object.keys(ALERT_PARAM_DEFAULTS) as AlertParam[];
