import { Fault } from '../../../contract/codes/faults.ts';
import { startDeadline } from '../../../domain/async/deadline.ts';
import type { OnnxRuntime } from '../../../ports/onnx/onnxRuntime.ts';
import { Checks } from './checks.ts';
import { type Isolation, RunnerHost } from './host.ts';
import { openModel } from './model.ts';

/** Longest time to load the runtime alone. */
const LOAD_MS = 60_000;
/** Longest wait for a runner of another process to end. */
const ROOM_MS = 5000;

/** How many runners a machine has memory for, over all processes. */
export interface RunnerRoom {
  /** @returns undefined if there is no room for another runner within that time */
  take(waitMs: number): Promise<{ release(): void } | undefined>;
}

const NO_ROOM = 'As many uploaded models are running on this machine as it has memory for. Try again in a moment.';

/**
 * @param program the file of the runner, which calls `serveRunner`
 * @param isolation `process` keeps a hostile model from taking its caller down
 * @param room for models that are opened; without it, the caller has its own bound
 */
export function onnxRuntime(program: URL, isolation: Isolation, room?: RunnerRoom): OnnxRuntime {
  const start = () => new RunnerHost(program, isolation);
  const checks = new Checks(start);
  let prepared: RunnerHost | undefined;
  const take = (): RunnerHost => {
    const host = prepared && !prepared.isEnded ? prepared : start();
    prepared = undefined;
    return host;
  };
  return {
    async prepare() {
      const host = start();
      prepared = host;
      // A failure ends the host, and `open` starts another.
      host.ask({ load: true }, startDeadline(LOAD_MS)).catch(() => {});
      return () => {
        if (prepared === host) host.close();
      };
    },
    async open(bytes, names, deadline) {
      if (!room) return openModel(take(), bytes, names, deadline);
      const place = await room.take(Math.min(ROOM_MS, deadline.remaining()));
      if (!place) throw new Fault('too_many_requests', NO_ROOM, { retry_after: 1 });
      return openModel(new RunnerHost(program, isolation, () => place.release()), bytes, names, deadline);
    },
    async hasRoom() {
      const place = await room?.take(0);
      place?.release();
      return !room || place !== undefined;
    },
    check: (...model) => checks.check(...model),
  };
}
