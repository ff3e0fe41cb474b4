import type { Agent } from '../../../client/src/index.ts';
import { CLOUD_RUNTIME_TYPES } from '../../../src/contract/families/agents.ts';

export const RUNTIMES: Readonly<Record<Agent['runtime_type'], string>> = {
  CLOUD_AGENT_CORE: 'Amazon Bedrock AgentCore',
  BUILT_IN: 'Built in',
  CONTAINER: 'Container',
};

export const APPROVALS: Readonly<Record<Agent['approve_tools'], string>> = {
  never: 'None',
  destructive: 'Those of tools that destroy',
  writes: 'All but those of tools that only read',
  always: 'All',
};

export const ON_UNAVAILABLE: Readonly<Record<Agent['on_unavailable'], string>> = {
  fail: 'The run fails',
  continue: 'The model is told and goes on',
};

export const ON_UNVERIFIED: Readonly<Record<Agent['on_unverified'], string>> = {
  mark: 'They are marked',
  ask_again: 'The model is asked once more',
  fail: 'The run fails',
};

export const ON_APPROVAL_TIMEOUT: Readonly<Record<Agent['on_approval_timeout'], string>> = {
  reject: 'The call is rejected',
  cancel: 'The run is cancelled',
};

/** Whether a cloud creates and deletes its runtime. */
export const isCloudRuntime = ({ runtime_type }: Pick<Agent, 'runtime_type'>): boolean =>
  CLOUD_RUNTIME_TYPES.some((type) => type === runtime_type);
