import { type Static, Type } from 'typebox';
import { Flag, LONGEST_TEXT, NOT_A_STRING } from '../../../contract/schemas/common.ts';
import { ContainerModel } from '../../../contract/schemas/containerModel.ts';
import { named } from '../../../contract/schemas/named.ts';
import { PROTOCOL_NAMES } from '../../../predictions/containers/registry.ts';
import { CONTAINER_TYPES, ENGINE_KINDS } from '../engines/registry.ts';
import { SPEC_FIELDS } from '../engines/startFields.ts';
import { MODES, RUNTIME_NAMES, START_DEFAULTS } from './start/startDefaults.ts';

export const Model = ContainerModel('Name of the model that the container serves, compared without regard to case');

export const ModelParams = Type.Object({ model_name: Model });
export const ModelQuery = Type.Object({ model: Type.Optional(Model) });
export const ModelInput = named(
  'ContainerStop',
  Type.Object({ model: Model }, { description: 'Which container to stop' }),
);

/** '' and null mean the default. */
export const Text = (description: string, more: object = {}) =>
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

const IMAGE = 'Key of the image in the catalog';
const THRESHOLD = 'CPU utilization in percent at which replicas are added';

const Amount = (name: keyof typeof START_DEFAULTS, form: object, description: string) =>
  Text(description, { ...form, default: START_DEFAULTS[name] });

const CLUSTER = 'Engine of the container';
const MODE = 'DEV: exposes the API and the tools (Jupyter, TensorBoard, MLflow, Spark). PROD: exposes only the API.';
const RUNTIME = 'Container runtime: nvidia for GPU access, or None';
const MIN_CPU = 'CPU request in millicores, such as 500m';
const MAX_CPU = 'CPU limit in millicores';
const MIN_MEMORY = 'Memory request, such as 512Mi or 4Gi';
const MAX_MEMORY = 'Memory limit, such as 512Mi or 4Gi';

export const StartInput = named(
  'ContainerStart',
  Type.Object(
    {
      image: Type.String({ minLength: 1, maxLength: 256, description: IMAGE, 'x-trim': true }),
      model: Model,
      cluster: Choice('cluster', CONTAINER_TYPES, CLUSTER),
      connection_name: Text('Connection to the engine; required if there are several'),
      mode: Choice('mode', MODES, MODE),
      runtime: Choice('runtime', RUNTIME_NAMES, `${RUNTIME}; the catalog lists those of the image`),
      hpa_enabled: Choice(
        'hpa_enabled',
        ['0', '1', 'true', 'false'],
        `Whether to scale replicas by CPU utilization; only for ${SCALING.join(' and ')}`,
        {
          'x-fold': true,
          'x-message': "must be '0', '1', 'true' or 'false'",
          'x-narrows': Flag,
        },
      ),
      min_cpu: Amount('min_cpu', CPU, MIN_CPU),
      max_cpu: Amount('max_cpu', CPU, `${MAX_CPU}; not less than min_cpu`),
      min_memory: Amount('min_memory', MEMORY, MIN_MEMORY),
      max_memory: Amount('max_memory', MEMORY, `${MAX_MEMORY}; not less than min_memory`),
      min_replicas: Amount(
        'min_replicas',
        TO_100,
        'Fewest replicas, 1 to 100; without hpa_enabled, how many there are',
      ),
      max_replicas: Amount(
        'max_replicas',
        TO_100,
        'Most replicas, 1 to 100, not less than min_replicas; needed with hpa_enabled',
      ),
      cpu_threshold_percent: Text(`${THRESHOLD}, 1 to 100; needed with hpa_enabled`, TO_100),
    },
    { description: 'A container to start. All values are texts; an empty one asks for the default.' },
  ),
);
export type StartInput = Static<typeof StartInput>;

const STATUS =
  'Waiting for Url to start; Active: the application answers; Unreachable: it no longer does; Failed: the engine says so; Stopped: the container is gone or has ended';

/** Fields of a container in replies. All values are strings; '' if missing. */
const TEXTS = {
  id: 'Id that the engine gave it; empty while there is none',
  model: 'Name of the model that it serves',
  mode: MODE,
  cluster: CLUSTER,
  api_url: 'Address of the API, as the platform reaches it; empty while there is none',
  api_url_external: 'Address of the API, as browsers reach it; empty while there is none',
  jupyter_url: 'Address of Jupyter; empty unless published',
  tensorboard_url: 'Address of TensorBoard; empty unless published',
  mlflow_url: 'Address of MLflow; empty unless published',
  spark_url: 'Address of Spark; empty unless published',
  status: STATUS,
  min_cpu: MIN_CPU,
  max_cpu: MAX_CPU,
  min_memory: MIN_MEMORY,
  max_memory: MAX_MEMORY,
  min_replicas: 'Fewest replicas',
  max_replicas: 'Most replicas',
  cpu_threshold_percent: `${THRESHOLD}; empty unless they do`,
  hpa_enabled: 'Whether replicas follow the use of CPU: 0 or 1',
  status_reason: 'Why it has this status, for programs, such as pulling or oom_killed; empty when all is well',
  status_message: 'Why it has this status, for a person; empty when all is well',
  status_since: 'Since when it has this status: ISO 8601, UTC',
  probe_error:
    'Why the last call to the application failed, such as timeout, refused or token_rejected; empty if it did not',
  restarts: 'How often the engine has restarted it',
  remedy: 'What a person can do about status_reason; empty where nothing is to be done',
  image: IMAGE,
  image_reference: 'Reference of the image that was started',
  protocol: `How the application speaks: ${PROTOCOL_NAMES.join(', ')}; auto until it has answered`,
  api_port: 'Port of the API inside the container',
  https: 'Whether the application speaks https: true, false, or empty if the connection says it',
  runtime: RUNTIME,
  connection_name: 'Name of the connection that it runs through',
  container_name: 'Name of the container or deployment on the engine',
} as const;
type TextName = keyof typeof TEXTS;

const texts = <K extends TextName>(...names: K[]) =>
  Object.fromEntries(names.map((name) => [name, Type.String({ description: TEXTS[name] })])) as Record<
    K,
    ReturnType<typeof Type.String>
  >;

const URLS = ['api_url', 'api_url_external', 'jupyter_url', 'tensorboard_url', 'mlflow_url', 'spark_url'] as const;

export const RuntimeRecord = named(
  'Container',
  Type.Object(
    texts(
      'id',
      'cluster',
      ...URLS,
      'status',
      ...SPEC_FIELDS,
      'status_reason',
      'status_message',
      'status_since',
      'probe_error',
      'restarts',
      'remedy',
      'connection_name',
      'container_name',
    ) as Record<string, ReturnType<typeof Type.String>>,
    { description: 'What is known of the container of a model. All values are texts.' },
  ),
);

export const StartedConfig = named(
  'StartedContainer',
  Type.Object(
    texts(
      'id',
      ...URLS,
      'status',
      'status_reason',
      'status_message',
      'cluster',
      'mode',
      'model',
      'connection_name',
      'container_name',
    ) as Record<string, ReturnType<typeof Type.String>>,
    { description: 'A container that has been started; its application may not answer yet. All values are texts.' },
  ),
);

const CatalogueImage = named(
  'ContainerImage',
  Type.Object(
    {
      label: Type.String({ description: 'What a form calls the image' }),
      image: Type.String({ description: 'Reference of the image: repository, name and tag' }),
    },
    { description: 'An image that containers can be started from' },
  ),
);

export const Catalog = named(
  'ImageCatalogue',
  Type.Record(Type.String(), CatalogueImage, {
    description: 'Key of an image -> what it is called and where it is from',
  }),
);

export const LoggingContainer = named(
  'LoggingContainer',
  Type.Object(texts('model', 'id', 'cluster', 'status'), { description: 'A container whose log can be read' }),
);

export const Stopped = named(
  'ContainerStopped',
  Type.Object(
    {
      model: Type.String({ description: TEXTS.model }),
      cluster: Type.String({ description: CLUSTER }),
      previous_status: Type.String({ description: 'Status that it had when it was stopped' }),
    },
    { description: 'A container that was stopped' },
  ),
);
