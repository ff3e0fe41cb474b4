export { READ_CONNECTIONS as CONTAINER_READERS } from '../../contract/capabilities.ts';
export { containerConnectionCodec } from './connections/codec.ts';
export {
  type ContainerEntry,
  containerEntries,
  INVENTORY_SCHEMAS as CONTAINER_ENTRY_SCHEMAS,
} from './connections/inventory.ts';
export { CONTAINER_TYPES } from './engines/registry.ts';
export { type AgentServer, isContainerKnown, mayServeAgent, openAgentServer } from './runtime/agentServer.ts';
export { findServed, openModelServer, type ServedModel, servedModels } from './runtime/languageModels.ts';
export { openContainerPredictor } from './runtime/reach.ts';

/** For the process that pulls one image; nobody else needs it. */
export const loadImagePull = () => import('./pullImage.ts');
