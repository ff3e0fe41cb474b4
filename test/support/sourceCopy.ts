import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { root } from '../architecture/sources.ts';
import type { MemoryApp } from './memory/app.ts';

const run = promisify(execFile);

/** A copy of the sources, in which a test follows a recipe of CONTRIBUTING.md. */
export class SourceCopy {
  readonly #folder = mkdtempSync(join(tmpdir(), 'recipe-'));

  constructor() {
    for (const part of ['src', 'test/support', 'package.json']) {
      cpSync(join(root, part), join(this.#folder, part), { recursive: true });
    }
    symlinkSync(join(root, 'node_modules'), join(this.#folder, 'node_modules'));
  }

  add(path: string, text: string): void {
    writeFileSync(join(this.#folder, path), text);
  }

  edit(path: string, from: string, to: string): void {
    const file = join(this.#folder, path);
    const text = readFileSync(file, 'utf8');
    expect(text, path).to.contain(from);
    writeFileSync(file, text.replace(from, to));
  }

  /** The compiler's messages about these files and their imports; empty if they compile. */
  async compile(...files: string[]): Promise<string> {
    const config = { extends: join(root, 'tsconfig.json'), include: [], files, compilerOptions: { types: ['node'] } };
    writeFileSync(join(this.#folder, 'tsconfig.json'), JSON.stringify(config));
    return run(join(root, 'node_modules/.bin/tsc'), ['-p', this.#folder]).then(
      () => '',
      ({ stdout }: { stdout: string }) => stdout,
    );
  }

  async openApp(): Promise<MemoryApp> {
    const module = pathToFileURL(join(this.#folder, 'test/support/memory/app.ts')).href;
    return new ((await import(module)) as { MemoryApp: typeof MemoryApp }).MemoryApp();
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true });
  }
}
