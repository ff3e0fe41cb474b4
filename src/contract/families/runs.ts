export const RUN_STATES = ['queued', 'running', 'waiting_for_approval', 'succeeded', 'failed', 'cancelled'] as const;
export type RunState = (typeof RUN_STATES)[number];

/** Events of changes of state, in the index of usage. */
export const RUN_SOURCETYPE = 'ml_extension:run';

/** `decided_by` of a decision that nobody made in time. */
export const EXPIRY = 'expiry';

/** Whether no step is due: the run has ended, or waits for a person. */
export const isIdle = (state: string): boolean => state !== 'queued' && state !== 'running';

/** The search that takes the steps of a run. */
export const workerSearch = (run_id: string): string => `| mlagent run_id="${run_id}"`;

export const STEP_STATES = ['started', 'waiting', 'unknown', 'done', 'failed', 'rejected'] as const;
export type StepState = (typeof STEP_STATES)[number];

export const STEP_KINDS = ['model', 'tool', 'retrieve', 'invoke'] as const;
export type StepKind = (typeof STEP_KINDS)[number];

/** Sources of the tools of an agent that can be unavailable to a run. */
export const TOOL_SOURCES = ['mcp_connection', 'vector_store', 'search_tool'] as const;
