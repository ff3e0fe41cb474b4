import type { UsageKey } from '../../../../src/contract/families/usage.ts';
import { USAGE_SOURCETYPE } from '../../../../src/contract/families/usage.ts';
import type { MeasureName } from './measures.ts';
import type { Interval, Span } from './time.ts';

const SPANS: Readonly<Record<Interval, string>> = { hour: '1h', day: '1d', month: '1mon' };
const SUMS: Readonly<Record<MeasureName, string>> = {
  requests: 'count',
  failed: 'count(eval(outcome="fail"))',
  tokens: 'sum(tokens)',
  cost: 'sum(cost)',
};

interface SearchScope extends Span {
  /** A term. */
  index: string;
  by: UsageKey;
}

/** Events without the field, such as uses without an alias, are in a group of their own. */
const events = ({ index, by, earliest, latest }: SearchScope): string =>
  [
    `${index} sourcetype=${USAGE_SOURCETYPE} earliest=${earliest} latest=${latest}`,
    'eval tokens=coalesce(input_tokens, 0)+coalesce(output_tokens, 0)',
    `fillnull value="none" ${by}`,
  ].join(' | ');

/** The search for the events of the chart over time. */
export const searchOverTime = (shown: SearchScope, show: MeasureName, interval: Interval): string =>
  `${events(shown)} | timechart span=${SPANS[interval]} limit=5 ${SUMS[show]} AS ${show} by ${shown.by}`;

/** The search for the events of the table of groups. */
export const searchByGroup = (shown: SearchScope, show: MeasureName): string =>
  [
    events(shown),
    `stats count AS requests count(eval(outcome="fail")) AS failed sum(input_tokens) AS input_tokens sum(output_tokens) AS output_tokens sum(tokens) AS tokens sum(cost) AS cost avg(upstream_ms) AS upstream_ms by ${shown.by}`,
    `sort - ${show}`,
  ].join(' | ');
