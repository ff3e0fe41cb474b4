import { Fault } from '../../../contract/codes/faults.ts';
import type { Deadline } from '../../../ports/platform/clock.ts';
import type { RunnerOrder, RunnerReply } from '../runner/messages.ts';
import { RunnerEnded, type RunnerHost } from './host.ts';

/** Of what the runtime said. */
const MAX_SAID = 300;
/** What the runtime says when an allocation fails, or would not fit its address space. */
const OUT_OF_MEMORY = /bad_alloc|exceeds the supported maximum/;
const TOO_LARGE = 'The model asks for more memory than it may have';

export class NotRunnable extends Fault {
  /** Whether it may run with other values. */
  readonly mayBeValues: boolean;

  constructor(message: string, mayBeValues = false) {
    super('model_not_runnable', message);
    this.mayBeValues = mayBeValues;
  }
}

/** @throws Fault after which the host has ended, unless the time was over while other calls were under way */
export async function ask(host: RunnerHost, order: RunnerOrder, deadline: Deadline): Promise<RunnerReply> {
  try {
    const reply = await host.ask(order, deadline);
    if (!('error' in reply)) return reply;
    host.close();
    if (OUT_OF_MEMORY.test(reply.error)) throw new NotRunnable(TOO_LARGE);
    throw new NotRunnable(`The model cannot run: ${said(reply.error)}`, 'run' in order && !reply.isOfShape);
  } catch (error) {
    if (error instanceof RunnerEnded) {
      throw new NotRunnable(`${TOO_LARGE}, or the runtime crashed`);
    }
    if (deadline.signal.aborted) throw new Fault('timeout', 'The model did not answer in time');
    throw error;
  }
}

/** Without the places in the runtime's own source code. */
function said(text: string): string {
  const words = (text.split('ERROR_MESSAGE:').at(-1) ?? '').replace(/[\p{Cc}\p{Cf}]/gu, ' ').split(' ');
  const line = words.filter((word) => word !== '' && !word.includes('/onnxruntime/')).join(' ');
  return line.length > MAX_SAID ? `${line.slice(0, MAX_SAID)}…` : line;
}
