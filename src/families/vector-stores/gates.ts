import { AGENT_CONNECTION_CAPABILITIES } from '../../contract/capabilities.ts';

/** Who may change and test vector stores. */
export const WRITERS = { gate: AGENT_CONNECTION_CAPABILITIES, flag: 'vector_stores' } as const;
