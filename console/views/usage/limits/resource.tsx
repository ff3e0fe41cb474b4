import type { Reply } from '../../../../client/src/index.ts';
import { LIMIT_QUANTITIES } from '../../../../src/contract/families/usageLimits.ts';
import { ml } from '../../../api/client.ts';
import { showWarnings } from '../../../parts/LastWarnings.tsx';
import { createList, type Facts, type Resource } from '../../../parts/panel/resource.ts';
import { historyFacts } from '../../../parts/panel/sharing.tsx';
import { DataTable } from '../../../parts/table/DataTable.tsx';
import { StateBadge } from '../../../parts/text/Badge.tsx';
import { Time } from '../../../parts/text/Time.tsx';
import { CREATE, EDIT } from './form.tsx';
import { ACTIONS, amountWords, limitWords, QUANTITIES, Share, SUBJECTS, shareOf, statedIn, WINDOWS } from './words.tsx';

type Detail = Reply<'getUsageLimit'>['config'];
/** Entries of the list have no status. */
type Limit = Omit<Detail, 'status'> & Partial<Pick<Detail, 'status'>>;

function holdsWords({ applies_to: { users, roles, operations, models } }: Limit): string {
  const parts = Object.entries({ users, roles, operations, models });
  return (
    parts.flatMap(([key, values]) => (values?.length ? [`${key} ${values.join(', ')}`] : [])).join('; ') || 'all uses'
  );
}

const Enabled = ({ isEnabled }: { isEnabled: boolean }) =>
  isEnabled ? <StateBadge tone="success">on</StateBadge> : <StateBadge tone="outline">off</StateBadge>;

/** Use and remainder in the present window; with `per: user`, the remainder of the user who has least left. */
function statusFacts({ status, per }: Limit): Facts[] {
  if (!status) return [];
  const { used, left, resets_at, users } = status;
  const stated = statedIn(left);
  const whose = per === 'user' ? ' for the user with the least left' : '';
  return [
    {
      title: 'Used now',
      rows: [
        ...LIMIT_QUANTITIES.map((quantity) => [QUANTITIES[quantity], amountWords(quantity, used[quantity])] as const),
        ...stated.map(
          (quantity) => [`${QUANTITIES[quantity]} left${whose}`, amountWords(quantity, left[quantity])] as const,
        ),
        ...(users === undefined ? [] : [['Users', users] as const]),
        ['Resets', <Time key="resets" at={resets_at} isExact />],
      ],
    },
  ];
}

/** The users who have used most. */
function Top({ limit: { status } }: { limit: Limit }) {
  if (!status?.top?.length) return null;
  const stated = statedIn(status.left);
  return (
    <DataTable
      label="Users who have used most"
      heads={['User', ...stated.flatMap((quantity) => [QUANTITIES[quantity], `${QUANTITIES[quantity]}: state`])].map(
        (label) => ({ label }),
      )}
      rows={status.top.map((user) => ({
        key: user.user,
        cells: [
          user.user,
          ...stated.flatMap((quantity) => [
            amountWords(quantity, user.used[quantity]),
            <Share key={quantity} share={shareOf(quantity, user)} />,
          ]),
        ],
      }))}
    />
  );
}

export const LIMITS: Resource<Limit> = {
  key: 'limits',
  one: 'limit',
  many: 'limits',
  about: 'A limit says how many requests, tokens or dollars users may use in a minute, hour, day or month.',
  sortedBy: { key: 'name', dir: 'asc' },
  nameOf: ({ name }) => name,
  versionOf: ({ version }) => version,
  list: createList('listUsageLimits'),
  async read(name, signal) {
    return (await ml.call('getUsageLimit', { params: { name } }, { signal })).config;
  },
  columns: [
    { label: 'Name', sort: 'name', cell: ({ name }) => name },
    { label: 'At most', width: 150, cell: limitWords },
    { label: 'Period', sort: 'window', cell: ({ window }) => WINDOWS[window] },
    { label: 'For', cell: ({ per }) => SUBJECTS[per] },
    { label: 'Applies to', width: 180, cell: holdsWords },
    { label: 'When exceeded', cell: ({ action }) => ACTIONS[action] },
    { label: 'State', cell: ({ is_enabled }) => <Enabled isEnabled={is_enabled} /> },
    { label: 'Changed', sort: 'last_updated_at', cell: ({ last_updated_at }) => <Time at={last_updated_at} /> },
  ],
  facts: (limit) => [
    {
      rows: [
        ['Description', limit.description],
        ['At most', limitWords(limit)],
        ['Period', WINDOWS[limit.window]],
        ['For', SUBJECTS[limit.per]],
        ['Applies to', holdsWords(limit)],
        ['When exceeded', ACTIONS[limit.action]],
        ['State', <Enabled key="state" isEnabled={limit.is_enabled} />],
      ],
    },
    ...statusFacts(limit),
    historyFacts(limit),
  ],
  more: (limit) => <Top limit={limit} />,
  create: {
    operation: 'createUsageLimit',
    spec: CREATE,
    // A limit of cost says that it does not see uses without a price.
    save: async (body) => showWarnings(await ml.call('createUsageLimit', { body: body as never })).config.name,
  },
  edit: {
    operation: 'updateUsageLimit',
    spec: EDIT,
    save: (body, version, { name }) => ml.call('updateUsageLimit', { body: { ...body, name, version } as never }),
  },
  remove: {
    operation: 'deleteUsageLimit',
    canForce: false,
    ask: () => 'It stops applying within 2 seconds. Its counts do not carry over to a new limit of this name.',
    perform: ({ name, version }) => ml.call('deleteUsageLimit', { params: { name }, ifMatch: version }),
  },
};
