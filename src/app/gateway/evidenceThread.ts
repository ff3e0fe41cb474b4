/** Checks the claims of answers in this thread. */
export async function serveEvidence(): Promise<void> {
  const { answerEvidence } = await import('../../adapters/evidence/evidenceChecker.ts');
  const { serveOrders } = await import('../../adapters/threads/serveOrders.ts');
  serveOrders(answerEvidence);
}
