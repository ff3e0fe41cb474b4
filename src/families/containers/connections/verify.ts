import { remedyOf } from '../../../contract/codes/codes.ts';
import { Fault } from '../../../contract/codes/faults.ts';
import { OutboundError } from '../../../contract/codes/outbound.ts';
import { bounded } from '../../../domain/async/deadline.ts';
import type { ContainerDependencies } from '../../../ports/engines/containerDependencies.ts';
import { EngineFailure, type EngineReport, type LoginServer } from '../../../ports/engines/containerEngine.ts';
import type { Deadline } from '../../../ports/platform/clock.ts';
import { Target } from '../../../resources/target.ts';
import type { ConnectionStored } from './records.ts';
import type { ConnectionDraft, ContainerConnections } from './service.ts';
import { engineTarget } from './target.ts';

const VERIFY_MS = 20_000;

interface Verification {
  report: EngineReport;
  elapsedMs: number;
}

/** Tests a draft with its engine. */
export function verifyDraft(
  connections: ContainerConnections,
  deps: ContainerDependencies,
  draft: ConnectionDraft,
): Promise<Verification> {
  const keep = async (host: string) => {
    draft.login_host = host;
    return true;
  };
  return verifyConnection(connections, deps, draft.target, { host: draft.target.record.login_host, keep });
}

/** Problems are returned, not thrown. */
async function verifyConnection(
  connections: ContainerConnections,
  deps: ContainerDependencies,
  { record, secrets, hidden }: Target<ConnectionStored>,
  server: LoginServer,
  outer?: Deadline,
): Promise<Verification> {
  const started = performance.now();
  using deadline = bounded(VERIFY_MS, outer);
  const report = await (async (): Promise<EngineReport> => {
    try {
      const target = await engineTarget(connections.certificates, connections.kindOf(record), record, secrets, server);
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

/**
 * Tests a saved connection and stores the result.
 * @returns why the test failed, undefined when it passed
 * @throws Fault `not_found`
 */
export async function testSaved(
  connections: ContainerConnections,
  deps: ContainerDependencies,
  key: string,
  outer: Deadline,
): Promise<{ code: string } | undefined> {
  const { sealed, records } = connections;
  const unsealed = await sealed.unseal(await sealed.get(key));
  const server = connections.loginServerOf(unsealed.record);
  const { report, elapsedMs } = await verifyConnection(connections, deps, Target.saved(unsealed), server, outer);
  const [problem] = report.problems;
  await records.saveTest(key, elapsedMs, problem);
  return problem;
}

/** A failed test only saves its result, and only on an existing record. */
export async function rejectSave(
  connections: ContainerConnections,
  draft: ConnectionDraft,
  { report, elapsedMs }: Verification,
): Promise<never> {
  const problems = report.problems.map((problem) => problem.message);
  const code = report.problems[0]?.code ?? 'verification_failed';
  const remedy = problems.length === 1 ? remedyOf(code) : undefined;
  if (draft.before) await connections.records.saveTest(draft.key, elapsedMs, { code });
  const reason = problems.join('; ');
  throw new Fault('verification_failed', `Failed to validate the configuration details: ${reason}`, {
    problems,
    cause: code,
    ...(remedy ? { remedy } : {}),
  });
}
