import { stringifyExact } from '../../contract/exactJson.ts';
import { checkEvidence } from '../../evidence/evidence.ts';
import type { Evidence, EvidenceChecker, EvidenceRequest } from '../../ports/platform/evidenceChecker.ts';
import { EndableThread } from '../threads/endableThread.ts';

/** Results and answers are written by others, who may look for what takes long. */
const CPU_MS = 2000;
/** Less takes a few milliseconds, however it is written: starting a thread takes longer. */
const HERE_CHARS = 32 * 1024;

/**
 * Checks the claims of answers, in a thread where there is much to read.
 * @param program the file that calls `serveOrders` with `answerEvidence`
 */
export function createEvidenceChecker(program: URL): EvidenceChecker {
  const thread = new EndableThread<EvidenceRequest, Evidence>(program, CPU_MS);
  return {
    async check(request) {
      if (sizeOf(request) <= HERE_CHARS) return checkEvidence(request);
      return (await thread.run(request)) ?? { error_code: 'timeout' };
    },
  };
}

export const answerEvidence = (request: EvidenceRequest): Evidence => checkEvidence(request);

/** Characters to read. */
function sizeOf({ output, input, steps }: EvidenceRequest): number {
  const texts = [output, ...steps.flatMap((step) => [step.output, step.input ?? ''])];
  const ofInput = typeof input === 'string' ? input.length : input === undefined ? 0 : stringifyExact(input).length;
  return texts.reduce((total, text) => total + text.length, ofInput);
}
