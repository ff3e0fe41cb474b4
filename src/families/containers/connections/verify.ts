import { Fault } from '../../../contract/faults.ts';
import { OutboundError } from '../../../contract/outbound.ts';
import { startDeadline } from '../../../domain/deadline.ts';
import type { ContainerDependencies } from '../../../ports/containerDependencies.ts';
import { EngineFailure, type EngineReport } from '../../../ports/containerEngine.ts';
import type { ContainerConnections, Draft } from './service.ts';
import { engineTarget } from './target.ts';

const VERIFY_MS = 20_000;

/** Asks the engine of a draft. Problems are answers here, not errors. */
export async function verifyConnection(
  connections: ContainerConnections,
  deps: ContainerDependencies,
  { target: { record, secrets, hidden } }: Draft,
): Promise<{ report: EngineReport; elapsedMs: number }> {
  const started = performance.now();
  using deadline = startDeadline(VERIFY_MS);
  const report = await (async (): Promise<EngineReport> => {
    try {
      const target = await engineTarget(connections.certificates, connections.kindOf(record), record, secrets);
      const engine = await deps.open(target, hidden);
      try {
        return await engine.verify(deadline);
      } finally {
        engine.close();
      }
    } catch (error) {
      if (error instanceof OutboundError)
        return { problems: [{ code: error.code, message: error.message }], warnings: [] };
      if (error instanceof EngineFailure)
        return { problems: [{ code: error.reason, message: error.message }], warnings: [] };
      throw error;
    }
  })();
  return { report, elapsedMs: performance.now() - started };
}

/** A test that failed saves nothing but that it failed, and that only on a record that is being edited. */
export async function refuse(
  connections: ContainerConnections,
  draft: Draft,
  { report, elapsedMs }: { report: EngineReport; elapsedMs: number },
): Promise<never> {
  const problems = report.problems.map((problem) => problem.message);
  const code = report.problems[0]?.code ?? 'verification_failed';
  if (draft.before) await connections.records.keepTest(draft.key, elapsedMs, { code });
  const reason = problems.join('; ');
  throw new Fault('verification_failed', `Failed to validate the configuration details: ${reason}`, { problems });
}
