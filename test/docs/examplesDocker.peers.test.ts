import { needs } from '../support/programs/part.ts';
import { Reader, steps } from './guide.ts';
import { guidePages } from './markdown.ts';

describe('examples of the guide that need a Docker engine', function () {
  this.timeout(300_000);
  let reader: Reader;
  before(async function () {
    needs(this, process.env.DOCKER_HOST !== undefined, 'a Docker engine (DOCKER_HOST)');
    reader = await Reader.start();
  });
  after(() => reader?.stop());

  for (const page of guidePages()) {
    if (!steps(page).some(({ block }) => block.language === 'sh docker')) continue;
    it(`${page.path} does what it shows`, () => reader.follow(page, steps(page)));
  }

  it('leave nothing behind', () => reader.assertNothingLeft());
});
