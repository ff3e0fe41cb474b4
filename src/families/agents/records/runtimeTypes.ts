import type { Problem } from '../../../contract/codes/faults.ts';
import { AGENT_DEFAULTS, type CloudRuntimeType, type RuntimeType } from '../../../contract/families/agents.ts';
import type { AgentInput } from '../definition.ts';

/** A type of runtime of agents. */
interface RuntimeKind {
  /** The service that creates the runtime. Without one there is nothing to create: the agent is available at once. */
  cloud?: CloudRuntimeType;
  /** The fields of `runtime` that it requires; it takes no other. */
  fields: readonly (keyof NonNullable<AgentInput['runtime']>)[];
}

const RUNTIMES: { readonly [K in RuntimeType]: RuntimeKind } = {
  CLOUD_AGENT_CORE: { cloud: 'CLOUD_AGENT_CORE', fields: [] },
  BUILT_IN: { fields: [] },
  CONTAINER: { fields: ['container'] },
};

/** The service that creates its runtime; undefined where there is nothing to create. */
export const cloudOf = ({ runtime_type }: Pick<AgentInput, 'runtime_type'>): CloudRuntimeType | undefined =>
  RUNTIMES[runtime_type].cloud;

export function runtimeProblems({
  runtime_type,
  runtime = {},
}: Pick<AgentInput, 'runtime_type' | 'runtime'>): Problem[] {
  const { fields } = RUNTIMES[runtime_type];
  const required = fields.filter((field) => runtime[field] === undefined);
  const others = (Object.keys(runtime) as typeof required).filter((field) => !fields.includes(field));
  return [
    ...required.map((field) => ({ field: `runtime.${field}`, message: `is required for ${runtime_type}` })),
    ...others.map((field) => ({ field: `runtime.${field}`, message: `is not for ${runtime_type}` })),
  ];
}

/** Fields that only runs of this app read, and the values that ask for nothing. */
const OF_BUILT_IN = {
  output_schema: undefined,
  check_evidence: undefined,
  on_unavailable: AGENT_DEFAULTS.on_unavailable,
  on_unverified: AGENT_DEFAULTS.on_unverified,
  approval_timeout_s: AGENT_DEFAULTS.approval_timeout_s,
  on_approval_timeout: AGENT_DEFAULTS.on_approval_timeout,
} as const satisfies { [K in keyof AgentInput]?: AgentInput[K] | undefined };

/** Warnings about fields that the runtime ignores. */
export function runtimeWarnings(agent: Partial<AgentInput> & Pick<AgentInput, 'runtime_type'>): string[] {
  if (agent.runtime_type === 'BUILT_IN') return [];
  const fields = Object.keys(OF_BUILT_IN) as (keyof typeof OF_BUILT_IN)[];
  const ignored = fields.filter((field) => (agent[field] ?? OF_BUILT_IN[field]) !== OF_BUILT_IN[field]);
  if (ignored.length === 0) return [];
  return [`${ignored.join(', ')}: ignored by ${agent.runtime_type}; only runs of BUILT_IN agents have this`];
}
