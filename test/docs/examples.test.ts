import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { project } from '../support/e2e/build.ts';
import { TestPlatform } from '../support/e2e/platform.ts';
import { needs } from '../support/part.ts';
import { freePort } from '../support/peers/listen.ts';
import { type Block, guidePages, type Page } from './markdown.ts';
import { differences, lastDocument } from './same.ts';
import { Session } from './session.ts';

const PASSWORD = 'changeme1';
const LANGUAGES = new Set(['sh', 'sh docker', 'json', 'console', 'ini', 'text']);

/** A block with the output that the page shows for it. */
interface Step {
  block: Block;
  output: Block | undefined;
}

/** Blocks `sh docker` need a Docker engine. */
const isRun = ({ language }: Block) => language === 'sh' || language === 'sh docker';

function steps({ blocks }: Page): Step[] {
  return blocks.flatMap((block, index) => {
    if (!isRun(block)) return [];
    const next = blocks[index + 1];
    return [{ block, output: next?.language === 'json' ? next : undefined }];
  });
}

describe('examples of the guide', () => {
  let platform: TestPlatform;

  before(async function () {
    this.timeout(120_000);
    platform = await new TestPlatform({ env: { ML_ADMIN_PASSWORD: PASSWORD } }).start();
  });
  after(async () => {
    // An example that failed halfway may have left a container to the engine.
    const left = (await platform?.ml('admin', 'GET', '/container_data'))?.json?.config ?? {};
    for (const model of Object.keys(left)) await platform.ml('admin', 'DELETE', `/start_container/${model}`);
    await platform?.dispose();
  });

  async function follow(page: Page, shown: readonly Step[]): Promise<void> {
    const session = new Session({
      API: `${platform.url}/servicesNS/nobody/ml_extension`,
      ML_HOME: platform.home,
      PORT: String(await freePort()),
    });
    try {
      for (const { block, output } of shown) {
        const where = `${page.path}:${block.line}`;
        const said = await session.run(block.text).catch((error: Error) => {
          throw new Error(`${where}: ${error.message}`);
        });
        if (!output) continue;
        const actual = lastDocument(said);
        const found = differences(JSON.parse(output.text), actual);
        expect(found, `${where} answered ${JSON.stringify(actual, null, 2)}`).to.deep.equal([]);
      }
    } finally {
      await session.close();
    }
  }

  for (const page of guidePages()) {
    const all = steps(page);
    const plain = all.filter(({ block }) => block.language === 'sh');

    it(`${page.path} does what it shows`, async function () {
      this.timeout(300_000);
      await follow(page, plain);
    });

    if (plain.length < all.length) {
      it(`${page.path} does what it shows with a Docker engine`, async function () {
        this.timeout(300_000);
        needs(this, process.env.DOCKER_HOST !== undefined, 'a Docker engine (DOCKER_HOST)');
        await follow(page, all);
      });
    }

    it(`${page.path} has only blocks of known kinds, each output after its command`, () => {
      for (const [index, { language, line }] of page.blocks.entries()) {
        const where = `${page.path}:${line}`;
        expect(LANGUAGES, where).to.include(language);
        if (language === 'json') expect(page.blocks[index - 1], where).to.satisfy(isRun);
      }
    });
  }

  it('leave nothing behind', async () => {
    const names = [...readFileSync(join(project, 'default/collections.conf'), 'utf8').matchAll(/^\[(\w+)\]$/gm)].map(
      (match) => match[1] ?? '',
    );
    // The installation's id is kept whatever becomes of the records; an acknowledgement stays.
    const kept = ['ml_containers_installation', 'ml_ctsm'];
    const records = names.filter((name) => !kept.includes(name));
    const left = await Promise.all(records.map(async (name) => ({ name, docs: await platform.documents(name) })));
    expect(left.filter(({ docs }) => docs.length > 0)).to.deep.equal([]);
    expect(await platform.secretNames()).to.deep.equal([]);
  });
});

describe('reading of examples', () => {
  it('takes the last document of an output', () => {
    expect(lastDocument('text {"a": "}"}{"b": [1, "\\"]"]}\n')).to.deep.equal({ b: [1, '"]'] });
    expect(() => lastDocument('{"a": 1} and more')).to.throw('no JSON document');
    expect(() => lastDocument('')).to.throw('no JSON document');
  });

  it('sees every difference', () => {
    const example = { a: '…', b: [1, '…'], c: 'from … to …', d: { e: 1 } };
    expect(differences(example, { a: { any: 1 }, b: [1, 2, 3], c: 'from 1 to 2', d: { e: 1 } })).to.deep.equal([]);
    expect(differences(example, { a: null, b: [2], c: 'from 1', d: { e: 1, f: 2 }, g: 3 })).to.deep.equal([
      '$.b[0] is 2 instead of 1',
      '$.c is "from 1" instead of "from … to …"',
      '$.d.f is not in the example: 2',
      '$.g is not in the example: 3',
    ]);
    expect(differences({ a: '…' }, {})).to.deep.equal(['$.a is missing']);
    expect(differences([1], [1, 2])).to.deep.equal(['$: 2 entries instead of 1']);
    expect(differences(1, '1')).to.deep.equal(['$ is "1" instead of 1']);
  });
});
