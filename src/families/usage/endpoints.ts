import { Type } from 'typebox';
import { MAX_USAGE_ROWS } from '../../contract/families/usage.ts';
import { endpoints } from '../../contract/rows/endpoint.ts';
import { UsageQuery, UsageRow, UsageTotal } from './schemas.ts';

export const usage = endpoints({
  getUsage: {
    method: 'GET',
    path: '/ml/usage',
    summary: 'Who used what, how often and at what cost: own uses, with list_ml_usage those of all.',
    gate: 'session',
    query: UsageQuery,
    reply: Type.Object(
      {
        result: Type.Array(UsageRow, { description: 'Sums, in the order of time and of the keys' }),
        total: UsageTotal,
        truncated: Type.Optional(
          Type.Boolean({ description: `Whether rows beyond the first ${MAX_USAGE_ROWS} were left out` }),
        ),
      },
      { description: 'A report of usage' },
    ),
    faults: ['busy'],
    addition: true,
  },
});
