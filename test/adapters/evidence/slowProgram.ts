import { writeFileSync } from 'node:fs';
import { answerEvidence } from '../../../src/adapters/evidence/evidenceChecker.ts';
import { serveOrders } from '../../../src/adapters/threads/serveOrders.ts';
import type { EvidenceRequest } from '../../../src/evidence/evidence.ts';

/** A thread that never ends for one answer, writing to the file that the input names, and fails for another. */
serveOrders((request: EvidenceRequest) => {
  if (request.output === 'fail') throw new Error('It fails');
  for (let turn = 0; request.output === 'forever'; turn += 1) {
    if (turn % 1_000_000 === 0) writeFileSync(String(request.input), String(turn));
  }
  return answerEvidence(request);
});
