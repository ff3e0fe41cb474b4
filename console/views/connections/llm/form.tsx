import type { FieldFacts, Values } from '../../../parts/form/facts.ts';
import type { FormSpec, NoteProps, Place, Section } from '../../../parts/form/spec.ts';
import { EXISTS, ExistingConnection, SharedSettings } from './notes.tsx';
import { asked } from './perform.ts';
import { Refresh } from './Refresh.tsx';
import { type Catalogue, type CatalogueService, type Configuration, secretPaths } from './record.ts';

type CatalogueField = CatalogueService['fields'][string];

const KINDS = { string: 'text', text: 'text', integer: 'integer', number: 'number', boolean: 'switch' } as const;

const SETTINGS = 'servicesettings';
const OF_MODEL = 'modelsettings';

const sentence = ({ description, default: usual, required, secret }: CatalogueField): string => {
  if (usual !== null && typeof usual !== 'boolean') return `${description}; default ${usual}`;
  return required && secret ? `${description}. Required before use` : description;
};

function placeOf(group: string, name: string, field: CatalogueField): Place {
  const { label, type, required, secret, default: usual } = field;
  return {
    path: `${group}.${name}.value`,
    label,
    help: sentence(field),
    // It may be saved before somebody has the key.
    required: required && !secret && usual === null,
    ...(typeof usual === 'string' ? { placeholder: usual } : {}),
    ...(type === 'text' ? { area: true as const } : {}),
  };
}

const factOf = (group: string, name: string, field: CatalogueField): FieldFacts => ({
  path: `${group}.${name}.value`,
  kind: KINDS[field.type],
  nullable: true,
  min: field.minimum,
  max: field.maximum,
  ...(field.secret ? { secret: true } : {}),
  ...(typeof field.default === 'boolean' ? { default: field.default } : {}),
});

/** What the catalogue knows of the fields; services that share one agree on what it takes. */
const factsOf = ({ services }: Catalogue): FieldFacts[] =>
  Object.values(services).flatMap(({ fields, model_fields }) => [
    ...Object.entries(fields).map(([name, field]) => factOf(SETTINGS, name, field)),
    ...Object.entries(model_fields).map(([name, field]) => factOf(OF_MODEL, name, field)),
  ]);

const placesIn = (group: string, fields: CatalogueService['fields']): Place[] =>
  Object.entries(fields).map(([name, field]) => placeOf(group, name, field));

const DRAFTS: Section = {
  title: 'Drafts',
  places: [
    {
      path: 'is_model_saved',
      label: 'This model is ready for use',
      help: 'Otherwise it is a draft and cannot be chosen',
    },
    {
      path: 'is_saved',
      label: 'The connection is ready for use',
      help: 'Otherwise it is a draft and its models cannot be chosen',
    },
  ],
};

const VERSION_LEFT_OUT = { version: 'Sent as read' };

const isNewConnection = (values: Values) => values[EXISTS] !== true;

/** Services in the words of people. */
export const serviceNames = ({ services }: Catalogue): Record<string, string> =>
  Object.fromEntries(Object.entries(services).map(([service, { display_name }]) => [service, display_name]));

/** A new model, of a new connection or of one that is there already. */
export function createSpec(catalogue: Catalogue): FormSpec {
  const first: Section = {
    places: [
      { path: 'service', label: 'Service', options: serviceNames(catalogue), help: 'Provider of the models' },
      {
        path: 'connection_name',
        label: 'Connection',
        help: 'Any name. Models of one connection share its address and key.',
      },
    ],
    note: ({ values, put }) => <ExistingConnection values={values} put={put} />,
  };
  const services = Object.entries(catalogue.services).flatMap(([service, { fields, model_fields, models }]) => [
    {
      title: 'Settings of the connection',
      showIf: (values: Values) => values.service === service && isNewConnection(values),
      places: placesIn(SETTINGS, fields),
    },
    {
      title: 'Model',
      showIf: (values: Values) => values.service === service,
      note: ({ bodyNow }: NoteProps) => <Refresh key={service} target={(signal) => asked(bodyNow(), signal)} />,
      places: [
        {
          path: 'model',
          label: 'Model',
          help: 'Model name at the provider; for Azure, the deployment name',
          suggestions: models.map(({ id }) => id),
        },
        ...placesIn(OF_MODEL, model_fields),
      ],
    },
  ]);
  return {
    sections: [first, ...services, { ...DRAFTS, showIf: ({ service }) => service !== undefined }],
    facts: factsOf(catalogue),
    leftOut: VERSION_LEFT_OUT,
  };
}

/** A change of one model and of what it shares with the others of its connection. */
export function editSpec(catalogue: Catalogue, record: Configuration): FormSpec {
  const { fields, model_fields } = catalogue.services[record.service];
  const declared = placesIn(SETTINGS, fields);
  // Secrets of settings that nobody has declared: they have to be typed in again for another address, so they need a place.
  const further = secretPaths(record.servicesettings, SETTINGS)
    .filter((path) => !declared.some((place) => place.path === path))
    .map((path): Place => ({ path, label: path.slice(SETTINGS.length + 1), help: 'Custom secret' }));
  const shared: Section = {
    title: 'Settings of the connection',
    note: () => <SharedSettings record={record} />,
    places: [...declared, ...further],
  };
  return {
    sections: [{ title: 'Model', places: placesIn(OF_MODEL, model_fields) }, shared, DRAFTS],
    facts: [
      ...factsOf(catalogue),
      ...further.map(({ path }): FieldFacts => ({ path, kind: 'text', secret: true, nullable: true })),
    ],
    leftOut: {
      ...VERSION_LEFT_OUT,
      service: 'Identifies the configuration; cannot be changed',
      connection_name: 'Identifies the configuration; cannot be changed',
      model: 'Identifies the configuration; "Add model" adds another',
    },
  };
}

/** What applies where nothing is stored, in fields that cannot be empty. */
export function withUsual(catalogue: Catalogue, record: Configuration): object {
  const settings: Record<string, unknown> = { ...record.servicesettings };
  for (const [name, { default: usual }] of Object.entries(catalogue.services[record.service].fields)) {
    const stored = settings[name] as { value?: unknown } | null | undefined;
    if (typeof usual === 'boolean' && typeof stored?.value !== 'boolean') settings[name] = { ...stored, value: usual };
  }
  return { ...record, servicesettings: settings };
}

export const TEST_OPTIONS: readonly Place[] = [
  {
    path: 'probe',
    label: 'Test method',
    initial: 'chat',
    options: { chat: 'Chat: ask the model for a few words', list: 'List: ask for the list of models, free of charge' },
    help: 'A chat may cost a few tokens',
  },
];
