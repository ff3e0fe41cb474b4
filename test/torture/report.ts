import type { Finding } from './history/checker.ts';

export interface Result {
  findings: Finding[];
  figures: string[];
}

/** Findings of one kind repeat: a few are enough. */
const MOST_SHOWN = 12;

/** Prints figures and findings of each part and counts the parts without findings. */
export class Report {
  passed = 0;
  failed = 0;
  readonly #write: (line: string) => void;
  readonly #started = performance.now();

  constructor(write: (line: string) => void = (line) => process.stdout.write(`${line}\n`)) {
    this.#write = write;
  }

  line(text: string): void {
    this.#write(text);
  }

  part(title: string, { findings, figures }: Result): void {
    const seconds = Math.round((performance.now() - this.#started) / 1000);
    this.#write(`\n[${seconds} s] ${title}: ${findings.length === 0 ? 'passed' : 'FAILED'}`);
    for (const figure of figures) this.#write(`    ${figure}`);
    for (const { what, story } of findings.slice(0, MOST_SHOWN)) {
      this.#write(`  finding: ${what}`);
      for (const line of story) this.#write(`      ${line}`);
    }
    if (findings.length > MOST_SHOWN) this.#write(`  and ${findings.length - MOST_SHOWN} more`);
    if (findings.length === 0) this.passed += 1;
    else this.failed += findings.length;
  }

  /** The line that any CI understands. True when nothing was found. */
  close(): boolean {
    this.#write(`\n${this.passed} passed, ${this.failed} failed`);
    return this.failed === 0;
  }
}
