import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { project } from '../support/e2e/build.ts';
import { TestPlatform } from '../support/e2e/platform.ts';
import { freePort } from '../support/peers/listen.ts';
import type { Block, Page } from './markdown.ts';
import { differences, lastDocument } from './same.ts';
import { Session } from './session.ts';

const PASSWORD = 'changeme1';

/** A block with the output that the page shows for it. */
export interface Step {
  block: Block;
  output: Block | undefined;
}

/** Blocks `sh docker` need a Docker engine. */
export const isRun = ({ language }: Block) => language === 'sh' || language === 'sh docker';

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

  private constructor(platform: TestPlatform) {
    this.platform = platform;
  }

  static async start(): Promise<Reader> {
    return new Reader(await new TestPlatform({ env: { ML_ADMIN_PASSWORD: PASSWORD }, movableClock: true }).start());
  }

  async stop(): Promise<void> {
    // An example that failed halfway may have left a container to the engine.
    const left = (await this.platform.ml('admin', 'GET', '/container_data')).json?.config ?? {};
    for (const model of Object.keys(left)) await this.platform.ml('admin', 'DELETE', `/start_container/${model}`);
    await this.platform.dispose();
  }

  async follow(page: Page, examples: readonly Step[]): Promise<void> {
    const session = new Session({
      API: `${this.platform.url}/servicesNS/nobody/ml_extension`,
      ML_HOME: this.platform.home,
      CLOCK_AHEAD: this.platform.clock,
      PORT: String(await freePort()),
    });
    try {
      for (const { block, output } of examples) {
        const where = `${page.path}:${block.line}`;
        const printed = await session.run(block.text).catch((error: Error) => {
          throw new Error(`${where}: ${error.message}`);
        });
        if (!output) continue;
        const actual = lastDocument(printed);
        const found = differences(JSON.parse(output.text), actual);
        expect(found, `${where} answered ${JSON.stringify(actual, null, 2)}`).to.deep.equal([]);
      }
    } finally {
      await session.close();
    }
  }

  /** @throws when a page has not deleted what it made */
  async assertNothingLeft(): Promise<void> {
    const names = [...readFileSync(join(project, 'default/collections.conf'), 'utf8').matchAll(/^\[(\w+)\]$/gm)].map(
      (match) => match[1] ?? '',
    );
    // The installation's id and the schema version outlive all records; an acknowledgement stays, and so do what was done and used.
    const preserved = ['ml_containers_installation', 'ml_schema', 'ml_ctsm', 'ml_audit', 'ml_usage'];
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
