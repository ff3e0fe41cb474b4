import type { Problem } from '../../../contract/codes/faults.ts';
import type { CloudRuntimeType, RuntimeType } from '../../../contract/families/agents.ts';
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
