import { invalid, type Problem } from '../../../contract/codes/faults.ts';
import { ALERT_PARAM_DEFAULTS, type AlertParam, MAX_ALERT_ROWS } from '../../../contract/families/alerts.ts';

/** Parameters of the alert action, read and checked. */
export interface AlertSettings {
  /** One of the two is empty. */
  agent: string;
  model: string;
  /** A template; empty: the rows as JSON. */
  input: string;
  per: 'alert' | 'row';
  maxRows: number;
  maxRuns: number;
  /** A template; empty: nothing is suppressed. */
  key: string;
  suppressS: number;
  /** Empty: the answer goes nowhere. */
  index: string;
  sourcetype: string;
  onApproval: 'wait' | 'reject';
}

/** Seconds of the units of a span, by all names that the platform has for them. */
const UNITS: readonly (readonly [names: RegExp, seconds: number])[] = [
  [/^(?:|s|secs?|seconds?)$/, 1],
  [/^(?:m|mins?|minutes?)$/, 60],
  [/^(?:h|hrs?|hours?)$/, 3600],
  [/^(?:d|days?)$/, 86_400],
  [/^(?:w|weeks?)$/, 604_800],
];
const SPAN = /^(\d{1,9})\s?([a-z]{0,7})$/i;
const MAX_SPAN_S = 366 * 86_400;

/** @returns seconds; undefined for what is no span, or is longer than a year */
export function parseSpan(text: string): number | undefined {
  const [, count = '', unit = ''] = SPAN.exec(text) ?? [];
  const [, seconds = Number.NaN] = UNITS.find(([names]) => names.test(unit.toLowerCase())) ?? [];
  const span = count === '' ? Number.NaN : Number(count) * seconds;
  return span <= MAX_SPAN_S ? span : undefined;
}

const SOURCETYPE = /^[\w:.-]{1,128}$/;

/** @throws Fault `validation_failed` with every parameter that cannot be read */
export function readParams(params: Readonly<Record<string, string>>): AlertSettings {
  const problems: Problem[] = [];
  const refuse = (name: AlertParam, message: string): void => {
    problems.push({ field: `alert.params.${name}`, message });
  };
  const textOf = (name: AlertParam): string =>
    (Object.hasOwn(params, name) ? params[name]?.trim() : undefined) || ALERT_PARAM_DEFAULTS[name];
  const choice = <const C extends string>(name: AlertParam, choices: readonly C[]): C => {
    const value = choices.find((each) => each === textOf(name));
    if (value === undefined) refuse(name, `must be ${choices.join(' or ')}`);
    return value ?? (choices[0] as C);
  };
  const count = (name: AlertParam): number => {
    const value = /^\d{1,4}$/.test(textOf(name)) ? Number(textOf(name)) : 0;
    if (value < 1 || value > MAX_ALERT_ROWS) refuse(name, `must be a number from 1 to ${MAX_ALERT_ROWS}`);
    return value;
  };
  const [agent, model] = [textOf('agent'), textOf('model')];
  if (agent === '' && model === '') refuse('agent', 'is required, unless there is a model instead');
  if (agent !== '' && model !== '') refuse('model', 'cannot be combined with agent');
  const suppressS = parseSpan(textOf('suppress'));
  if (suppressS === undefined) refuse('suppress', 'must be a span such as 30s, 10m, 1h or 1d, of a year at most');
  if (!SOURCETYPE.test(textOf('sourcetype')))
    refuse('sourcetype', 'must have only letters, digits, _, -, . and :, and at most 128 of them');
  if (textOf('index').length > 128) refuse('index', 'must have at most 128 characters');
  const settings: AlertSettings = {
    ...{ agent, model, input: textOf('input'), per: choice('per', ['alert', 'row']) },
    ...{ maxRows: count('max_rows'), maxRuns: count('max_runs') },
    ...{ key: textOf('key'), suppressS: suppressS ?? 0 },
    ...{ index: textOf('index'), sourcetype: textOf('sourcetype') },
    onApproval: choice('on_approval', ['wait', 'reject']),
  };
  if (problems.length > 0) throw invalid(problems);
  return settings;
}
