import { relative } from 'node:path';
import Mocha from 'mocha';
import { project } from '../support/e2e/build.ts';
import type { Durations } from './files.ts';

const { EVENT_HOOK_END, EVENT_RUN_END, EVENT_SUITE_END, EVENT_TEST_END, EVENT_TEST_PENDING } = Mocha.Runner.constants;

export interface Outcome {
  passed: number;
  failed: number;
  skipped: number;
}

export interface Options {
  files: string[];
  jobs: number;
  /** How each file went; filled while the tests run. */
  outcomes: Map<string, Outcome>;
  /** Filled while the tests run. */
  durations: Durations;
}

/**
 * A line for each file that has ended: how far the run is, how the file went, what is running. Then the failures. Events of
 * a file arrive together, at its end.
 */
export class Progress extends Mocha.reporters.Base {
  readonly #options: Options;
  readonly #ended = new Set<string>();
  #seen = { passes: 0, failures: 0, pending: 0 };

  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    this.#options = options.reporterOptions as Options;
    const { durations } = this.#options;
    const add = ({ file, duration = 0 }: Mocha.Runnable) => {
      if (file === undefined) return;
      const name = relative(project, file);
      durations[name] = (durations[name] ?? 0) + duration;
    };
    runner.on(EVENT_TEST_END, add);
    runner.on(EVENT_HOOK_END, add);
    runner.on(EVENT_TEST_PENDING, (test) => console.log(`         skipped: ${test.fullTitle()}`));
    runner.on(EVENT_SUITE_END, (suite) => {
      if (suite.root) this.#fileEnded();
    });
    runner.once(EVENT_RUN_END, () => this.epilogue());
  }

  #fileEnded(): void {
    const { files, jobs, durations } = this.#options;
    const name = Object.keys(durations).find((file) => files.includes(file) && !this.#ended.has(file));
    if (name === undefined) return;
    this.#ended.add(name);
    const { passes, failures, pending } = this.stats;
    const seen = this.#seen;
    this.#seen = { passes, failures, pending };
    const [passed, failed, skipped] = [passes - seen.passes, failures - seen.failures, pending - seen.pending];
    this.#options.outcomes.set(name, { passed, failed, skipped });
    const counts = [
      `${passed} passed`,
      ...(failed > 0 ? [`${failed} FAILED`] : []),
      ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ].join(', ');
    const took = `${((durations[name] ?? 0) / 1000).toFixed(1).padStart(6)} s`;
    // Files are begun in their order.
    const running = files.slice(0, this.#ended.size + jobs).filter((file) => !this.#ended.has(file));
    const rest = running.length > 0 ? `; running: ${running.map(shortName).join(', ')}` : '';
    console.log(`[${String(this.#ended.size).padStart(3)}/${files.length}] ${took}  ${name}: ${counts}${rest}`);
  }
}

const shortName = (file: string) => file.replace(/^.*\//, '').replace(/\.test\.ts$/, '');
