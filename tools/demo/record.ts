import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = 'demo.json';

interface Content {
  /** Password of the user admin, unless ML_ADMIN_PASSWORD names another. */
  password: string;
  /** Where the scripted servers listened when the addresses of the examples were last written. */
  port?: number;
  /** Steps that were done; what somebody deletes later is not made again. */
  done: string[];
}

/** State of the demo in its data folder. */
export class DemoRecord {
  readonly #file: string;
  #content: Content;

  private constructor(file: string, content: Content) {
    this.#file = file;
    this.#content = content;
  }

  /**
   * Opens the record of a data folder, which is made if it is missing.
   * @throws Error if the folder has data that are not the demo's
   */
  static open(home: string): DemoRecord {
    const file = join(home, FILE);
    if (existsSync(file)) return new DemoRecord(file, JSON.parse(readFileSync(file, 'utf8')) as Content);
    mkdirSync(home, { recursive: true, mode: 0o700 });
    if (readdirSync(home).length > 0) {
      throw new Error(
        `ML_HOME is ${home}, which has other data than the demo's. Unset it, or name a folder that is empty.`,
      );
    }
    const record = new DemoRecord(file, { password: randomBytes(9).toString('base64url'), done: [] });
    record.#write();
    return record;
  }

  get password(): string {
    return this.#content.password;
  }

  get port(): number | undefined {
    return this.#content.port;
  }

  set port(port: number) {
    this.#content = { ...this.#content, port };
    this.#write();
  }

  /** Does a step unless it was done at an earlier start. It may be repeated if it fails or the process ends. */
  async once(step: string, act: () => Promise<void>): Promise<void> {
    if (this.#content.done.includes(step)) return;
    await act();
    this.#content = { ...this.#content, done: [...this.#content.done, step] };
    this.#write();
  }

  #write(): void {
    writeFileSync(`${this.#file}.new`, JSON.stringify(this.#content), { mode: 0o600 });
    renameSync(`${this.#file}.new`, this.#file);
  }
}
