import { startDeadline } from '../../../domain/async/deadline.ts';
import type { OnnxRuntime } from '../../../ports/llm/onnxRuntime.ts';
import { Checks } from './checks.ts';
import { type Isolation, RunnerHost } from './host.ts';
import { openModel } from './model.ts';

/** Of loading the runtime alone. */
const LOAD_MS = 60_000;

/**
 * @param program the file of the runner, which calls `serveRunner`
 * @param isolation `process` keeps a hostile model from taking its caller down
 */
export function onnxRuntime(program: URL, isolation: Isolation): OnnxRuntime {
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
    open: (...model) => openModel(take(), ...model),
    check: (...model) => checks.check(...model),
  };
}
