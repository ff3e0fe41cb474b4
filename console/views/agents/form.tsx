import type { FormSpec, Section } from '../../parts/form/spec.ts';
import { SHARING, SHARING_LEFT_OUT } from '../../parts/panel/sharing.tsx';
import { ModelPicker } from './ModelPicker.tsx';
import { ToolPicker } from './ToolPicker.tsx';

const NAME = { path: 'name', label: 'Name', help: 'Letters, digits and _, with a letter first; it cannot be changed' };

const about = [
  { path: 'description', label: 'Description', area: true },
  { path: 'is_enabled', label: 'Enabled', help: 'Switched off, it keeps its runtime and is not meant to be used' },
] as const;

const prompts: Section = {
  title: 'Prompts',
  places: [
    { path: 'system_prompt', label: 'System prompt', area: true },
    { path: 'task_prompt', label: 'Task prompt', area: true },
  ],
};

const model: Section = {
  title: 'Model',
  places: [
    {
      path: 'llm',
      label: 'Language model',
      control: (props) => <ModelPicker {...props} />,
      whole: true,
    },
  ],
};

const tools: Section = {
  title: 'Tools and knowledge',
  places: [
    {
      path: 'mcps',
      label: 'Tools',
      help: 'MCP connections whose tools it may call, and which of them',
      control: (props) => <ToolPicker {...props} />,
    },
    {
      path: 'knowledge_bases',
      label: 'Knowledge bases',
      help: 'Vector stores that it may search',
      from: 'vector stores',
    },
  ],
};

const runs: Section = {
  title: 'Runs',
  places: [{ path: 'agent_timeout', label: 'Longest run, in seconds', help: 'From 1 to 3600' }],
};

const LEFT_OUT = { ...SHARING_LEFT_OUT, runtime_type: 'There is only one kind of runtime' };

export const CREATE: FormSpec = {
  sections: [{ places: [NAME, ...about] }, prompts, model, tools, runs, SHARING],
  leftOut: LEFT_OUT,
};

export const EDIT: FormSpec = {
  sections: [{ places: about }, prompts, model, tools, runs, SHARING],
  leftOut: {
    ...LEFT_OUT,
    name: 'Says which agent is meant; it cannot be changed',
    version: 'Sent as it was read',
  },
};
