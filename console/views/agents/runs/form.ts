import type { Run, RunRequest } from '../../../../client/src/index.ts';
import { FIELDS } from '../../../generated/fields.ts';
import type { FormSpec } from '../../../parts/form/spec.ts';
import { isObject } from '../../../parts/form/values.ts';
import type { Body } from '../../../parts/panel/resource.ts';

const paths = (FIELDS.startRun ?? []).map(({ path }) => path);
const definition = paths.filter((path) => path.startsWith('definition.'));
const alert = paths.filter((path) => path.startsWith('alert.'));

/** `format` is not sent: it says how the input is read. */
export const RUN: FormSpec = {
  sections: [
    {
      fields: [
        { path: 'input', label: 'Input', kind: 'text', area: true, help: 'The question or task', required: true },
        {
          path: 'format',
          label: 'Send as',
          kind: 'choice',
          options: { text: 'Text', json: 'JSON object' },
          initial: 'text',
          required: true,
        },
        {
          path: 'session_id',
          label: 'Session',
          help: 'Earlier runs of this agent in the same session come before the input',
        },
      ],
    },
  ],
  leftOut: {
    agent: 'the agent whose panel is open',
    worker: 'a search takes the steps of saved agents',
    wait_s: 'the page reads the run while it goes on',
    ...Object.fromEntries(definition.map((path) => [path, 'only saved agents are run here'])),
    ...Object.fromEntries(alert.map((path) => [path, 'the alert action hands over rows'])),
  },
  submit: 'Run',
};

/** The values of the form for another run like this one. */
export const valuesOfRun = ({ input, session_id }: Run): Body => ({
  input: typeof input === 'string' ? input : JSON.stringify(input, null, 2),
  format: typeof input === 'string' ? 'text' : 'json',
  session_id,
});

/** @throws Error for an input that is no object although it should be */
export function runBody(agent: string, { input, format, session_id }: Body): RunRequest {
  const session = typeof session_id === 'string' ? { session_id } : {};
  const text = String(input);
  return { agent, input: format === 'json' ? objectOf(text) : text, ...session, wait_s: 0 };
}

function objectOf(text: string): Exclude<RunRequest['input'], string> {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value as Exclude<RunRequest['input'], string>;
  } catch {
    // Reported below.
  }
  throw new Error('The input is not a JSON object. Correct it, or send it as text.');
}
