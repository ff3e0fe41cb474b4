import type { FaultCode } from '../../../contract/codes/codes.ts';
import { Fault } from '../../../contract/codes/faults.ts';
import { OutboundError } from '../../../contract/codes/outbound.ts';
import { SqlRefusal } from '../../../ports/knowledge/sqlServers.ts';
import type { VectorStoreTestReply } from '../schemas.ts';

type Step = VectorStoreTestReply['data']['steps'][number];

export interface Failure {
  code: FaultCode;
  message: string;
}

/** The store answered, but cannot be used. */
const isUnfit = (error: unknown): error is Fault => error instanceof Fault;

/** The steps of a test of a store, until one fails. */
export class TestRun {
  readonly steps: Step[] = [];
  failure: Failure | undefined;
  reachable = false;
  authenticated = false;

  /**
   * @param isDue whether the step was requested
   * @param work throws OutboundError or Fault if the step fails
   */
  async step(name: Step['step'], isDue: boolean, work: () => Promise<void>): Promise<void> {
    if (!isDue || this.failure) {
      this.steps.push({ step: name, status: 'skipped', ms: 0 });
      return;
    }
    const started = performance.now();
    const ms = () => Math.round(performance.now() - started);
    try {
      await work();
      this.steps.push({ step: name, status: 'success', ms: ms() });
      this.reachable = true;
      this.authenticated = true;
    } catch (error) {
      if (!(error instanceof OutboundError) && !isUnfit(error)) throw error;
      this.failure = { code: error.code, message: error.message };
      this.steps.push({ step: name, status: 'fail', error_code: error.code, ms: ms() });
      this.authenticated ||= isUnfit(error) || (error instanceof SqlRefusal && error.code !== 'auth_failed');
      this.reachable ||= isUnfit(error) || error.httpStatus !== undefined || error instanceof SqlRefusal;
    }
  }
}
