import type { FormSpec, Place, Section } from '../../parts/form/spec.ts';
import { SHARING, SHARING_LEFT_OUT } from '../../parts/panel/sharing.tsx';
import { counted } from '../../parts/text/number.ts';

/** What the app takes. */
const MOST_BYTES = 31_457_280;

/** What the control for files has for a value. */
export interface ChosenFile {
  file: File;
}

function fileProblem(value: unknown): string | undefined {
  const { file } = (value ?? {}) as Partial<ChosenFile>;
  if (!file) return undefined;
  if (file.size === 0) return 'is empty';
  return file.size > MOST_BYTES ? `has ${counted(file.size)} bytes; ${counted(MOST_BYTES)} are the most` : undefined;
}

export const upload = (control: Place['control']): FormSpec => ({
  sections: [
    {
      places: [
        { path: 'model_file', label: 'File', help: 'An ONNX model, at most 30 MB', control, check: fileProblem },
        { path: 'model_name', label: 'Name', help: 'Letters, digits and _; searches apply the model by it' },
        {
          path: 'features',
          label: 'Features',
          kind: 'text',
          placeholder: 'cpu, memory',
          help: 'The fields that the model is given, with commas between them, in the order of its first input',
        },
        {
          path: 'targets',
          label: 'Targets',
          kind: 'text',
          required: false,
          placeholder: 'load',
          help: 'The fields that it predicts, with commas between them',
        },
        {
          path: 'sharing',
          label: 'Who may use it',
          initial: 'user',
          options: { user: 'Only you', app: 'Everyone who may read lookups of the app' },
          help: 'The file becomes a lookup of the app',
        },
        { path: 'overwrite', label: 'Replace a model of this name', kind: 'switch', help: 'Otherwise it is refused' },
      ],
    },
  ],
  leftOut: { file_name: 'Taken from the file that is chosen' },
});

const NAME: Place = {
  path: 'model_name',
  label: 'Name',
  help: 'Letters, digits and _; searches apply the model by it',
};

const endpoint: Section = {
  title: 'Endpoint',
  places: [
    {
      path: 'endpoint_name',
      label: 'SageMaker endpoint',
      required: true,
      help: 'It has to be in service: AWS is asked before anything is saved',
    },
    {
      path: 'cloud_credentials.region',
      label: 'Region',
      required: true,
      placeholder: 'eu-central-1',
      help: 'Where the endpoint is',
    },
    {
      path: 'cloud_credentials.access_key_id',
      label: 'Access key id',
      help: 'Without keys, those of the machine that runs the app are used',
    },
    { path: 'cloud_credentials.secret_access_key', label: 'Secret access key', help: 'Belongs to the access key id' },
    {
      path: 'cloud_credentials.role_arn',
      label: 'Role',
      placeholder: 'arn:aws:iam::123456789012:role/name',
      help: 'ARN of a role that is assumed before the call',
    },
  ],
};

const maps: Section = {
  title: 'Request and response',
  places: [
    {
      path: 'input_feature_map',
      label: 'Fields of the request',
      whole: true,
      help: 'A field of the search, and where its value goes in the request, such as instances[*].cpu',
    },
    {
      path: 'output_prediction_map',
      label: 'Fields of the response',
      whole: true,
      help: 'Where a value is in the response, such as predictions[*].score, and the field that it goes to',
    },
    { path: 'batch_size', label: 'Rows in one request', help: 'At most so many; 100 unless given' },
    {
      path: 'openapi_spec',
      label: 'OpenAPI document',
      help: 'Of the endpoint, as JSON, with POST /invocations: the fields above are checked against it',
    },
  ],
};

/** No field of the body: it says how the change is saved. */
const saving: Section = {
  title: 'Before it is saved',
  places: [
    {
      path: 'verify',
      label: 'Test the endpoint',
      kind: 'switch',
      help: 'If the test fails, nothing is saved. A new endpoint or new keys are tested in any case.',
    },
  ],
};

export const REGISTER: FormSpec = {
  sections: [{ places: [NAME] }, endpoint, maps, SHARING],
  leftOut: SHARING_LEFT_OUT,
};

export const CHANGE: FormSpec = {
  sections: [endpoint, maps, SHARING, saving],
  leftOut: {
    ...SHARING_LEFT_OUT,
    model_name: 'Says which model is meant; it cannot be changed',
    version: 'Sent as it was read',
  },
};
