import { type Static, type TProperties, Type } from 'typebox';
import { LastTest, LONGEST_TEXT, Metadata, Name, NOT_A_STRING } from '../../contract/common.ts';
import { named } from '../../contract/named.ts';
import type { OpenField } from './engines/fields.ts';
import { CONTAINER_TYPES, ENGINE_KINDS, openFields, secretFields } from './engines/registry.ts';
import { MODES, RUNTIME_NAMES, START_DEFAULTS } from './runtime/startDefaults.ts';

/** What a field of a connection takes: a text; null and '' unset. Numbers and booleans are taken for what they read as. */
const Value = (description: string, secret = false) =>
  Type.Optional(
    Type.Unsafe<string>({
      type: ['string', 'null'],
      maxLength: LONGEST_TEXT,
      description,
      'x-text': true,
      'x-message': NOT_A_STRING,
      ...(secret ? { 'x-secret': true } : {}),
    }),
  );

/** Name -> description. */
const OPEN = Object.fromEntries(
  Object.entries(openFields(ENGINE_KINDS)).map(([name, { about }]) => [name, about]),
) as Record<OpenField, string>;
const SECRETS = secretFields(ENGINE_KINDS);

type ValueSchema = ReturnType<typeof Value>;

function values<K extends string>(fields: Readonly<Record<K, string>>, secret = false): Record<K, ValueSchema> {
  const entries = Object.entries<string>(fields).map(([name, description]) => [name, Value(description, secret)]);
  return Object.fromEntries(entries) as Record<K, ValueSchema>;
}

export const ContainerType = named(
  'ContainerType',
  Type.Enum([...CONTAINER_TYPES], { description: CONTAINER_TYPES.join(' or ') }),
);

/** The body of a save and of a test: what is absent stays (with is_edit) or gets its default. */
export const ConnectionInput = named(
  'ContainerConnectionInput',
  Type.Object({
    container_type: ContainerType,
    connection_name: Name,
    is_edit: Value("'true' changes the connection of this name; never stored"),
    version: Type.Optional(
      Type.Union([Type.Integer({ minimum: 1 }), Type.String({ maxLength: 15, pattern: '^[1-9][0-9]{0,14}$' })], {
        description: 'Condition: the version that this change is based on.',
        'x-message': 'must be a whole number, at least 1',
      }),
    ),
    ...values(OPEN),
    ...values(SECRETS, true),
  }),
);
export type ConnectionInput = Static<typeof ConnectionInput>;

const Shown = <K extends string>(fields: Readonly<Record<K, string>>, more = '') =>
  Object.fromEntries(
    Object.entries<string>(fields).map(([name, text]) => [
      name,
      Type.Optional(Type.String({ description: text + more })),
    ]),
  ) as Record<K, ReturnType<typeof Type.Optional<ReturnType<typeof Type.String>>>>;

export const ConnectionRecord = named(
  'ContainerConnection',
  Type.Object({
    container_type: ContainerType,
    connection_name: Type.String(),
    ...Shown(OPEN),
    ...Shown(SECRETS, '; ***MASKED*** when one is stored'),
    ...Metadata,
    last_test: Type.Optional(LastTest),
  }),
);
export type ConnectionRecord = Static<typeof ConnectionRecord>;

export const TypeParams = Type.Object({ container_type: ContainerType });
export const ConnectionParams = Type.Object({ container_type: ContainerType, connection_name: Name });

export const TestedConnection = named(
  'TestedContainerConnection',
  Type.Object({
    container_type: ContainerType,
    connection_name: Type.String(),
    last_test: Type.Union([LastTest, Type.Null()]),
  }),
);

const Model = Type.String({
  maxLength: 63,
  pattern: '^[A-Za-z0-9_][A-Za-z0-9_.\\-]{0,62}$',
  description: 'Name of the model',
  'x-trim': true,
  'x-message': 'must be 1 to 63 characters: first a letter (A-Z, a-z), digit or _, then letters, digits and _ . -',
});

export const ModelParams = Type.Object({ model_name: Model });
export const ModelQuery = Type.Object({ model: Type.Optional(Model) });
export const ModelInput = named('ContainerStop', Type.Object({ model: Model }));

/** A field of a start or of a log request: '' asks for the default, as null does. */
const Text = (description: string, more: object = {}) =>
  Type.Optional(
    Type.String({
      maxLength: LONGEST_TEXT,
      description,
      'x-text': true,
      'x-trim': true,
      'x-message': NOT_A_STRING,
      ...more,
    }),
  );

const Choice = (name: keyof typeof START_DEFAULTS, values: readonly string[], description: string, more: object = {}) =>
  Type.Optional(
    Type.Unsafe<string>({
      type: 'string',
      enum: ['', ...values],
      default: START_DEFAULTS[name],
      description,
      'x-text': true,
      'x-trim': true,
      'x-message': `must be one of ${values.join(', ')}`,
      ...more,
    }),
  );

const SCALING = CONTAINER_TYPES.filter((type) => ENGINE_KINDS[type].autoscales);

const matching = (pattern: string, maxLength: number, message: string) => ({
  pattern: `^(${pattern})?$`,
  maxLength,
  'x-message': message,
});
const CPU = matching('0*[1-9][0-9]*m', 10, 'must be thousandths of a CPU, such as 500m');
const MEMORY = matching('0*[1-9][0-9]*(Mi|Gi)', 11, 'must be a quantity such as 512Mi or 4Gi');
const TO_100 = matching('0*[1-9][0-9]?|100', 3, 'must be a whole number, 1 to 100');

const Amount = (name: keyof typeof START_DEFAULTS, form: object, description: string) =>
  Text(description, { ...form, default: START_DEFAULTS[name] });

export const StartInput = named(
  'ContainerStart',
  Type.Object({
    image: Type.String({ minLength: 1, maxLength: 256, description: 'Key of the image catalog', 'x-trim': true }),
    model: Model,
    cluster: Choice('cluster', CONTAINER_TYPES, 'Where it runs'),
    connection_name: Text('Needed when the type has several connections'),
    mode: Choice('mode', MODES, 'DEV: API and tools; PROD: only the API'),
    runtime: Choice('runtime', RUNTIME_NAMES, 'If the image allows it'),
    hpa_enabled: Choice(
      'hpa_enabled',
      ['0', '1', 'true', 'false'],
      `Scale by CPU use; for ${SCALING.join(' and ')} only`,
      {
        'x-fold': true,
        'x-message': "must be '0', '1', 'true' or 'false'",
      },
    ),
    min_cpu: Amount('min_cpu', CPU, 'Thousandths of a CPU, such as 500m'),
    max_cpu: Amount('max_cpu', CPU, 'Thousandths of a CPU; not less than min_cpu'),
    min_memory: Amount('min_memory', MEMORY, 'Memory, such as 512Mi or 4Gi'),
    max_memory: Amount('max_memory', MEMORY, 'Memory; not less than min_memory'),
    min_replicas: Amount('min_replicas', TO_100, '1 to 100'),
    max_replicas: Amount('max_replicas', TO_100, '1 to 100, not less than min_replicas; needed with hpa_enabled'),
    cpu_threshold_percent: Text('1 to 100; needed with hpa_enabled', TO_100),
  }),
);
export type StartInput = Static<typeof StartInput>;

const texts = (...names: string[]) => Object.fromEntries(names.map((name) => [name, Type.String()])) as TProperties;

/** All values are texts; '' where there is none. */
export const RuntimeRecord = named(
  'Container',
  Type.Object(
    texts(
      'id',
      'mode',
      'cluster',
      'api_url',
      'api_url_external',
      'jupyter_url',
      'tensorboard_url',
      'mlflow_url',
      'spark_url',
      'status',
      'min_cpu',
      'max_cpu',
      'min_memory',
      'max_memory',
      'min_replicas',
      'max_replicas',
      'cpu_threshold_percent',
      'hpa_enabled',
      'status_reason',
      'status_message',
      'status_since',
      'probe_error',
      'restarts',
      'image',
      'image_reference',
      'runtime',
      'connection_name',
      'container_name',
    ) as Record<string, ReturnType<typeof Type.String>>,
  ),
);

export const StartedConfig = named(
  'StartedContainer',
  Type.Object(
    texts(
      'id',
      'api_url',
      'api_url_external',
      'jupyter_url',
      'tensorboard_url',
      'mlflow_url',
      'spark_url',
      'status',
      'status_reason',
      'status_message',
      'cluster',
      'mode',
      'model',
      'connection_name',
      'container_name',
    ) as Record<string, ReturnType<typeof Type.String>>,
  ),
);

const CatalogueImage = named('ContainerImage', Type.Object({ label: Type.String(), image: Type.String() }));

export const Catalog = Type.Record(Type.String(), CatalogueImage, {
  description: 'Image key -> display text and image reference',
});

export const LogsInput = named(
  'ContainerLogsQuery',
  Type.Object({
    model: Model,
    tail: Text('1 to 10000 lines across all replicas; default 1000'),
    since: Text('ISO 8601 time (inclusive), or how many whole seconds to go back'),
    previous: Text("'true': the instance before the last crash"),
  }),
);
export type LogsInput = Static<typeof LogsInput>;

export const LogsQuery = Type.Object({
  model: Type.Optional(Model),
  tail: Type.Optional(Type.String()),
  since: Type.Optional(Type.String()),
  previous: Type.Optional(Type.String()),
});

export const LogEntries = named(
  'ContainerLogs',
  Type.Object({
    entries: Type.Array(
      Type.Object({
        _time: Type.String({ description: "UTC with milliseconds, from the engine's own timestamp" }),
        log: Type.String(),
      }),
    ),
  }),
);

export const Stopped = named(
  'ContainerStopped',
  Type.Object({
    model: Type.String(),
    cluster: Type.String(),
    previous_status: Type.String(),
  }),
);
