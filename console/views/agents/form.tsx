import type { FormSpec, Section } from '../../parts/form/spec.ts';
import { SHARING, SHARING_LEFT_OUT } from '../../parts/panel/sharing.tsx';
import { ModelPicker } from './ModelPicker.tsx';
import { ToolPicker } from './ToolPicker.tsx';

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
  ],
};

const runs: Section = {
  title: 'Runs',
  fields: [{ path: 'agent_timeout', label: 'Run timeout in seconds', help: '1 to 3600' }],
};

const LEFT_OUT = { ...SHARING_LEFT_OUT, runtime_type: 'There is only one runtime type' };

export const CREATE: FormSpec = {
  sections: [{ fields: [NAME, ...about] }, prompts, model, tools, runs, SHARING],
  leftOut: LEFT_OUT,
};

export const EDIT: FormSpec = {
  sections: [{ fields: about }, prompts, model, tools, runs, SHARING],
  leftOut: {
    ...LEFT_OUT,
    name: 'Identifies the agent; cannot be changed',
    version: 'Sent as read',
  },
};
