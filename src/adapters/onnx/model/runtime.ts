import type { OnnxRuntime } from '../../../ports/llm/onnxRuntime.ts';
import { Checks } from './checks.ts';
import { type Isolation, RunnerHost } from './host.ts';
import { openModel } from './model.ts';

/**
 * @param program the file of the runner, which calls `serveRunner`
 * @param isolation `process` keeps a hostile model from taking its caller down
 */
export function onnxRuntime(program: URL, isolation: Isolation): OnnxRuntime {
  const start = () => new RunnerHost(program, isolation);
  const checks = new Checks(start);
  return {
    open: (...model) => openModel(start(), ...model),
    check: (...model) => checks.check(...model),
  };
}
