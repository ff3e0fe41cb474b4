import { expect } from 'chai';
import { needsInstalled } from '../support/programs/part.ts';
import { preparePython, pythonPrograms } from '../support/programs/python.ts';
import { Reader, steps } from './guide.ts';
import { guidePages } from './markdown.ts';
import { PACKAGES_OF } from './standIns.ts';

const pages = guidePages().filter((page) => steps(page).some(({ block }) => block.language === 'sh python'));

describe('examples of the guide that need packages of Python', function () {
  this.timeout(600_000);
  let reader: Reader;
  before(async () => {
    reader = await Reader.start();
  });
  after(() => reader?.stop());

  it('are those whose packages are known', () => {
    expect(pages.map(({ path }) => path)).to.have.members(Object.keys(PACKAGES_OF));
  });

  for (const [path, environment] of Object.entries(PACKAGES_OF)) {
    it(`${path} does what it shows`, async function () {
      await needsInstalled(this, environment, () => preparePython(environment));
      const page = pages.find((one) => one.path === path);
      if (!page) throw new Error(`${path} has no block of Python`);
      await reader.follow(page, steps(page), { PATH: `${pythonPrograms(environment)}:${process.env.PATH}` });
    });
  }
});
