import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { project } from '../support/e2e/build.ts';
import { TestPlatform } from '../support/e2e/platform.ts';
import { freePort } from '../support/peers/listen.ts';
import type { Block, Page } from './markdown.ts';
import { differences, lastDocument } from './same.ts';
import { Session } from './session.ts';
import { giveFiles, StandIns } from './standIns.ts';

const PASSWORD = 'changeme1';

/** A block with the output that the page shows for it. */
export interface Step {
  block: Block;
  output: Block | undefined;
}

/** Blocks `sh docker` need a Docker engine, `sh python` packages of Python; `spl` is a search, whose output is its rows. */
const RUN = new Set(['sh', 'sh docker', 'sh python', 'spl']);
export const isRun = ({ language }: Block) => RUN.has(language);

export function steps({ blocks }: Page): Step[] {
  return blocks.flatMap((block, index) => {
    if (!isRun(block)) return [];
    const next = blocks[index + 1];
    return [{ block, output: next?.language === 'json' ? next : undefined }];
  });
}

/** The embedded platform of somebody who does what the guide shows. */
export class Reader {
  readonly platform: TestPlatform;
  readonly #standIns: StandIns;

  private constructor(platform: TestPlatform, standIns: StandIns) {
    this.platform = platform;
    this.#standIns = standIns;
  }

  static async start(): Promise<Reader> {
    const platform = await new TestPlatform({ env: { ML_ADMIN_PASSWORD: PASSWORD }, movableClock: true }).start();
    return new Reader(platform, await StandIns.start());
  }

  async stop(): Promise<void> {
    // An example that failed halfway may have left a container to the engine.
    const left = (await this.platform.ml('admin', 'GET', '/container_data')).json?.config ?? {};
    for (const model of Object.keys(left)) await this.platform.ml('admin', 'DELETE', `/start_container/${model}`);
    await this.platform.dispose();
    await this.#standIns.stop();
  }

  /** @param env of the reader's shell, beside where the platform is */
  async follow(page: Page, examples: readonly Step[], env: Record<string, string> = {}): Promise<void> {
    const session = new Session({
      API: `${this.platform.url}/servicesNS/nobody/ml_extension`,
      ML_HOME: this.platform.home,
      CLOCK_AHEAD: this.platform.clock,
      PORT: String(await freePort()),
      ...env,
    });
    giveFiles(page.path, session.folder);
    try {
      for (const { block, output } of examples) {
        const where = `${page.path}:${block.line}`;
        const printed = await this.#run(session, block).catch((error: Error) => {
          throw new Error(`${where}: ${error.message}`);
        });
        if (!output) continue;
        const actual = lastDocument(this.#standIns.restore(printed));
        const found = differences(JSON.parse(output.text), actual);
        expect(found, `${where} answered ${JSON.stringify(actual, null, 2)}`).to.deep.equal([]);
      }
    } finally {
      await session.close();
    }
  }

  /** @returns what a command prints, or the rows of a search */
  async #run(session: Session, { language, text }: Block): Promise<string> {
    const written = this.#standIns.replace(text);
    if (language !== 'spl') return session.run(written);
    const form = { search: written, exec_mode: 'oneshot', output_mode: 'json' };
    const reply = await this.platform.admin('POST', '/servicesNS/nobody/ml_extension/search/jobs', form);
    const failed = reply.json?.messages?.some(({ type }: { type: string }) => type === 'ERROR' || type === 'FATAL');
    if (reply.status !== 200 || failed) throw new Error(`the search failed: ${reply.text}`);
    return JSON.stringify(reply.json.results);
  }

  /** @throws when a page has not deleted what it made */
  async assertNothingLeft(): Promise<void> {
    const names = [...readFileSync(join(project, 'default/collections.conf'), 'utf8').matchAll(/^\[(\w+)\]$/gm)].map(
      (match) => match[1] ?? '',
    );
    // The installation's id and the schema version outlive all records; an acknowledgement stays, and so do what was done, used and run.
    const done = [
      'ml_audit',
      'ml_usage',
      'ml_usage_counters',
      'ml_runs',
      'ml_run_steps',
      'ml_run_decisions',
      'ml_run_claims',
      'ml_alert_claims',
    ];
    const preserved = ['ml_containers_installation', 'ml_schema', 'ml_ctsm', ...done];
    // Sums of usage are folded by who holds this lease, whose expiry is the interval.
    const isLeft = ({ _key }: { _key: string }) => _key !== 'usage.folded';
    const records = names.filter((name) => !preserved.includes(name));
    const left = await Promise.all(
      records.map(async (name) => ({
        name,
        docs: ((await this.platform.documents(name)) as { _key: string }[]).filter(isLeft),
      })),
    );
    expect(left.filter(({ docs }) => docs.length > 0)).to.deep.equal([]);
    expect(await this.platform.secretNames()).to.deep.equal([]);
  }
}
