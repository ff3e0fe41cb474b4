import Link from '@splunk/react-ui/Link';
import type { AuditEntry } from '../../../client/src/index.ts';
import { AUDIT_ACTIONS, AUDIT_OUTCOMES } from '../../../src/contract/audit.ts';
import { RESOURCE_FAMILIES } from '../../../src/contract/families/resourceFamilies.ts';
import { ml } from '../../api/client.ts';
import { FAMILIES, recordUrl } from '../../parts/families.ts';
import { lazyPart } from '../../parts/lazyPart.tsx';
import type { Filter, ListQuery, Resource } from '../../parts/panel/resource.ts';
import { StateBadge } from '../../parts/text/Badge.tsx';
import { Time } from '../../parts/text/Time.tsx';
import { actionWords, OUTCOME_TONES, WAYS } from './words.ts';

const Changes = lazyPart(() => import('./Changes.tsx'));

/** Value -> label. */
const options = <const V extends string>(values: readonly V[], words: (value: V) => string): Record<string, string> =>
  Object.fromEntries(values.map((value) => [value, words(value)]));

/** `name` in the address is the entry that is open. */
export const FILTERS: readonly Filter[] = [
  { name: 'family', label: 'Kind', options: options(RESOURCE_FAMILIES, (family) => FAMILIES[family].labels[0]) },
  { name: 'action', label: 'Action', options: options(AUDIT_ACTIONS, actionWords) },
  { name: 'outcome', label: 'Outcome', options: options(AUDIT_OUTCOMES, (outcome) => outcome) },
  { name: 'record', label: 'Name' },
  { name: 'user', label: 'User' },
  { name: 'error_code', label: 'Error code' },
  { name: 'request_id', label: 'Request' },
  { name: 'earliest', label: 'From', isTime: true },
  { name: 'latest', label: 'Until', isTime: true },
];

const Outcome = ({ of: { outcome } }: { of: AuditEntry }) => (
  <StateBadge tone={OUTCOME_TONES[outcome]}>{outcome}</StateBadge>
);

/** The record, as a link unless it was deleted. */
function About({ of: { family, name, action, outcome } }: { of: AuditEntry }) {
  const words = FAMILIES[family].labels[0];
  const isGone = action === 'delete' && outcome === 'success';
  if (name === '' || isGone) return <>{`${words} ${name}`}</>;
  return (
    <>
      {words} <Link to={recordUrl(family, name)}>{name}</Link>
    </>
  );
}

export const AUDIT: Resource<AuditEntry> = {
  key: 'audit',
  one: 'entry',
  many: 'entries',
  about: 'Changes, tests and starts appear here.',
  sortedBy: { key: 'time', dir: 'desc' },
  nameOf: ({ audit_id }) => audit_id,
  titleOf: ({ action, family, name }) => `${actionWords(action)}: ${FAMILIES[family].labels[0]} ${name}`,
  filters: FILTERS,
  async list({ record, ...query }: ListQuery & { record?: string }, signal) {
    const { result, pagination } = await ml.call(
      'listAudit',
      { query: { ...query, name: record } as object },
      { signal },
    );
    return { items: result, total: pagination.total };
  },
  async read(audit_id, signal) {
    return (await ml.call('getAuditEntry', { params: { audit_id } }, { signal })).config;
  },
  columns: [
    { label: 'When', sort: 'time', width: 130, cell: ({ time }) => <Time at={time} /> },
    { label: 'User', cell: ({ user }) => user },
    { label: 'Action', cell: ({ action }) => actionWords(action) },
    { label: 'Kind', cell: ({ family }) => FAMILIES[family].labels[0] },
    { label: 'Name', width: 256, cell: ({ name }) => name || '–' },
    { label: 'Outcome', cell: (entry) => <Outcome of={entry} /> },
    { label: 'Error code', width: 140, cell: ({ error_code }) => error_code ?? '–' },
    { label: 'Changes', cell: ({ changed }) => changed.length || '–' },
  ],
  facts: (entry) => [
    {
      rows: [
        ['When', <Time key="time" at={entry.time} isExact />],
        ['User', entry.user],
        ['Action', actionWords(entry.action)],
        ['About', <About key="about" of={entry} />],
        ['Tool', entry.tool],
        ['Outcome', <Outcome key="outcome" of={entry} />],
        ['Error code', entry.error_code],
        ['Attempts', entry.count === undefined ? undefined : String(entry.count)],
        ['Failed', entry.failed === undefined ? undefined : String(entry.failed)],
        ['Version', versionWords(entry)],
        ['Took', entry.duration_ms === null ? 'unknown' : `${entry.duration_ms} ms`],
        ['Source', WAYS[entry.via]],
        ['Run', entry.run_id === undefined ? undefined : <code key="run">{entry.run_id}</code>],
        ['Search', entry.sid === undefined ? undefined : <code key="search">{entry.sid}</code>],
        ['Request', <code key="request">{entry.request_id}</code>],
      ],
    },
  ],
  more: ({ changed }) => <Changes changes={changed} />,
};

function versionWords({ version_before, version_after }: AuditEntry): string | undefined {
  if (version_before === undefined && version_after === undefined) return undefined;
  if (version_before === version_after) return String(version_after);
  return `${version_before ?? 'none'} → ${version_after ?? 'none'}`;
}
