import { join } from 'node:path';
import { writeFileAtomic } from '../home/atomicFile.ts';

/** Loaded by every Node process of a member; the monotonic clock is unchanged. */
const preload = (ms: number): string => `const Real = globalThis.Date;
const now = () => Real.now() + ${ms};
globalThis.Date = new Proxy(Real, {
  apply: (target) => new target(now()).toString(),
  construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
});
// Instances report the replaced constructor.
Real.prototype.constructor = globalThis.Date;
`;

/** The environment that shifts the clock of drivers and commands. */
export function skewedEnvironment(
  home: string,
  env: Readonly<Record<string, string | undefined>>,
  ms: number,
): Record<string, string | undefined> {
  if (ms === 0) return { ...env };
  const file = join(home, 'var', 'run', 'splunk', 'clockSkew.cjs');
  writeFileAtomic(file, preload(ms), 0o644);
  // `--import` would not reach worker threads. The quotes protect blanks, at which NODE_OPTIONS is split.
  const option = `--require "${file.replace(/[\\"]/g, '\\$&')}"`;
  return { ...env, NODE_OPTIONS: [env.NODE_OPTIONS, option].filter(Boolean).join(' ') };
}
