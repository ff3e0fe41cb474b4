import { USAGE_INTERVALS, USAGE_KEYS } from '../contract/families/usage.ts';
import { choice, text } from './argumentTypes.ts';
import { command, expectBody, pagesOf } from './command.ts';

const DEFAULT_BY = 'user,model';
const SUMS = ['requests', 'failed', 'input_tokens', 'output_tokens', 'cost', 'unpriced', 'masked'];
const MEANS = ['upstream_ms_mean', 'overhead_ms_mean'];

/** `| mlusage`: the rows of `GET /ml/usage`. */
export const mlUsage = command({
  name: 'mlusage',
  kind: 'generating',
  arguments: {
    by: text(`one or two of ${USAGE_KEYS.join(', ')}, separated by a comma; default ${DEFAULT_BY}`),
    interval: choice(USAGE_INTERVALS, 'sums for each hour, day or month (UTC)'),
    earliest: text('only uses from this time on: epoch seconds or an ISO 8601 date; default 30 days ago'),
    latest: text('only uses before this time; default now'),
  },
  fields: ['_time', ...USAGE_KEYS, ...SUMS, ...MEANS],
  help: {
    summary: 'Shows who used which models, how often and at what cost.',
    description: [
      'One row for each combination of the keys: your own uses, with list_ml_usage those of all.',
      'cost is in US dollars, and empty where no use has a price; unpriced counts the chats and embeddings without one.',
      'masked counts the places that masking policies have replaced.',
      'With interval, _time is its begin.',
    ].join(' '),
    examples: [
      { search: '| mlusage by=user,model | sort - cost', comment: 'Show who spent most on which model in 30 days.' },
      {
        search: '| mlusage by=model interval=day | timechart span=1d sum(cost) by model',
        comment: 'Chart the cost of each model a day.',
      },
    ],
    tags: 'usage ai cost tokens',
  },
  prepare({ by = DEFAULT_BY, ...range }) {
    const names = by.split(',').map((name) => name.trim());
    const keys = USAGE_KEYS.filter((key) => names.includes(key));
    return {
      fields: [...(range.interval === undefined ? [] : ['_time']), ...keys, ...SUMS, ...MEANS],
      async *generate(info, { usage }) {
        const answer = await (await usage(info)).report({ by, ...range });
        const { result, truncated } = expectBody('usage', answer) as { result: Row[]; truncated?: boolean };
        const rows = result.map(({ time, ...cells }) => ({
          ...(time === undefined ? {} : { _time: String(time) }),
          ...cells,
        }));
        const text = `mlusage: only the first ${rows.length} rows are shown; use fewer keys or a shorter time`;
        yield* pagesOf(rows, info, { messages: truncated ? [['WARN', text]] : [], last: true });
      },
    };
  },
});

type Row = { time?: number } & Readonly<Record<string, string | number>>;
