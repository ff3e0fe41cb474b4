import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { answerModel, MODEL_KEY, MODELS } from '../../../../tools/demo/peers/model.ts';
import { project } from '../../../support/e2e/build.ts';
import { expectStatus, type TestPlatform } from '../../../support/e2e/platform.ts';
import { type Peer, startHttp } from '../../../support/peers/listen.ts';
import { configure, gatewayPlatform } from '../gatewayPlatform.ts';

const GUIDE = join(project, 'docs/guide');
const GATEWAY = '/servicesNS/nobody/ml_extension/ai_gateway';
const STORE = 'Guide';
/** Items of a batch, and documents of a request, so that each answers in time. */
const PIECE = 100;
/** A question, with pages beside its own that answer it too. */
type Question = string | { question: string; also: string[] };

const questions = Object.entries(
  JSON.parse(readFileSync(join(project, 'test/fixtures/knowledge/questions.json'), 'utf8')) as Record<
    string,
    Question[]
  >,
).flatMap(([page, asked]) =>
  asked.map((each) =>
    typeof each === 'string' ? { text: each, pages: [page] } : { text: each.question, pages: [page, ...each.also] },
  ),
);

const pieces = <T>(all: readonly T[], most: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / most) }, (_, at) => all.slice(at * most, (at + 1) * most));

describe('questions about the guide, asked of a store in the platform', function () {
  this.timeout(180_000);
  let platform: TestPlatform;
  let provider: Peer;

  before(async () => {
    provider = await startHttp((request, response) => void answerModel(request, response));
    platform = await gatewayPlatform();
    await configure(platform, 'Words', provider.url, { model: MODELS.embedding, key: MODEL_KEY });
    const details = { embedding_model: `Words/${MODELS.embedding}` };
    const made = await platform.ml('anna', 'POST', '/vector_stores', { name: STORE, type: 'BUILT_IN', details });
    expectStatus(made, 200, made.text);
    const documents = globSync('**/*.md', { cwd: GUIDE }).map((id) => ({
      id,
      text: readFileSync(join(GUIDE, id), 'utf8'),
    }));
    for (const some of pieces(documents, 10)) {
      const reply = await platform.call('anna', 'POST', `${GATEWAY}/index`, { store: STORE, documents: some });
      expectStatus(reply, 200, reply.text.slice(0, 500));
      expect(reply.json.failed).to.deep.equal([]);
    }
  });
  after(async () => {
    await platform?.dispose();
    await provider?.close();
  });

  /** @returns the share of questions whose page is among the first five passages */
  async function shareFound(search_type: 'hybrid' | 'semantic'): Promise<number> {
    let found = 0;
    for (const some of pieces(questions, PIECE)) {
      const reply = await platform.call('anna', 'POST', `${GATEWAY}/batch`, {
        operation: 'retrieve',
        common: { store: STORE, number_of_results: 5, search_type },
        items: some.map(({ text }, at) => ({ id: String(at), query: text })),
      });
      expectStatus(reply, 200, reply.text.slice(0, 500));
      for (const { id, status, response } of reply.json.result) {
        const question = some[Number(id)];
        expect(status, `${question?.text} ${JSON.stringify(response)}`).to.equal('done');
        const ids = response.result.map((passage: { id: string }) => passage.id);
        const isFound = ids.some((page: string) => question?.pages.includes(page));
        if (isFound) found += 1;
        else if (process.env.SHOW_MISSES) process.stdout.write(`${question?.pages[0]} | ${question?.text} | ${ids}\n`);
      }
    }
    const share = found / questions.length;
    process.stdout.write(`      ${search_type}: ${found} of ${questions.length}, ${(100 * share).toFixed(1)} %\n`);
    return share;
  }

  it('has 300 of them, about 40 pages and more', () => {
    expect(questions).to.have.length(300);
    expect(new Set(questions.map(({ pages }) => pages[0])).size).to.be.at.least(40);
    for (const { pages } of questions)
      for (const page of pages) expect(() => readFileSync(join(GUIDE, page)), page).not.to.throw();
  });

  it('finds the right page among the first five for nine of ten by words and meaning', async () => {
    expect(await shareFound('hybrid')).to.be.at.least(0.9);
  });

  it('finds fewer by a bag of words alone', async () => {
    expect(await shareFound('semantic')).to.be.within(0.5, 0.9);
  });
});
