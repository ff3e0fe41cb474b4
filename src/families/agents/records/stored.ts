import type { LlmReference } from '../../../contract/schemas/llmReference.ts';
import type { AgentInput, AgentStored } from '../definition.ts';

/** `tools`: absent for all that the connection allows, empty for none. */
const mcpView = ({ name, tools, none }: AgentInput['mcps'][number]): { name: string; tools?: string[] } =>
  tools.length > 0 || none ? { name, tools } : { name };

/** The fields of an agent that its version and its runs repeat, in the form of a reply. @param fields with their defaults */
export function runFieldsOf(fields: AgentInput & Partial<Omit<AgentStored, 'output_schema'>>) {
  const { name, description, is_enabled, state, state_reason, tracking, mcps, ...ofRun } = fields;
  return { ...ofRun, mcps: mcps.map(mcpView) };
}

/** The configuration that an agent names by its parts; undefined for a reference. */
export function configurationOf(llm: AgentInput['llm']): LlmReference | undefined {
  if (llm?.service === undefined || llm.connection_name === undefined) return undefined;
  return { service: llm.service, connection_name: llm.connection_name, model: llm.model };
}
