import type { FormSpec, Place, Section } from '../../parts/form/spec.ts';
import { SHARING, SHARING_LEFT_OUT } from '../../parts/panel/sharing.tsx';
import { ROLES, SOURCES, STATUSES, TYPES } from './words.tsx';

const TITLE: Place = { path: 'title', label: 'Title' };

const COMMON: readonly Place[] = [
  { path: 'description', label: 'Description', area: true },
  { path: 'status', label: 'Status', options: STATUSES, initial: 'draft', help: 'How far the experiment is' },
  { path: 'tags', label: 'Tags', help: 'Words to find the experiment by' },
];

const data: Section = {
  title: 'Data',
  places: [
    { path: 'data_source.type', label: 'Source', options: SOURCES, initial: 'search', help: 'What the search reads' },
    { path: 'data_source.search', label: 'Search', area: true, help: 'The search that finds the data, in SPL' },
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
      help: 'End of the time range, in the same words',
    },
  ],
};

const stages: Section = {
  places: [
    {
      path: 'search_stages',
      label: 'Stages',
      help: 'The steps of the workflow, in their order. The platform runs them; the app keeps them.',
      entries: {
        one: 'Stage',
        places: [
          { path: 'role', label: 'Purpose', options: ROLES, initial: 'preprocess' },
          { path: 'search', label: 'SPL', area: true, help: 'The search of this step, or its part of one' },
          { path: 'algorithm', label: 'Algorithm' },
          {
            path: 'model_name',
            label: 'Model',
            help: 'The model that the stage writes or reads; app: before its name stands for a shared one',
          },
          {
            path: 'fields',
            label: 'Fields',
            help: 'As JSON: a list of names, or an object that says which is for what',
          },
          { path: 'parameters', label: 'Parameters', help: 'Of the algorithm, as JSON' },
        ],
      },
    },
  ],
};

const schedule: Section = {
  title: 'Schedule',
  places: [
    {
      path: 'schedule.cron',
      label: 'Train again',
      required: false,
      placeholder: '0 3 * * *',
      help: 'In the five fields of cron: minute, hour, day of the month, month, day of the week. The app keeps it and starts nothing.',
    },
    {
      path: 'schedule.enabled',
      label: 'The schedule is in force',
      showIf: (values) => Boolean(values['schedule.cron']),
    },
  ],
};

const LEFT_OUT = {
  ...SHARING_LEFT_OUT,
  statistics: 'Measured by the searches that train, which write it through the API',
};

export const CREATE: FormSpec = {
  sections: [
    { places: [TITLE, { path: 'type', label: 'Type', options: TYPES, help: 'It cannot be changed later' }, ...COMMON] },
    data,
    stages,
    schedule,
    SHARING,
  ],
  leftOut: LEFT_OUT,
};

export const EDIT: FormSpec = {
  sections: [{ places: [{ ...TITLE, required: true }, ...COMMON] }, data, stages, schedule, SHARING],
  leftOut: {
    ...LEFT_OUT,
    experiment_id: 'Says which experiment is meant; it cannot be changed',
    type: 'Cannot be changed',
    version: 'Sent as it was read',
  },
};

export const NOTE: FormSpec = {
  sections: [
    { places: [{ path: 'message', label: 'Note', area: true, required: true, help: 'Notes cannot be changed later' }] },
  ],
  leftOut: {
    action: 'It is a note',
    status: 'A note neither succeeds nor fails',
    sid: 'Written by what runs the searches',
    search: 'Written by what runs the searches',
    models: 'Written by what trains and applies models',
    parameters: 'Written by what trains and applies models',
    statistics: 'Written by what trains and applies models',
    duration_ms: 'Written by what trains and applies models',
  },
};

/** @param models the control for the models, with those that are chosen at first */
export const cloneModels = (models: Pick<Place, 'control' | 'initial'>): FormSpec => ({
  sections: [
    {
      places: [
        { path: 'models', label: 'Models to clone', required: true, help: 'Each under a name of its own', ...models },
        {
          path: 'sharing',
          label: 'Who may use the copies',
          initial: 'user',
          options: { user: 'Only you', app: 'Everyone who may read lookups of the app' },
          help: 'They are written with your rights',
        },
        {
          path: 'overwrite',
          label: 'Replace models that exist',
          help: 'Otherwise a copy whose name is taken is skipped',
        },
      ],
    },
  ],
  leftOut: {},
  submit: 'Apply',
});
