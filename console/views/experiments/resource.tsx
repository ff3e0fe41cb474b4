import type { Experiment } from '../../../client/src/index.ts';
import { ml } from '../../api/client.ts';
import { lazyPart } from '../../parts/lazyPart.tsx';
import { ResourcePage } from '../../parts/panel/ResourcePage.tsx';
import { type Body, createList, type Resource } from '../../parts/panel/resource.ts';
import { historyFacts, sharingFacts } from '../../parts/panel/sharing.tsx';
import { Time } from '../../parts/text/Time.tsx';
import { Actions } from './Actions.tsx';
import { CREATE, EDIT } from './form.ts';
import { SOURCES, STATUSES, Status, TYPES } from './words.tsx';

const Workflow = lazyPart(() => import('./Workflow.tsx'));
const History = lazyPart(() => import('./History.tsx'));

const LONGEST_TITLE = 256;

const names = (list: readonly string[]): string => (list.length === 0 ? '–' : list.join(', '));

const EXPERIMENTS: Resource<Experiment> = {
  key: 'experiments',
  one: 'experiment',
  many: 'experiments',
  about: 'An experiment records a machine-learning workflow: data, search stages, models and run history.',
  sortedBy: { key: 'last_updated_at', dir: 'desc' },
  filters: [
    { name: 'type', label: 'Type', options: TYPES },
    { name: 'status', label: 'Status', options: STATUSES },
    { name: 'owner', label: 'Owner' },
  ],
  nameOf: ({ experiment_id }) => experiment_id,
  titleOf: ({ title }) => title,
  versionOf: ({ version }) => version,
  list: createList('listExperiments'),
  async read(id, signal) {
    return (await ml.call('getExperiment', { params: { experiment_id: id } }, { signal })).config;
  },
  columns: [
    { label: 'Title', sort: 'title', cell: ({ title }) => title },
    { label: 'Type', sort: 'type', cell: ({ type }) => TYPES[type] },
    { label: 'Status', sort: 'status', cell: ({ status }) => <Status status={status} /> },
    { label: 'Owner', sort: 'owner', cell: ({ acl }) => acl.owner },
    { label: 'Tags', cell: ({ tags }) => names(tags) },
    { label: 'Models', cell: ({ models }) => models.length },
    { label: 'Changed', sort: 'last_updated_at', cell: ({ last_updated_at }) => <Time at={last_updated_at} /> },
  ],
  facts: (record) => {
    const { experiment_id, type, status, description, tags, models, data_source, schedule } = record;
    return [
      {
        rows: [
          ['Type', TYPES[type]],
          ['Status', <Status key="status" status={status} />],
          ['Description', description],
          ['Tags', names(tags)],
          ['Models', names(models)],
          ['Data', data_source && `${SOURCES[data_source.type]}${rangeOf(data_source)}`],
          ['Schedule', schedule && `${schedule.cron}${schedule.enabled ? '' : ', disabled'}`],
          ['Id', <code key="id">{experiment_id}</code>],
        ],
      },
    ];
  },
  more: (record) => (
    <>
      <Workflow experiment={record} facts={[sharingFacts(record.acl), historyFacts(record)]} />
      <History experiment={record} />
    </>
  ),
  actions: (record) => <Actions experiment={record} />,
  create: {
    operation: 'createExperiment',
    spec: CREATE,
    valuesOf: (record) => ({ ...formValues(record), title: `Copy of ${record.title}`.slice(0, LONGEST_TITLE) }),
    async save(body) {
      return (await ml.call('createExperiment', { body: body as never })).experiment_id;
    },
  },
  edit: {
    operation: 'updateExperiment',
    spec: EDIT,
    valuesOf: formValues,
    save: (body, version, { experiment_id }) =>
      ml.call('updateExperiment', {
        params: { experiment_id },
        body: { ...withoutSchedule(body), version } as never,
      }),
  },
  remove: {
    operation: 'deleteExperiment',
    ask: () => 'Its history and the models named after its id are deleted too. This cannot be undone.',
    choice: 'Keep its models',
    perform: ({ experiment_id, version }, _force, isChosen) =>
      ml.call('deleteExperiment', { params: { experiment_id }, query: { keep_models: isChosen }, ifMatch: version }),
  },
};

function rangeOf({ earliest, latest }: { earliest?: string | number; latest?: string | number }): string {
  if (earliest === undefined && latest === undefined) return '';
  return `, from ${earliest ?? 'the beginning'} until ${latest ?? 'now'}`;
}

/** Times can be numbers; forms have texts. */
function formValues({ data_source, ...record }: Experiment): Body {
  if (!data_source) return record as Body;
  const { earliest, latest } = data_source;
  const text = (time: string | number | undefined) => (time === undefined ? undefined : String(time));
  return { ...record, data_source: { ...data_source, earliest: text(earliest), latest: text(latest) } } as Body;
}

/** An empty schedule is removed. */
function withoutSchedule(body: Body): Body {
  const { cron } = (body.schedule ?? {}) as { cron?: unknown };
  return cron === '' || cron === null ? { ...body, schedule: null } : body;
}

export default function Experiments() {
  return <ResourcePage resource={EXPERIMENTS} />;
}
