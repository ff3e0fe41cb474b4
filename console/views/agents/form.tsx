import type { Agent } from '../../../client/src/index.ts';
import { AGENT_DEFAULTS } from '../../../src/contract/families/agents.ts';
import type { FormField, FormSpec, Section } from '../../parts/form/spec.ts';
import { lazyPart } from '../../parts/lazyPart.tsx';
import { SHARING, SHARING_LEFT_OUT } from '../../parts/panel/sharing.tsx';
import { Loading } from '../../parts/table/States.tsx';
import { APPROVALS, ON_APPROVAL_TIMEOUT, ON_UNAVAILABLE, ON_UNVERIFIED, RUNTIMES } from './words.ts';

// Not needed for the first row.
const ModelPicker = lazyPart(
  async () => ({ default: (await import('./ModelPicker.tsx')).ModelPicker }),
  <Loading what="the models" />,
);
const ToolPicker = lazyPart(
  async () => ({ default: (await import('./ToolPicker.tsx')).ToolPicker }),
  <Loading what="the tools" />,
);

const NAME = {
  path: 'name',
  label: 'Name',
  help: 'Letters, digits and _, starting with a letter; cannot be changed later',
};

const about = [
  { path: 'description', label: 'Description', area: true },
  { path: 'is_enabled', label: 'Enabled', help: 'A disabled agent keeps its runtime' },
] as const;

const prompts: Section = {
  title: 'Prompts',
  fields: [
    { path: 'system_prompt', label: 'System prompt', area: true },
    { path: 'task_prompt', label: 'Task prompt', area: true },
  ],
};

const model: Section = {
  title: 'Model',
  fields: [
    {
      path: 'llm',
      label: 'Language model',
      control: (props) => <ModelPicker {...props} />,
      atomic: true,
    },
  ],
};

const tools: Section = {
  title: 'Tools and knowledge',
  fields: [
    {
      path: 'mcps',
      label: 'Tools',
      help: 'Choose MCP connections and their tools',
      control: (props) => <ToolPicker {...props} />,
    },
    {
      path: 'knowledge_bases',
      label: 'Knowledge bases',
      help: 'Vector stores to search',
      from: 'vector stores',
    },
    {
      path: 'search_tools',
      label: 'Search tools',
      help: 'Searches of Splunk: spl, indexes, sourcetypes, fields, lookups, data_models, saved_searches, or published ones',
      from: 'search tools',
    },
  ],
};

const runs: Section = {
  title: 'Runs',
  fields: [
    { path: 'agent_timeout', label: 'Run timeout in seconds', help: '1 to 3600' },
    { path: 'max_steps', label: 'Max requests to the model', help: '1 to 100' },
    { path: 'max_tokens_per_run', label: 'Max tokens', help: 'Input and output of one run; leave empty for no limit' },
    {
      path: 'approve_tools',
      label: 'Tool calls to approve',
      options: APPROVALS,
      initial: AGENT_DEFAULTS.approve_tools,
      help: 'A run waits until a person has approved them',
    },
    {
      path: 'approve_tools_named',
      label: 'Always approve',
      help: 'Names of further tools, such as connection__tool',
    },
    {
      path: 'approval_timeout_s',
      label: 'Approval timeout in seconds',
      help: '0 for none, to 604800',
    },
    {
      path: 'on_approval_timeout',
      label: 'After the approval timeout',
      options: ON_APPROVAL_TIMEOUT,
      initial: AGENT_DEFAULTS.on_approval_timeout,
    },
    {
      path: 'on_unavailable',
      label: 'When tools are unavailable',
      options: ON_UNAVAILABLE,
      initial: AGENT_DEFAULTS.on_unavailable,
    },
  ],
};

const answers: Section = {
  title: 'Answers',
  fields: [
    {
      path: 'output_schema',
      label: 'Schema of the answer',
      help: 'JSON schema of an object; leave empty for text',
    },
    {
      path: 'check_evidence',
      label: 'Check evidence',
      help: "Looks up addresses, names, times and numbers of the answer in the run's data; not set: for agents with tools",
    },
    {
      path: 'on_unverified',
      label: 'When values are not found there',
      options: ON_UNVERIFIED,
      initial: AGENT_DEFAULTS.on_unverified,
    },
  ],
};

const RUNTIME_TYPE: FormField = {
  path: 'runtime_type',
  label: 'Runtime',
  options: RUNTIMES,
  initial: AGENT_DEFAULTS.runtime_type,
  help: 'What runs the agent; cannot be changed later',
};
const CONTAINER: FormField = {
  path: 'runtime.container',
  label: 'Container',
  help: 'Model of the container; it has to run when the agent does',
  required: true,
};

const FORM = [prompts, model, tools, runs, answers, SHARING];

export const CREATE: FormSpec = {
  sections: [
    {
      fields: [
        NAME,
        ...about,
        RUNTIME_TYPE,
        { ...CONTAINER, showIf: ({ runtime_type }) => runtime_type === 'CONTAINER' },
      ],
    },
    ...FORM,
  ],
  leftOut: SHARING_LEFT_OUT,
};

export const EDIT: FormSpec = {
  sections: [{ fields: [...about, CONTAINER] }, ...FORM],
  leftOut: {
    ...SHARING_LEFT_OUT,
    name: 'Identifies the agent; cannot be changed',
    runtime_type: 'Cannot be changed',
    version: 'Sent as read',
  },
};

const WITHOUT_CONTAINER: FormSpec = { ...EDIT, sections: [{ fields: about }, ...FORM] };

export const editOf = ({ runtime_type }: Pick<Agent, 'runtime_type'>): FormSpec =>
  runtime_type === 'CONTAINER' ? EDIT : WITHOUT_CONTAINER;
