import type { Reply } from '../../../../client/src/index.ts';
import { ml } from '../../../api/client.ts';
import { ResourcePage } from '../../../parts/panel/ResourcePage.tsx';
import { createList, type Resource } from '../../../parts/panel/resource.ts';
import { historyFacts, sharingFacts } from '../../../parts/panel/sharing.tsx';
import { Time } from '../../../parts/text/Time.tsx';
import { FALLBACK_CODES } from './FallbackCodes.tsx';
import { CREATE, EDIT, STRATEGIES } from './form.tsx';
import { AliasHealth, testAlias } from './health.tsx';

type Alias = Reply<'getModelAlias'>['config'];

const targetsOf = ({ targets }: Alias): string =>
  targets.map(({ connection_name, model }) => `${connection_name}/${model}`).join(', ');

const ALIASES: Resource<Alias> = {
  key: 'aliases',
  one: 'alias',
  many: 'aliases',
  about: 'An alias is one name for several language models. When one of them fails, the next one is tried.',
  sortedBy: { key: 'name', dir: 'asc' },
  nameOf: ({ name }) => name,
  versionOf: ({ version }) => version,
  list: createList('listModelAliases'),
  async read(name, signal) {
    return (await ml.call('getModelAlias', { params: { name } }, { signal })).config;
  },
  columns: [
    { label: 'Name', sort: 'name', cell: ({ name }) => name },
    { label: 'Description', sort: 'description', cell: ({ description }) => description },
    { label: 'Targets', cell: targetsOf },
    { label: 'Health', width: 190, cell: ({ name }) => <AliasHealth name={name} /> },
    { label: 'Owner', cell: ({ acl }) => acl.owner },
    { label: 'Changed', sort: 'last_updated_at', cell: ({ last_updated_at }) => <Time at={last_updated_at} /> },
  ],
  facts: (record) => [
    {
      rows: [
        ['Description', record.description],
        ['Targets', targetsOf(record)],
        ['Health', <AliasHealth key="health" name={record.name} />],
        ['Asked first', STRATEGIES[record.strategy]],
        ['Next target after', record.fallback_on.map((code) => FALLBACK_CODES[code]).join(', ') || 'no failure'],
      ],
    },
    {
      title: 'Defaults',
      rows: [
        ['Temperature', record.defaults.temperature],
        ['Max output tokens', record.defaults.max_tokens],
        ['System prompt', record.defaults.system_prompt],
      ],
    },
    sharingFacts(record.acl),
    historyFacts(record),
  ],
  // A test of an alias is a test of its configurations.
  test: {
    operation: 'actOnLlmProvider',
    isForSaved: true,
    perform: (record, _body, signal) => testAlias(record?.name ?? '', signal),
  },
  create: {
    operation: 'createModelAlias',
    spec: CREATE,
    save: async (body) => (await ml.call('createModelAlias', { body: body as never })).config.name,
  },
  edit: {
    operation: 'updateModelAlias',
    spec: EDIT,
    save: (body, version, { name }) => ml.call('updateModelAlias', { body: { ...body, name, version } as never }),
  },
  remove: {
    operation: 'deleteModelAlias',
    ask: () => 'Its LLM configurations stay. This cannot be undone.',
    perform: ({ name, version }, force) =>
      ml.call('deleteModelAlias', { params: { name }, query: { force }, ifMatch: version }),
  },
};

export default function Aliases() {
  return <ResourcePage resource={ALIASES} />;
}
