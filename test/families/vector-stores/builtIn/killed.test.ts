import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { passageFolder, processFiles } from '../../../support/knowledge/passages.ts';
import { document, KnowledgeSite, Member } from '../../../support/knowledge/site.ts';
import { Random } from '../../../support/random.ts';

const PROGRAM = join(import.meta.dirname, 'followProgram.ts');
const DOCUMENTS = 900;
const SEED = Number(process.env.ML_TEST_SEED ?? 1);
const ROUNDS = 14;

const vectorOf = (value: number) => [Math.cos(value), Math.sin(value), 0.5, 0.25];
const documentOf = (n: number, round: number) =>
  document(
    `d${n}`,
    [`number ${n} round ${round}`, `also ${n} round ${round}`],
    [vectorOf(n + round), vectorOf(n - round)],
  );

describe('a process that is killed while it brings the file of a store up to date', () => {
  /** @returns whether it was killed before its end */
  async function killedFollower(path: string, folder: string, afterMs: number): Promise<boolean> {
    const child = spawn(process.execPath, ['--no-warnings', PROGRAM, path, folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    const ended = once(child, 'exit');
    await once(child.stdout, 'data');
    await Promise.race([setTimeout(afterMs), ended]);
    child.kill('SIGKILL');
    await ended;
    return !text.includes('done');
  }

  it('leaves a file that the next one completes', async function () {
    this.timeout(300_000);
    const random = new Random(SEED);
    const site = new KnowledgeSite();
    const folder = passageFolder();
    const path = join(passageFolder(), 'records.json');
    const writer = site.member();
    const expected = new Map<string, ReturnType<typeof documentOf>>();
    const write = async (documents: ReturnType<typeof documentOf>[]) => {
      await writer.replace(documents);
      for (const each of documents) expected.set(each.id, each);
    };
    await write(Array.from({ length: DOCUMENTS }, (_, n) => documentOf(n, 0)));
    let [killed, longest] = [0, 400];
    for (let round = 1; round <= ROUNDS; round += 1) {
      writeFileSync(path, JSON.stringify(site.dump()));
      const isKilled = await killedFollower(path, folder, random.below(longest));
      if (isKilled) killed += 1;
      else longest = Math.max(20, longest / 2);
      // Sometimes the next process is killed, too.
      if (random.chance(0.5)) {
        const member = new Member(site, folder, processFiles(folder));
        const query = { vector: Float32Array.from(vectorOf(round)), searchType: 'semantic' as const, count: 100_000 };
        const found = await member.search(query);
        const texts = [...expected.values()].flatMap(({ text }) => text.split('\n')).sort();
        expect(found.map(({ text }) => text).sort()).to.deep.equal(texts);
        const cosine = (n: number[]) => n.reduce((sum, x, i) => sum + x * (vectorOf(round)[i] as number), 0) / 1.3125;
        for (const { id = '', text, score } of found.slice(0, 50)) {
          const index = text.startsWith('number') ? 0 : 1;
          const vector = [...(expected.get(id)?.passages[index]?.vector ?? [])];
          expect(score, text).to.be.closeTo(cosine(vector), 1e-5);
        }
        const words = await member.search({ text: `"round ${round}" 17`, count: 5 });
        expect(words.length).to.be.above(0);
      }
      const changed = Array.from({ length: random.below(DOCUMENTS) }, () => random.below(DOCUMENTS));
      await write([...new Set(changed)].map((n) => documentOf(n, round)));
      const removed = Array.from({ length: random.below(50) }, () => `d${random.below(DOCUMENTS)}`);
      await writer.remove(removed);
      for (const id of removed) expected.delete(id);
    }
    expect(killed).to.be.above(3);
  });
});
