import type { FieldFacts, Values } from '../../../parts/form/facts.ts';
import type { FormField, FormSpec, NoteProps, Section } from '../../../parts/form/spec.ts';
import { EXISTS, ExistingConnection, Hosting, SharedSettings } from './notes.tsx';
import { requestBody } from './perform.ts';
import { Refresh } from './Refresh.tsx';
import { type Catalogue, type CatalogueService, type Configuration, secretPaths } from './record.ts';

type CatalogueField = CatalogueService['fields'][string];

const KINDS = {
  string: 'text',
  text: 'text',
  integer: 'integer',
  number: 'number',
  boolean: 'switch',
  map: 'map',
} as const;

const SETTINGS = 'servicesettings';
const OF_MODEL = 'modelsettings';

const sentence = ({ description, default: defaultValue, required, required_at, required_without, secret }: Shape) => {
  if (defaultValue !== null && typeof defaultValue !== 'boolean') return `${description}; default ${defaultValue}`;
  const place = required_at === undefined ? '' : ` at ${required_at}`;
  const without = required_without === undefined ? '' : ' without OAuth client credentials';
  return required && secret ? `${description}. Required before use${place}${without}` : description;
};

/** A setting, or one member of a setting that is an object. */
type Shape = Omit<CatalogueField, 'type' | 'fields'> & { type: keyof typeof KINDS };

/** Paths of the values of a setting, with what each takes. Members of an object need not be there. */
const valuesOf = (group: string, name: string, field: CatalogueField): [string, Shape][] => {
  const path = `${group}.${name}.value`;
  const { fields, type, ...facts } = field;
  if (type !== 'object') return [[path, { ...facts, type }]];
  return Object.entries(fields ?? {}).map(([member, shape]) => [
    `${path}.${member}`,
    { ...shape, label: `${field.label}: ${shape.label.toLowerCase()}`, required: false },
  ]);
};

function createField(path: string, field: Shape): FormField {
  const { label, type, required, secret, default: defaultValue } = field;
  return {
    path,
    label,
    help: sentence(field),
    // The key can be added later.
    required: required && !secret && defaultValue === null,
    ...(typeof defaultValue === 'string' ? { placeholder: defaultValue } : {}),
    ...(type === 'text' ? { area: true as const } : {}),
  };
}

const factOf = ([path, field]: [string, Shape]): FieldFacts => ({
  path,
  kind: KINDS[field.type],
  nullable: true,
  min: field.minimum,
  max: field.maximum,
  ...(field.secret ? { secret: true } : {}),
  ...(typeof field.default === 'boolean' ? { default: field.default } : {}),
});

/** Services that share a field agree on its type. */
const factsOf = ({ services }: Catalogue): FieldFacts[] =>
  Object.values(services).flatMap(({ fields, model_fields }) => [
    ...Object.entries(fields).flatMap(([name, field]) => valuesOf(SETTINGS, name, field).map(factOf)),
    ...Object.entries(model_fields).flatMap(([name, field]) => valuesOf(OF_MODEL, name, field).map(factOf)),
  ]);

const fieldsIn = (group: string, fields: CatalogueService['fields']): FormField[] =>
  Object.entries(fields).flatMap(([name, field]) =>
    valuesOf(group, name, field).map(([path, shape]) => createField(path, shape)),
  );

const DRAFTS: Section = {
  title: 'Drafts',
  fields: [
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

export const serviceNames = ({ services }: Catalogue): Record<string, string> =>
  Object.fromEntries(Object.entries(services).map(([service, { display_name }]) => [service, display_name]));

/** A new model of a new or an existing connection. */
export function createSpec(catalogue: Catalogue): FormSpec {
  const first: Section = {
    fields: [
      { path: 'service', label: 'Service', options: serviceNames(catalogue), help: 'Provider of the models' },
      {
        path: 'connection_name',
        label: 'Connection',
        help: 'Any name. Models of one connection share its address and key.',
      },
    ],
    note: ({ values, put }) => <ExistingConnection values={values} put={put} />,
  };
  const services = Object.entries(catalogue.services).flatMap(
    ([service, { fields, model_fields, models, hosting }]) => [
      {
        title: 'Settings of the connection',
        showIf: (values: Values) => values.service === service && isNewConnection(values),
        ...(hosting === undefined ? {} : { note: () => <Hosting hosting={hosting} /> }),
        fields: fieldsIn(SETTINGS, fields),
      },
      {
        title: 'Model',
        showIf: (values: Values) => values.service === service,
        note: ({ bodyNow }: NoteProps) => <Refresh key={service} target={(signal) => requestBody(bodyNow(), signal)} />,
        fields: [
          {
            path: 'model',
            label: 'Model',
            help: 'Model name at the provider; for Azure, the deployment name',
            suggestions: models.map(({ id }) => id),
          },
          ...fieldsIn(OF_MODEL, model_fields),
        ],
      },
    ],
  );
  return {
    sections: [first, ...services, { ...DRAFTS, showIf: ({ service }) => service !== undefined }],
    facts: factsOf(catalogue),
    leftOut: VERSION_LEFT_OUT,
  };
}

/** A change of a model and of its connection. */
export function editSpec(catalogue: Catalogue, record: Configuration): FormSpec {
  const { fields, model_fields } = catalogue.services[record.service];
  const declared = fieldsIn(SETTINGS, fields);
  // Undeclared secrets need a field, because a new address requires them again.
  const further = secretPaths(record.servicesettings, SETTINGS)
    .filter((path) => !declared.some((field) => path === field.path || path.startsWith(`${field.path}.`)))
    .map((path): FormField => ({ path, label: path.slice(SETTINGS.length + 1), help: 'Custom secret' }));
  const shared: Section = {
    title: 'Settings of the connection',
    note: () => <SharedSettings record={record} />,
    fields: [...declared, ...further],
  };
  return {
    sections: [{ title: 'Model', fields: fieldsIn(OF_MODEL, model_fields) }, shared, DRAFTS],
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

/** Fills defaults into switches, which cannot be empty. */
export function withDefaults(catalogue: Catalogue, record: Configuration): object {
  const settings: Record<string, unknown> = { ...record.servicesettings };
  for (const [name, { default: defaultValue }] of Object.entries(catalogue.services[record.service].fields)) {
    const setting = settings[name] as { value?: unknown } | null | undefined;
    if (typeof defaultValue === 'boolean' && typeof setting?.value !== 'boolean')
      settings[name] = { ...setting, value: defaultValue };
  }
  return { ...record, servicesettings: settings };
}

export const TEST_OPTIONS: readonly FormField[] = [
  {
    path: 'probe',
    label: 'Test method',
    initial: 'chat',
    options: { chat: 'Chat: ask the model for a few words', list: 'List: ask for the list of models, free of charge' },
    help: 'A chat may cost a few tokens',
  },
];
