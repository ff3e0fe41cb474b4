import type { FormField, FormSpec, Section } from '../../parts/form/spec.ts';
import { SHARING, SHARING_LEFT_OUT } from '../../parts/panel/sharing.tsx';
import { ROLES, SOURCES, STATUSES, TYPES } from './words.tsx';

const TITLE: FormField = { path: 'title', label: 'Title' };

const COMMON: readonly FormField[] = [
  { path: 'description', label: 'Description', area: true },
  { path: 'status', label: 'Status', options: STATUSES, initial: 'draft', help: 'Draft, trained or published' },
  { path: 'tags', label: 'Tags', help: 'Keywords for the search' },
];

const data: Section = {
  title: 'Data',
  fields: [
    { path: 'data_source.type', label: 'Source', options: SOURCES, initial: 'search', help: 'Kind of data' },
    { path: 'data_source.search', label: 'Search', area: true, help: 'SPL that reads the data' },
    {
      path: 'data_source.earliest',
      label: 'From',
      kind: 'text',
      placeholder: '-30d@d',
      help: 'Start of the time range: relative such as -7d@d, epoch seconds or a date',
    },
    {
      path: 'data_source.latest',
      label: 'Until',
      kind: 'text',
      placeholder: 'now',
      help: 'End of the time range, in the same formats',
    },
  ],
};

const stages: Section = {
  fields: [
    {
      path: 'search_stages',
      label: 'Stages',
      help: 'Steps of the workflow, in order',
      entries: {
        one: 'Stage',
        fields: [
          { path: 'role', label: 'Purpose', options: ROLES, initial: 'preprocess' },
          { path: 'search', label: 'SPL', area: true, help: 'Search of this step, or a part of one' },
          { path: 'algorithm', label: 'Algorithm' },
          {
            path: 'model_name',
            label: 'Model',
            help: 'Model to write or read; prefix app: for a shared one',
          },
          {
            path: 'fields',
            label: 'Fields',
            help: 'JSON: a list of names, or names by purpose',
          },
          { path: 'parameters', label: 'Parameters', help: 'JSON object' },
        ],
      },
    },
  ],
};

const schedule: Section = {
  title: 'Schedule',
  fields: [
    {
      path: 'schedule.cron',
      label: 'Training schedule',
      required: false,
      placeholder: '0 3 * * *',
      help: 'Cron: minute, hour, day of month, month, day of week. Stored only; the app starts nothing.',
    },
    {
      path: 'schedule.enabled',
      label: 'Schedule enabled',
      showIf: (values) => Boolean(values['schedule.cron']),
    },
  ],
};

const LEFT_OUT = {
  ...SHARING_LEFT_OUT,
  statistics: 'Written through the API by training searches',
};

export const CREATE: FormSpec = {
  sections: [
    { fields: [TITLE, { path: 'type', label: 'Type', options: TYPES, help: 'Cannot be changed later' }, ...COMMON] },
    data,
    stages,
    schedule,
    SHARING,
  ],
  leftOut: LEFT_OUT,
};

export const EDIT: FormSpec = {
  sections: [{ fields: [{ ...TITLE, required: true }, ...COMMON] }, data, stages, schedule, SHARING],
  leftOut: {
    ...LEFT_OUT,
    experiment_id: 'Identifies the experiment; cannot be changed',
    type: 'Cannot be changed',
    version: 'Sent as read',
  },
};

export const NOTE: FormSpec = {
  sections: [
    { fields: [{ path: 'message', label: 'Note', area: true, required: true, help: 'Notes cannot be changed later' }] },
  ],
  leftOut: {
    action: 'Always a note',
    status: 'Notes have no status',
    sid: 'Written through the API by searches',
    search: 'Written through the API by searches',
    models: 'Written through the API by searches',
    parameters: 'Written through the API by searches',
    statistics: 'Written through the API by searches',
    duration_ms: 'Written through the API by searches',
  },
};

/** @param models control and initial choice of the models */
export const cloneModels = (models: Pick<FormField, 'control' | 'initial'>): FormSpec => ({
  sections: [
    {
      fields: [
        { path: 'models', label: 'Models to clone', required: true, help: 'Choose a name for each copy', ...models },
        {
          path: 'sharing',
          label: 'Sharing of the copies',
          initial: 'user',
          options: { user: 'Only you', app: 'Everyone who can read lookups of the app' },
          help: 'Copies are written with your permissions',
        },
        {
          path: 'overwrite',
          label: 'Overwrite existing models',
          help: 'Otherwise existing names are skipped',
        },
      ],
    },
  ],
  leftOut: {},
  submit: 'Apply',
});
