import type { Examples } from './exampleTypes.ts';

const RUN = '7d3c1f0e9b8a4c5d8e6f7a0b1c2d3e4f';

type RunRows = 'startRun' | 'listRuns' | 'getRun' | 'stepRun' | 'approveRun' | 'cancelRun';

/** A run that waits for the approval of a call. @param mcp a connection with the tool that it calls */
export const runExamples = (model: string, mcp: string): Pick<Examples, RunRows> => ({
  startRun: {
    body: {
      definition: {
        runtime_type: 'BUILT_IN',
        llm: { model },
        mcps: [{ name: mcp, tools: ['close_incident'] }],
        approve_tools: 'always',
      },
      input: 'Close incident 17.',
      worker: 'caller',
    },
  },
  listRuns: { query: { state: 'waiting_for_approval', count: 10 } },
  getRun: { params: { run_id: RUN } },
  stepRun: { params: { run_id: RUN }, body: {} },
  approveRun: { params: { run_id: RUN }, body: { step: 1, decision: 'approve' } },
  cancelRun: { params: { run_id: RUN }, body: {} },
});
