import { USAGE_INDEX, USAGE_SOURCETYPE } from '../../contract/families/usage.ts';

interface UsageSearch {
  /** Title of the saved search and, without `ML`, of its panel. */
  name: string;
  description: string;
  /** Commands after the search for the events. */
  pipeline: string;
  /** When the saved search runs, and over which time. */
  cron: string;
  earliest: string;
  latest: string;
  /** Stacked columns of the dashboard above the table: what follows the search for the events. */
  chart?: { title: string; pipeline: string };
}

/** Events of uses. @param index name of the index, or a token of a dashboard */
export const usageEvents = (index: string = USAGE_INDEX): string => `index=${index} sourcetype=${USAGE_SOURCETYPE}`;

const YESTERDAY = { earliest: '-1d@d', latest: '@d' } as const;
const TOKENS = 'eval tokens=coalesce(input_tokens, 0)+coalesce(output_tokens, 0)';

/** Saved searches and the panels of the dashboard. */
export const USAGE_SEARCHES: readonly UsageSearch[] = [
  {
    name: 'ML tokens and cost by user and model a day',
    description:
      'Requests, tokens and cost in US dollars of each user and model. Uses without a price are not in the cost.',
    pipeline:
      '| bin _time span=1d | stats count AS requests sum(input_tokens) AS input_tokens sum(output_tokens) AS output_tokens sum(cost) AS cost by _time user model | sort 0 - _time - cost',
    cron: '11 0 * * *',
    ...YESTERDAY,
    chart: {
      title: 'Tokens by model a day',
      pipeline: `| ${TOKENS} | timechart span=1d limit=10 sum(tokens) AS tokens by model`,
    },
  },
  {
    name: 'ML failures by code',
    description: 'Uses that failed, by error code, provider, connection and model.',
    pipeline:
      'outcome=fail | stats count AS failures dc(user) AS users max(_time) AS last by error_code provider connection model | convert ctime(last) | sort 0 - failures',
    cron: '13 0 * * *',
    ...YESTERDAY,
    chart: {
      title: 'Failures by code a day',
      pipeline: 'outcome=fail | timechart span=1d limit=10 count AS failures by error_code',
    },
  },
  {
    name: 'ML slowest upstreams',
    description: 'Time at upstreams in milliseconds, by connection and model, the slowest 20 first.',
    pipeline:
      '| stats count AS requests avg(upstream_ms) AS mean_ms perc95(upstream_ms) AS p95_ms max(upstream_ms) AS max_ms by provider connection model | sort 20 - p95_ms | foreach *_ms [eval <<FIELD>>=round(<<FIELD>>)]',
    cron: '17 0 * * *',
    ...YESTERDAY,
  },
];
