import { Fault } from '../../../contract/codes/faults.ts';
import { ModelGone } from '../../../ports/onnx/onnxRuntime.ts';
import type { Deadline } from '../../../ports/platform/clock.ts';
import type { RunnerOrder, RunnerReply } from '../runner/messages.ts';
import { RunnerEnded, RunnerGone, type RunnerHost } from './host.ts';

/** Most characters of the runtime's words. */
const MAX_SAID = 300;
const TOO_LARGE = 'The model asks for more memory than it may have';

export class NotRunnable extends Fault {
  constructor(message: string) {
    super('model_not_runnable', message);
  }
}

/** @throws Fault after which the host has ended, unless the time was over in the queue */
export async function ask(host: RunnerHost, order: RunnerOrder, deadline: Deadline): Promise<RunnerReply> {
  try {
    const reply = await host.ask(order, deadline);
    if (!('error' in reply)) return reply;
    host.close();
    throw new NotRunnable(reply.isOutOfMemory ? TOO_LARGE : cannotRun(reply.error));
  } catch (error) {
    if (error instanceof RunnerGone) throw new ModelGone();
    if (error instanceof RunnerEnded) {
      throw new NotRunnable(`${TOO_LARGE}, or the runtime crashed`);
    }
    if (deadline.signal.aborted) throw new Fault('timeout', 'The model did not answer in time');
    throw error;
  }
}

export const cannotRun = (error: string): string => `The model cannot run: ${said(error)}`;

/** Without the places in the runtime's own source code. */
function said(text: string): string {
  const words = (text.split('ERROR_MESSAGE:').at(-1) ?? '').replace(/[\p{Cc}\p{Cf}]/gu, ' ').split(' ');
  const line = words.filter((word) => word !== '' && !word.includes('/onnxruntime/')).join(' ');
  return line.length > MAX_SAID ? `${line.slice(0, MAX_SAID)}…` : line;
}
