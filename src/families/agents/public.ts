export { agentCodec } from './codec.ts';
export { agentDefinitions } from './definitions.ts';
export type { AgentDefinition, AgentDefinitions, RunnableAgent } from './records/definition.ts';
