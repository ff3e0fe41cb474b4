import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { project } from '../support/e2e/build.ts';
import { DEMO } from './demoScenes.ts';

const text = (file: string): string => readFileSync(join(project, file), 'utf8');

describe('the pictures of the guide', () => {
  it('are of every view and panel of the demo, and linked', () => {
    const names = DEMO.map(({ name }) => `${name}.png`).sort();
    expect(readdirSync(join(project, 'docs/guide/pictures')).sort()).to.deep.equal(names);
    const guide = text('docs/guide/console.md');
    expect(names.filter((name) => !guide.includes(`](pictures/${name})`))).to.deep.equal([]);
  });

  it('are in the README: the Overview, the run of an alert, the playground, a run and the usage', () => {
    const readme = text('README.md');
    for (const name of ['overview', 'alert-run', 'playground', 'run-panel', 'usage'])
      expect(readme).to.include(`](docs/guide/pictures/${name}.png)`);
  });
});
