import type { Reply } from '../../../../client/src/index.ts';
import { ml } from '../../../api/client.ts';
import { useRefusal, useWho } from '../../../api/rights.ts';
import { Stack } from '../../../app/styles.ts';
import { ResourcePage } from '../../../parts/panel/ResourcePage.tsx';
import { createList, type Resource } from '../../../parts/panel/resource.ts';
import { historyFacts } from '../../../parts/panel/sharing.tsx';
import { StateBadge } from '../../../parts/text/Badge.tsx';
import { Time } from '../../../parts/text/Time.tsx';
import { CREATE, EDIT } from './form.tsx';
import { Preview } from './lazy.ts';
import { UsualPolicy } from './UsualPolicy.tsx';
import { IMAGES, kindWords } from './words.ts';

type Policy = Reply<'getMaskingPolicy'>['config'];

const Enabled = ({ isEnabled }: { isEnabled: boolean }) =>
  isEnabled ? <StateBadge tone="success">on</StateBadge> : <StateBadge tone="outline">off</StateBadge>;

function appliesWords({ applies_to: { services, connections, aliases, roles, operations } }: Policy): string {
  const parts = Object.entries({ services, connections, aliases, roles, operations });
  return (
    parts.flatMap(([key, values]) => (values?.length ? [`${key} ${values.join(', ')}`] : [])).join('; ') || 'all uses'
  );
}

/** The kinds of a mode, and what is masked without being named among the kinds. */
function kindsOf({ kinds, fields, patterns }: Policy, mode: 'mask' | 'refuse'): string {
  const named = Object.entries(kinds).flatMap(([kind, its]) => (its === mode ? [kindWords(kind)] : []));
  const labels = patterns.flatMap(({ label }) => (mode === 'mask' && !(label in kinds) ? [label] : []));
  const fieldNames = mode === 'mask' ? fields.map((field) => `field ${field}`) : [];
  return [...new Set([...named, ...labels, ...fieldNames])].join(', ') || 'nothing';
}

const KEY = 'masking';

const POLICIES: Resource<Policy> = {
  key: KEY,
  one: 'masking policy',
  many: 'masking policies',
  about:
    'A masking policy says which values are replaced before a request leaves for a model, and put back in the answer.',
  sortedBy: { key: 'name', dir: 'asc' },
  nameOf: ({ name }) => name,
  versionOf: ({ version }) => version,
  list: createList('listMaskingPolicies'),
  async read(name, signal) {
    return (await ml.call('getMaskingPolicy', { params: { name } }, { signal })).config;
  },
  columns: [
    { label: 'Name', sort: 'name', cell: ({ name }) => name },
    { label: 'Masked', cell: (policy) => kindsOf(policy, 'mask') },
    { label: 'Refused', cell: (policy) => kindsOf(policy, 'refuse') },
    { label: 'Applies to', cell: appliesWords },
    { label: 'State', cell: ({ is_enabled }) => <Enabled isEnabled={is_enabled} /> },
    { label: 'Changed', sort: 'last_updated_at', cell: ({ last_updated_at }) => <Time at={last_updated_at} /> },
  ],
  facts: (policy) => [
    {
      rows: [
        ['Description', policy.description],
        ['State', <Enabled key="state" isEnabled={policy.is_enabled} />],
        ['Masked', kindsOf(policy, 'mask')],
        ['Refused', kindsOf(policy, 'refuse')],
        ['Applies to', appliesWords(policy)],
        ['Images', IMAGES[policy.images]],
      ],
    },
    {
      title: 'Fields and patterns',
      rows: [
        ['Named fields', policy.fields.join(', ')],
        ['Own patterns', policy.patterns.map(({ label, pattern }) => `${label}: ${pattern}`).join('; ')],
        ['Never masked', policy.never.join(', ')],
        ['Countries', policy.regions.join(', ')],
      ],
    },
    historyFacts(policy),
  ],
  more: ({ name }) => <Preview body={() => ({ name })} />,
  create: {
    operation: 'createMaskingPolicy',
    spec: CREATE,
    save: async (body) => (await ml.call('createMaskingPolicy', { body: body as never })).config.name,
  },
  edit: {
    operation: 'updateMaskingPolicy',
    spec: EDIT,
    save: (body, version, { name }) => ml.call('updateMaskingPolicy', { body: { ...body, name, version } as never }),
  },
  remove: {
    operation: 'deleteMaskingPolicy',
    canForce: false,
    ask: () => 'Within 2 seconds requests leave without what it masks. This cannot be undone.',
    perform: ({ name, version }) => ml.call('deleteMaskingPolicy', { params: { name }, ifMatch: version }),
  },
};

/** Policies, for those who may read them. */
export default function MaskingPolicies() {
  const { isPending } = useWho();
  const why = useRefusal()('listMaskingPolicies');
  if (isPending) return null;
  if (why) return <div>{`${why} to see and change masking policies.`}</div>;
  return (
    <Stack>
      <UsualPolicy changed={KEY} />
      <ResourcePage resource={POLICIES} />
    </Stack>
  );
}
