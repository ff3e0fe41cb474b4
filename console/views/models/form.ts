import type { FormField, FormSpec, Section } from '../../parts/form/spec.ts';
import { SHARING, SHARING_LEFT_OUT } from '../../parts/panel/sharing.tsx';
import { formatCount } from '../../parts/text/format.ts';

/** The limit of the app. */
const MOST_BYTES = 31_457_280;

/** The value of the file control. */
export interface ChosenFile {
  file: File;
}

function fileProblem(value: unknown): string | undefined {
  const { file } = (value ?? {}) as Partial<ChosenFile>;
  if (!file) return undefined;
  if (file.size === 0) return 'is empty';
  return file.size > MOST_BYTES
    ? `has ${formatCount(file.size)} bytes; ${formatCount(MOST_BYTES)} are the most`
    : undefined;
}

export const upload = (control: FormField['control']): FormSpec => ({
  sections: [
    {
      fields: [
        { path: 'model_file', label: 'File', help: 'An ONNX model, at most 30 MB', control, check: fileProblem },
        { path: 'model_name', label: 'Name', help: 'Letters, digits and _' },
        {
          path: 'features',
          label: 'Features',
          kind: 'text',
          placeholder: 'cpu, memory',
          help: 'Comma-separated fields, in the order of the first input',
        },
        {
          path: 'targets',
          label: 'Targets',
          kind: 'text',
          required: false,
          placeholder: 'load',
          help: 'Comma-separated predicted fields',
        },
        {
          path: 'sharing',
          label: 'Who may use it',
          initial: 'user',
          options: { user: 'Only you', app: 'Everyone who can read lookups of the app' },
          help: 'The file becomes a lookup of the app',
        },
        {
          path: 'overwrite',
          label: 'Overwrite an existing model',
          kind: 'switch',
          help: 'Otherwise an existing name is refused',
        },
      ],
    },
  ],
  leftOut: { file_name: 'Taken from the chosen file' },
});

const NAME: FormField = {
  path: 'model_name',
  label: 'Name',
  help: 'Letters, digits and _',
};

const endpoint: Section = {
  title: 'Endpoint',
  fields: [
    {
      path: 'endpoint_name',
      label: 'SageMaker endpoint',
      required: true,
      help: 'Must be in service; checked before saving',
    },
    {
      path: 'cloud_credentials.region',
      label: 'Region',
      required: true,
      placeholder: 'eu-central-1',
      help: 'AWS region of the endpoint',
    },
    {
      path: 'cloud_credentials.access_key_id',
      label: 'Access key id',
      help: 'Leave empty to use the role of the machine',
    },
    { path: 'cloud_credentials.secret_access_key', label: 'Secret access key', help: 'Required with an access key id' },
    {
      path: 'cloud_credentials.role_arn',
      label: 'Role',
      placeholder: 'arn:aws:iam::123456789012:role/name',
      help: 'ARN of the role to assume',
    },
  ],
};

const maps: Section = {
  title: 'Request and response',
  fields: [
    {
      path: 'input_feature_map',
      label: 'Request mapping',
      atomic: true,
      help: 'Search field to path in the request, such as instances[*].cpu',
    },
    {
      path: 'output_prediction_map',
      label: 'Response mapping',
      atomic: true,
      help: 'Path in the response, such as predictions[*].score, to search field',
    },
    { path: 'batch_size', label: 'Batch size', help: 'Maximum rows per request; default 100' },
    {
      path: 'openapi_spec',
      label: 'OpenAPI document',
      help: 'JSON document with POST /invocations; the mappings are checked against it',
    },
  ],
};

/** A query parameter, not a field of the body. */
const saving: Section = {
  title: 'Before saving',
  fields: [
    {
      path: 'verify',
      label: 'Test the endpoint',
      kind: 'switch',
      help: 'If the test fails, nothing is saved. New endpoints and keys are always tested.',
    },
  ],
};

export const REGISTER: FormSpec = {
  sections: [{ fields: [NAME] }, endpoint, maps, SHARING],
  leftOut: SHARING_LEFT_OUT,
};

export const CHANGE: FormSpec = {
  sections: [endpoint, maps, SHARING, saving],
  leftOut: {
    ...SHARING_LEFT_OUT,
    model_name: 'Identifies the model; cannot be changed',
    version: 'Sent as read',
  },
};
