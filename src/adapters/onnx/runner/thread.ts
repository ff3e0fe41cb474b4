import { Worker } from 'node:worker_threads';

/** Memory of JavaScript objects alone; the runtime's memory has a limit of its own. */
const HEAP_MB = 512;

/** @param program the file that serves a runner */
export const startThread = (program: URL): Worker =>
  // Its output is thrown away.
  new Worker(program, {
    execArgv: ['--no-warnings'],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
